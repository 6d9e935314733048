/** Functions that return tables, results, schemas and whole databases as XML, and their XML Schemas (manual, section 9.15.4). */
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { quoteLiteral } from '../text/quoting.ts';
import type { NamedRows } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, ScalarFunction } from '../define.ts';
import { systemOf } from '../system/session-of.ts';
import { type Mapping, resultElement, rootEnd, rootStart, rowElements, xmlName } from './mapped-data.ts';
import { type MappedColumn, type Place, SchemaMapping } from './mapped-schema.ts';

interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
}

const columnsOf = ({ names, types }: Omit<NamedRows, 'rows'>): MappedColumn[] => names.map((name, i) => ({ name, type: types[i] }));

/** The arguments of a call, with the objects that it names. */
class Mapped {
  readonly #call: Call;
  readonly #mapping: Mapping;

  constructor(call: Call, [nulls, forest, namespace]: readonly Value[]) {
    this.#call = call;
    this.#mapping = { nulls: nulls as boolean, forest: forest as boolean, namespace: namespace as string };
  }

  #rows(text: string): NamedRows {
    return systemOf(this.#call).queryRows(text);
  }

  relation(oid: number): Relation {
    const { rows } = this.#rows(
      `SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE c.oid = ${oid}`,
    );
    if (rows.length === 0) throw new SvcError('42P01', `relation with OID ${oid} does not exist`);
    const [[schema, name]] = rows as [string, string][];
    return { oid, schema, name };
  }

  /** Tables and views of schemas that the caller may read. */
  #relations(schemas: readonly string[], order: 'relname' | 'oid'): Relation[] {
    if (schemas.length === 0) return [];
    const { rows } = this.#rows(
      `SELECT c.oid, n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN (${schemas.map(quoteLiteral).join()}) ` +
        `AND c.relkind IN ('r', 'm', 'v') AND pg_catalog.has_table_privilege(c.oid, 'SELECT') ORDER BY c.${order}`,
    );
    return (rows as [number, string, string][]).map(([oid, schema, name]) => ({ oid, schema, name }));
  }

  /** Those of one, by name. 3F000. */
  #tablesOf(schema: string): Relation[] {
    if (systemOf(this.#call).schemaOid(quoteIdentifier(schema)) === null) throw new SvcError('3F000', `schema "${schema}" does not exist`);
    return this.#relations([schema], 'relname');
  }

  #columnsOf(relations: readonly Relation[]): MappedColumn[] {
    return relations.flatMap((relation) => columnsOf(systemOf(this.#call).queryColumns(this.#selection(relation))));
  }

  #schemas(): string[] {
    const { rows } = this.#rows(
      `SELECT nspname FROM pg_catalog.pg_namespace WHERE pg_catalog.has_schema_privilege(oid, 'USAGE') AND NOT (nspname ~ '^pg_' OR nspname = 'information_schema')`,
    );
    return rows.map(([name]) => name as string);
  }

  #selection({ oid }: Relation): string {
    return `SELECT * FROM ${systemOf(this.#call).relationName(oid)!}`;
  }

  #element(result: NamedRows, table: string | null, schema: string | null, outer: boolean): string {
    return resultElement(result, { table, schema, outer }, this.#mapping, this.#call.env);
  }

  get #schemaMapping(): SchemaMapping {
    const { env } = this.#call;
    const system = systemOf(this.#call);
    return new SchemaMapping(env, system.database, (type) => {
      const { rows } = this.#rows(
        `SELECT n.nspname FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace WHERE t.oid = ${type.oid}`,
      );
      return (rows[0]?.[0] as string | undefined) ?? 'pg_catalog';
    });
  }

  #place({ schema, name }: Relation): Place {
    return [systemOf(this.#call).database, schema, name];
  }

  schemaOf(columns: readonly MappedColumn[], relation: Relation | null): string {
    const mapping = this.#schemaMapping;
    const place = relation === null ? null : this.#place(relation);
    return mapping.document(mapping.types(columns) + mapping.rowType(columns, place, this.#mapping), this.#mapping);
  }

  table(oid: number, withSchema: boolean): string {
    const relation = this.relation(oid);
    const result = this.#rows(this.#selection(relation));
    return this.#element(result, relation.name, withSchema ? this.schemaOf(columnsOf(result), relation) : null, true);
  }

  tableSchema(oid: number): string {
    const relation = this.relation(oid);
    return this.schemaOf(this.#columnsOf([relation]), relation);
  }

  query(text: string, withSchema: boolean): string {
    const result = this.#rows(text);
    return this.#element(result, null, withSchema ? this.schemaOf(columnsOf(result), null) : null, true);
  }

  querySchema(text: string): string {
    return this.schemaOf(columnsOf(systemOf(this.#call).queryColumns(text)), null);
  }

  cursor(name: string, count: number): string {
    const rows = rowElements(systemOf(this.#call).fetchRows(name, count), null, this.#mapping, true, this.#call.env);
    return this.#mapping.forest ? rows : `${rootStart('table', this.#mapping, false, true)}\n${rows}${rootEnd('table')}`;
  }

  cursorSchema(name: string): string {
    return this.schemaOf(columnsOf(systemOf(this.#call).fetchRows(name, 0)), null);
  }

  schemaSchema(name: string): string {
    const relations = this.#tablesOf(name);
    const mapping = this.#schemaMapping;
    const tables = relations.map((relation) => relation.name);
    const place = [systemOf(this.#call).database, name] as const;
    return mapping.document(mapping.types(this.#columnsOf(relations)) + mapping.schemaType(place, tables, this.#mapping), this.#mapping);
  }

  schema(name: string, schema: string | null, outer = true): string {
    const tables = this.#tablesOf(name).map((relation) => `${this.#element(this.#rows(this.#selection(relation)), relation.name, null, false)}\n`);
    return this.#around(xmlName(name), schema, tables, outer);
  }

  databaseSchema(): string {
    const schemas = this.#schemas();
    const mapping = this.#schemaMapping;
    const types = mapping.types(this.#columnsOf(this.#relations(schemas, 'oid')));
    return mapping.document(types + mapping.databaseType(systemOf(this.#call).database, schemas), this.#mapping);
  }

  database(schema: string | null): string {
    const schemas = this.#schemas().map((name) => `${this.schema(name, null, false)}\n`);
    return this.#around(xmlName(systemOf(this.#call).database), schema, schemas, true);
  }

  #around(root: string, schema: string | null, parts: readonly string[], outer: boolean): string {
    const inside = (schema === null ? '' : `${schema}\n\n`) + parts.join('');
    return `${rootStart(root, this.#mapping, schema !== null, outer)}\n${inside}${rootEnd(root)}`;
  }
}

const ASKED = ['bool', 'bool', 'text'];
const ASKED_NAMES = ['nulls', 'tableforest', 'targetns'];
const NAMES: Readonly<Record<string, readonly string[]>> = { table: ['tbl'], query: ['query'], cursor: ['cursor', 'count'], schema: ['schema'], database: [] };

function define(name: string, args: readonly string[], doc: string, map: (mapped: Mapped, args: readonly Value[]) => string): ScalarFunction {
  return {
    kind: 'scalar',
    name,
    args: [...args, ...ASKED],
    argNames: [...NAMES[/^[a-z]+/.exec(name)![0]].slice(0, args.length), ...ASKED_NAMES],
    returns: 'xml',
    volatility: /^(query|cursor)_/.test(name) ? 'volatile' : 'stable',
    needsCall: true,
    doc: `${doc}; whether with nulls, as a forest of rows, in which namespace.`,
    impl: (call: Call, ...given: Value[]) => map(new Mapped(call, given.slice(args.length)), given),
  };
}

export const MAPPED_FUNCTIONS: ScalarFunction[] = [
  define('table_to_xml', ['regclass'], 'A table as xml', (mapped, [oid]) => mapped.table(oid as number, false)),
  define('table_to_xmlschema', ['regclass'], 'The XML Schema of that', (mapped, [oid]) => mapped.tableSchema(oid as number)),
  define('table_to_xml_and_xmlschema', ['regclass'], 'Both in one document', (mapped, [oid]) => mapped.table(oid as number, true)),
  define('query_to_xml', ['text'], 'Rows of a query as xml', (mapped, [text]) => mapped.query(text as string, false)),
  define('query_to_xmlschema', ['text'], 'The XML Schema of that', (mapped, [text]) => mapped.querySchema(text as string)),
  define('query_to_xml_and_xmlschema', ['text'], 'Both in one document', (mapped, [text]) => mapped.query(text as string, true)),
  define('cursor_to_xml', ['refcursor', 'int4'], 'The next rows of a cursor as xml', (mapped, [name, count]) => mapped.cursor(name as string, count as number)),
  define('cursor_to_xmlschema', ['refcursor'], 'The XML Schema of that', (mapped, [name]) => mapped.cursorSchema(name as string)),
  define('schema_to_xml', ['name'], 'Tables of a schema as xml', (mapped, [name]) => mapped.schema(name as string, null)),
  define('schema_to_xmlschema', ['name'], 'The XML Schema of that', (mapped, [name]) => mapped.schemaSchema(name as string)),
  define('schema_to_xml_and_xmlschema', ['name'], 'Both in one document', (mapped, [name]) =>
    mapped.schema(name as string, mapped.schemaSchema(name as string)),
  ),
  define('database_to_xml', [], 'Tables of the world as xml', (mapped) => mapped.database(null)),
  define('database_to_xmlschema', [], 'The XML Schema of that', (mapped) => mapped.databaseSchema()),
  define('database_to_xml_and_xmlschema', [], 'Both in one document', (mapped) => mapped.database(mapped.databaseSchema())),
];
