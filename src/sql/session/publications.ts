/**
 * CREATE and ALTER PUBLICATION. Catalog-only, for queries and dumps: nothing is replicated, so each new one gets the warning of a
 * server whose wal_level is `replica`. Manual, CREATE PUBLICATION.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { isTemporarySchema, type PublicationObject, type PublicationSchemaObject, type PublicationTableObject } from '../../worlds/definition.ts';
import type { AlterPublication, CreatePublication, Option, Published } from '../ast/define.ts';
import { INFORMATION_SCHEMA } from '../catalog/fixed-oids.ts';
import type { Ddl } from '../schema/ddl.ts';
import { factsOf } from '../schema/facts.ts';
import { descendants } from '../schema/hierarchy.ts';
import { isSystemColumn } from '../schema/object-errors.ts';
import { isPartitioned } from '../schema/partitions.ts';
import type { Schema } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
import { missingSchema } from './missing-objects.ts';
import { isTrue, textOf } from './definition-options.ts';
import { referencedName } from './define-table.ts';
import { define } from './define.ts';
import { mustBeSuperuser, mustCreateSchemas, mustOwnTable } from './ownership.ts';
import { publicationCondition } from './publication-condition.ts';
import type { StatementResult } from './results.ts';
import { splitNames, type SqlSession } from './sql-session.ts';
import { ownUnscoped, refuseTaken } from './unscoped-objects.ts';

const ACTIONS = ['insert', 'update', 'delete', 'truncate'] as const;

export function runCreatePublication(session: SqlSession, statement: CreatePublication): StatementResult {
  session.startStatement();
  const { name, allTables, published, options } = statement;
  mustCreateSchemas(session);
  if (allTables) mustBeSuperuser(session, 'must be superuser to create FOR ALL TABLES publication');
  return define(session, 'CREATE PUBLICATION', (ddl) => {
    refuseTaken(ddl.schema, 'publication', name);
    const { actions = ACTIONS, viaRoot = false } = parametersOf(options);
    const publication: PublicationObject = { what: 'publication', number: 0, name, allTables, ...publishing(actions), viaRoot };
    publication.number = ddl.numberFor(publication);
    const schemas = schemaNumbers(session, published);
    if (schemas.length > 0) mustBeSuperuser(session, 'must be superuser to create FOR TABLES IN SCHEMA publication');
    const tables = tablesOf(session, publication, published, schemas.length > 0);
    ddl.put(publication);
    for (const table of tables) putTable(ddl, publication, table);
    for (const schema of schemas) putSchema(ddl, publication, schema);
    session.sendNotice({
      severity: 'WARNING',
      code: '55000',
      message: 'wal_level is insufficient to publish logical changes',
      hint: 'Set wal_level to "logical" before creating subscriptions.',
    });
  });
}

export function runAlterPublication(session: SqlSession, statement: AlterPublication): StatementResult {
  session.startStatement();
  const { action, published, options } = statement;
  return define(session, 'ALTER PUBLICATION', (ddl) => {
    const publication = ownUnscoped(session, 'publication', statement.name);
    if (action === 'options') return setParameters(ddl, publication, options);
    const schemas = schemaNumbers(session, published);
    refuseForAllTables(session, publication, action, published, schemas);
    const old = membersOf(ddl.schema, publication.number);
    const withSchemas = schemas.length > 0 || (action === 'add' && old.schemas.length > 0);
    if (action === 'drop') {
      dropTables(session, ddl, published, old.tables);
      for (const number of schemas) {
        const member = old.schemas.find(({ namespace }) => namespace === number);
        if (member === undefined) throw new SvcError('42704', `tables from schema "${schemaName(ddl.schema, number)}" are not part of the publication`);
        ddl.remove(member);
      }
      return;
    }
    const tables = tablesOf(session, publication, published, withSchemas);
    if (action === 'set') {
      for (const member of old.tables) if (!tables.some(({ table }) => table.number === member.table)) ddl.remove(member);
      for (const member of old.schemas) if (!schemas.includes(member.namespace)) ddl.remove(member);
    }
    for (const each of tables) {
      if (action === 'add' && old.tables.some(({ table }) => table === each.table.number))
        throw new SvcError('42710', `relation "${each.table.name}" is already member of publication "${publication.name}"`);
      putTable(ddl, publication, each);
    }
    if (action === 'add' && schemas.length > 0 && old.tables.some(({ columns }) => columns !== null)) {
      throw new SvcError('22023', `cannot add schema to publication "${publication.name}"`, {
        detail: 'Schemas cannot be added if any tables that specify a column list are already part of the publication.',
      });
    }
    for (const number of schemas) {
      if (action === 'add' && old.schemas.some(({ namespace }) => namespace === number))
        throw new SvcError('42710', `schema "${schemaName(ddl.schema, number)}" is already member of publication "${publication.name}"`);
      putSchema(ddl, publication, number);
    }
  });
}

/** Whether the role may own the publication: 42501. */
export function mayOwnPublication(session: SqlSession, number: number, role: number): void {
  const schema = session.schema();
  mustCreateSchemas(session, role);
  if (session.authority.roles.isSuperuser(role)) return;
  const { name, allTables } = schema.publications.get(number)!;
  const kind = allTables ? 'FOR ALL TABLES' : membersOf(schema, number).schemas.length > 0 ? 'FOR TABLES IN SCHEMA' : null;
  if (kind === null) return;
  throw new SvcError('42501', `permission denied to change owner of publication "${name}"`, {
    hint: `The owner of a ${kind} publication must be a superuser.`,
  });
}

/** Whether a publication names the table. */
export function isPublished(schema: Schema, { number }: SqlTable): boolean {
  for (const { table } of schema.plain.of('publication table').values()) if (table === number) return true;
  return false;
}

interface Members {
  readonly tables: readonly PublicationTableObject[];
  readonly schemas: readonly PublicationSchemaObject[];
}

function membersOf(schema: Schema, number: number): Members {
  const own = (each: { readonly publication: number }): boolean => each.publication === number;
  return { tables: [...schema.plain.of('publication table').values()].filter(own), schemas: [...schema.plain.of('publication schema').values()].filter(own) };
}

// --- WITH

interface Parameters {
  readonly actions?: readonly string[];
  readonly viaRoot?: boolean;
}

function publishing(actions: readonly string[]): Pick<PublicationObject, (typeof ACTIONS)[number]> {
  const [insert, update, delete_, truncate] = ACTIONS.map((each) => actions.includes(each));
  return { insert, update, delete: delete_, truncate };
}

function parametersOf(options: readonly Option[]): Parameters {
  let out: Parameters = {};
  for (const option of options) {
    const { name, at } = option;
    if (name !== 'publish' && name !== 'publish_via_partition_root') throw new SvcError('42601', `unrecognized publication parameter: "${name}"`);
    if ((name === 'publish' ? out.actions : out.viaRoot) !== undefined) throw new SvcError('42601', 'conflicting or redundant options', { position: at + 1 });
    out = name === 'publish' ? { ...out, actions: actionsOf(textOf(option)) } : { ...out, viaRoot: isTrue(option) };
  }
  return out;
}

function actionsOf(text: string): string[] {
  const name = String.raw`\s*(?:"(?:[^"]|"")+"|[^\s",]+)\s*`;
  if (text.trim() !== '' && !new RegExp(`^${name}(?:,${name})*$`).test(text)) throw new SvcError('42601', 'invalid list syntax in parameter "publish"');
  const actions = splitNames(text);
  const wrong = actions.find((each) => !(ACTIONS as readonly string[]).includes(each));
  if (wrong !== undefined) throw new SvcError('42601', `unrecognized value for publication option "publish": "${wrong}"`);
  return actions;
}

function setParameters(ddl: Ddl, publication: PublicationObject, options: readonly Option[]): void {
  const { actions, viaRoot } = parametersOf(options);
  if (viaRoot === false && !publication.allTables) {
    for (const { table, where, columns } of membersOf(ddl.schema, publication.number).tables) {
      const own = ddl.schema.tables.get(table)!;
      if (!isPartitioned(own) || (where === null && columns === null)) continue;
      throw new SvcError('22023', `cannot set parameter "publish_via_partition_root" to false for publication "${publication.name}"`, {
        detail: `The publication contains a ${where === null ? 'column list' : 'WHERE clause'} for partitioned table "${own.name}", which is not allowed when "publish_via_partition_root" is false.`,
      });
    }
  }
  ddl.put({ ...publication, ...(actions === undefined ? {} : publishing(actions)), ...(viaRoot === undefined ? {} : { viaRoot }) });
}

// --- published objects

function schemaName(schema: Schema, number: number): string {
  return schema.schemaName(number) ?? 'information_schema';
}

/** Without duplicates. */
function schemaNumbers(session: SqlSession, { schemas }: Published): number[] {
  const out = new Set<number>();
  for (const written of schemas) {
    const name = written ?? session.system.schemas(false)[0];
    if (name === undefined) throw new SvcError('3F000', 'no schema has been selected for CURRENT_SCHEMA');
    if (name === 'pg_catalog' || name === 'pg_toast') refuseSchema(name, 'This operation is not supported for system schemas.');
    if (isTemporarySchema(name) && name === session.temporary.schema) refuseSchema(name, 'Temporary schemas cannot be replicated.');
    const number = name === 'information_schema' ? INFORMATION_SCHEMA : session.schema().schemas.get(name);
    if (number === undefined) throw new SvcError('3F000', `schema "${name}" does not exist`);
    out.add(number);
  }
  return [...out];
}

function refuseSchema(name: string, detail: string): never {
  throw new SvcError('22023', `cannot add schema "${name}" to publication`, { detail });
}

function refuseForAllTables(session: SqlSession, publication: PublicationObject, action: string, { tables }: Published, schemas: readonly number[]): void {
  if (action !== 'drop' && schemas.length > 0) mustBeSuperuser(session, 'must be superuser to add or set schemas');
  if (!publication.allTables || (tables.length === 0 && schemas.length === 0)) return;
  const what = schemas.length > 0 ? 'Schemas' : 'Tables';
  throw new SvcError('55000', `publication "${publication.name}" is defined as FOR ALL TABLES`, {
    detail: `${what} cannot be added to or dropped from FOR ALL TABLES publications.`,
  });
}

interface PublishedTable {
  readonly table: SqlTable;
  readonly columns: readonly string[] | null;
  readonly where: string | null;
}

type Written = Published['tables'][number];

/** The named tables and their children, without duplicates. */
function* relationsOf(session: SqlSession, { tables }: Published): Iterable<{ readonly table: SqlTable; readonly written: Written }> {
  const seen = new Map<number, Written>();
  const again = (table: SqlTable, written: Written): boolean => {
    const before = seen.get(table.number);
    if (before === undefined) return false;
    const refuse = (what: string): never => {
      throw new SvcError('42710', `conflicting or redundant ${what} for table "${table.name}"`);
    };
    if (written.where !== null || before.where !== null) refuse('WHERE clauses');
    if (written.columns !== null || before.columns !== null) refuse('column lists');
    return true;
  };
  for (const written of tables) {
    const table = tableNamed(session, written);
    const all = [table, ...(written.only || isPartitioned(table) ? [] : descendants(session.schema(), table))];
    for (const each of all) {
      if (again(each, written)) continue;
      seen.set(each.number, written);
      yield { table: each, written };
    }
  }
}

/** 22023 for other relations, and for temporary or unlogged tables. */
function tableNamed(session: SqlSession, { name }: Written): SqlTable {
  const refuse = (kind: string): never => {
    throw new SvcError('22023', `cannot add relation "${name.name}" to publication`, { detail: `This operation is not supported for ${kind}.` });
  };
  const system = session.names().relation(name.schema, name.name, true);
  if (system?.kind === 'virtual') return refuse(system.relation.schema === 'information_schema' ? 'views' : 'system tables');
  const target = referencedName(session, name);
  const found = session.schema().relation(target.schema, target.name);
  if (found === null) {
    const type = session.schema().ownType(target.schema, target.name);
    if (type?.object.what === 'composite') throw new SvcError('42809', `"${name.name}" is a composite type`);
    const absent = name.schema === null ? null : missingSchema(session, [name.schema, name.name]);
    if (absent !== null) throw new SvcError('3F000', absent);
    throw new SvcError('42P01', `relation "${name.schema === null ? '' : `${name.schema}.`}${name.name}" does not exist`);
  }
  if (found.kind === 'index') throw new SvcError('42809', `"${name.name}" is an index`);
  if (found.kind !== 'table') return refuse(`${found.kind}s`);
  const { table } = found;
  mustOwnTable(session, table);
  if (table.materialized !== null) return refuse('materialized views');
  if (table.foreign !== undefined) return refuse('foreign tables');
  if (isTemporarySchema(table.schema)) return refuse('temporary tables');
  if (factsOf(session.schema(), table.number)?.unlogged === true) return refuse('unlogged tables');
  return table;
}

function tablesOf(session: SqlSession, { name, viaRoot }: PublicationObject, published: Published, withSchemas: boolean): PublishedTable[] {
  const found = [...relationsOf(session, published)];
  const texts = found.map(({ table, written }) => {
    if (written.where === null) return null;
    if (!viaRoot && isPartitioned(table)) {
      throw new SvcError('22023', `cannot use publication WHERE clause for relation "${table.name}"`, {
        detail: 'WHERE clause cannot be used for a partitioned table when publish_via_partition_root is false.',
      });
    }
    return publicationCondition(session, table, written.where);
  });
  for (const { table, written } of found) {
    if (written.columns === null || (!withSchemas && (viaRoot || !isPartitioned(table)))) continue;
    throw new SvcError('22023', `cannot use column list for relation "${table.schema}.${table.name}" in publication "${name}"`, {
      detail: withSchemas
        ? 'Column lists cannot be specified in publications containing FOR TABLES IN SCHEMA elements.'
        : 'Column lists cannot be specified for partitioned tables when publish_via_partition_root is false.',
    });
  }
  return found.map(({ table, written }, i) => ({ table, columns: written.columns, where: texts[i] }));
}

function dropTables(session: SqlSession, ddl: Ddl, published: Published, old: readonly PublicationTableObject[]): void {
  for (const { table, written } of relationsOf(session, published)) {
    if (written.columns !== null) throw new SvcError('42601', 'column list must not be specified in ALTER PUBLICATION ... DROP');
    const member = old.find((each) => each.table === table.number);
    if (member === undefined) throw new SvcError('42704', `relation "${table.name}" is not part of the publication`);
    if (written.where !== null) throw new SvcError('42601', 'cannot use a WHERE clause when removing a table from a publication');
    ddl.remove(member);
  }
}

function putTable(ddl: Ddl, { number: publication }: PublicationObject, { table, columns, where }: PublishedTable): void {
  const numbers = columns === null ? null : columnNumbers(table, columns);
  const object: PublicationTableObject = { what: 'publication table', number: 0, publication, table: table.number, columns: numbers, where };
  object.number = numberOf(ddl, object) ?? ddl.numberFor(object);
  ddl.put(object);
}

function putSchema(ddl: Ddl, { number: publication }: PublicationObject, namespace: number): void {
  const object: PublicationSchemaObject = { what: 'publication schema', number: 0, publication, namespace };
  object.number = numberOf(ddl, object) ?? ddl.numberFor(object);
  ddl.put(object);
}

/** The number of the existing row. */
function numberOf(ddl: Ddl, object: PublicationTableObject | PublicationSchemaObject): number | null {
  for (const each of ddl.schema.plain.of(object.what).values()) {
    if (each.publication !== object.publication) continue;
    if (
      each.what === 'publication table'
        ? object.what === each.what && each.table === object.table
        : object.what === each.what && each.namespace === object.namespace
    )
      return each.number;
  }
  return null;
}

function columnNumbers(table: SqlTable, names: readonly string[]): number[] {
  const seen = new Set<string>();
  const columns = names.map((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined && isSystemColumn(name)) throw new SvcError('42P10', `cannot use system column "${name}" in publication column list`);
    if (column === undefined) throw new SvcError('42703', `column "${name}" of relation "${table.name}" does not exist`);
    if (column.generated !== null) throw new SvcError('42P10', `cannot use generated column "${name}" in publication column list`);
    if (seen.has(name)) throw new SvcError('42710', `duplicate column "${name}" in publication column list`);
    seen.add(name);
    return column;
  });
  return columns.sort((a, b) => a.attnum - b.attnum).map(({ number }) => number);
}
