/** Definitions of a schema as Postgres prints them: defaults, conditions, indexes, constraints, views. */
import { optionParts } from '../../base/option-text.ts';
import { type Facts, factsOf } from '../schema/facts.ts';
import { STORED } from '../types/environment.ts';
import type { Expression } from '../ast/expression.ts';
import type { Query } from '../ast/query.ts';
import type { Delete, Insert, RuleRows, Update } from '../ast/write.ts';
import type { RuleObject } from '../../worlds/definition.ts';
import { quoteLiteral } from '../functions/text/quoting.ts';
import { Binder } from '../bind/binder.ts';
import { bindExpression } from '../bind/expression.ts';
import { bindQuery } from '../bind/query.ts';
import { columnsOf, Scope } from '../bind/scope.ts';
import type { Registry } from '../functions/registry.ts';
import { parse } from '../parse/parse.ts';
import { deparseExpression, deparseQuery } from '../parse/deparse.ts';
import { looksLikeCall } from '../schema/looks-like-call.ts';
import { quoteIdentifier, quoteList, quoteNames } from '../../base/quote-identifier.ts';
import type { Bound } from '../plan/bound.ts';
import { type ColumnOrigin, columnOrigins } from '../plan/column-origins.ts';
import type { OutputColumn } from '../plan/logical.ts';
import { childrenOf } from '../plan/rules/walk.ts';
import type { View } from '../schema/schema.ts';
import type { CheckConstraint, ForeignKey, SqlTable } from '../schema/table.ts';
import type { Environment, System } from '../types/environment.ts';
import { rootOf } from '../types/domain-type.ts';
import type { SqlType } from '../types/type.ts';
import { writableColumns } from '../bind/write-target.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { analysed } from './analysed-expression.ts';
import { QueryAnalysis } from './analysed-query.ts';
import { type PathView, shownNames } from './shown-names.ts';
import { parseStoredExpression, parseStoredExpressions, parseStoredQuery, StoredNames } from './stored-names.ts';
import { wordsOf } from './written-words.ts';
import type { IndexEntry, WorldObjects } from './world-objects.ts';

/** How a definition names a relation: qualified unless the reader's search path finds it. */
export type RelationNaming = (oid: number) => string;

/** Views are rules, whose definitions have these relations in scope. */
const RULE_ROWS = ['old', 'new'];

export class DefinitionTexts {
  readonly #objects: WorldObjects;
  readonly #registry: Registry;
  readonly #env: Environment;
  readonly #names: StoredNames;
  readonly #texts = new Map<string, string>();

  readonly #path: PathView;
  /** Binds stored texts, whose names are those that their writer saw. */
  readonly #reading: Environment;

  /** `system` prints names in constants of the reg… types, along its search path; `reading` parses such names. */
  constructor(objects: WorldObjects, registry: Registry, system: System & PathView, reading: System) {
    this.#path = system;
    this.#reading = { ...STORED, system: reading };
    this.#objects = objects;
    this.#registry = registry;
    this.#env = { ...STORED, system };
    this.#names = new StoredNames(objects.schema, registry);
  }

  /** An expression over a row of the table, or several with commas between. */
  expression(table: SqlTable, text: string, pretty = false): string {
    return this.#text(table, text, null, -1, pretty);
  }

  /** The default of a column, or its generation expression; null for neither. */
  default(table: SqlTable, column: number): string | null {
    const { default: text, generated, type } = table.columns[column];
    const stored = text ?? generated;
    // A length is coerced to without a visible cast, so only the type determines constants.
    return stored === null ? null : this.#text(table, stored, type, -1, false);
  }

  #text(table: SqlTable, text: string, type: SqlType | null, typmod: number, pretty: boolean): string {
    const key = `${table.number} ${type?.oid ?? 0} ${pretty ? 'p' : ''} ${text}`;
    let out = this.#texts.get(key);
    if (out === undefined) this.#texts.set(key, (out = this.#print(table, text, type, typmod, pretty)));
    return out;
  }

  #print(table: SqlTable, text: string, type: SqlType | null, typmod: number, pretty: boolean): string {
    try {
      return parseStoredExpressions(text)
        .map((expression) => deparseExpression(this.#shown(this.#analysed(table, expression, type, typmod, pretty)), pretty))
        .join(', ');
    } catch (error) {
      // A definition must be shown in any case.
      if (error instanceof SvcError) return text;
      throw error;
    }
  }

  /** A condition that is stored as the single item of a query over its table. */
  condition(sql: string, pretty = false): string {
    try {
      const query = parseStoredQuery(sql);
      const shown = this.#analysedQuery(query, ['condition'], pretty, false, []) ?? query;
      if (shown.type !== 'select') return sql;
      return deparseExpression(this.#shown(shown.items[0].value), pretty);
    } catch (error) {
      if (error instanceof SvcError) return sql;
      throw error;
    }
  }

  /** The single value of a query without relations: the body of a function. */
  value(sql: string): string {
    const query = parseStoredQuery(sql);
    return query.type === 'select' && query.items.length === 1 ? deparseExpression(this.#shown(query.items[0].value), false) : sql.slice('SELECT '.length);
  }

  /** The statements of a function's body, as written except for the names of queries. */
  statements(sql: string): string[] {
    return parse(sql).map((statement) => deparseQuery(this.#shown(statement) as Parameters<typeof deparseQuery>[0], false));
  }

  #shown<T>(tree: T): T {
    return shownNames(tree, this.#names, this.#path);
  }

  /** As written if it does not bind. */
  #analysed(table: SqlTable, expression: Expression, type: SqlType | null, typmod: number, pretty: boolean): Expression {
    try {
      return this.#analyse(table, expression, type, typmod, pretty);
    } catch (error) {
      if (error instanceof SvcError) return expression;
      throw error;
    }
  }

  #analyse(table: SqlTable, expression: Expression, type: SqlType | null, typmod: number, pretty: boolean): Expression {
    const { binder, bound, columns } = this.#bound(table, expression);
    // Domain constraints on a value are not shown.
    const value = type === null ? binder.coercion.resolveUnknown(bound, 0) : binder.coercion.coerce(bound, rootOf(type), typmod, 'assignment', 0);
    return analysed(
      value,
      {
        env: this.#env,
        pretty,
        columns: new Map(columns.map(({ id, name }) => [id, [name]])),
        words: wordsOf(expression),
        typeByOid: (oid) => this.#registry.typeByOid(oid) ?? this.#names.typeByOid(oid),
        schemaOfType: (oid) => this.#names.schemaOfType(oid),
        schemaOfRoutine: (routine) => this.#names.schemaOfRoutine(routine),
      },
      false,
    );
  }

  #bound(table: SqlTable, expression: Expression): { binder: Binder; bound: Bound; columns: readonly OutputColumn[] } {
    const binder = this.#binder();
    const scope = new Scope(null);
    const columns: OutputColumn[] = table.columns.map((column) => binder.column(column.name, column.type, column.typmod));
    const visible = columnsOf(columns);
    scope.namespace = { relations: [{ alias: table.name, schema: table.schema, columns: visible, table, system: [] }], columns: visible };
    scope.clause = 'check';
    return { binder, bound: bindExpression(binder, expression, scope), columns };
  }

  /** Relations in constants of a stored expression (`nextval('s'::regclass)`), each once. */
  relationsOf(table: SqlTable, text: string): readonly number[] {
    const found = new Set<number>();
    const visit = (value: Bound): void => {
      if (value.kind === 'constant' && value.type.name === 'regclass' && value.value !== null) found.add(value.value as number);
      for (const child of childrenOf(value)) visit(child);
    };
    try {
      visit(this.#bound(table, parseStoredExpression(text)).bound);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
    }
    return [...found];
  }

  /** `column` 0: the whole statement; otherwise the name or expression of that column. null past the last. */
  index(entry: IndexEntry, column: number, pretty: boolean, naming: RelationNaming): string | null {
    const { table, index, columns } = entry;
    const facts = factsOf(this.#objects.schema, entry.oid);
    const parts = columns.map(({ column: at, expression, descending, nullsFirst, operatorClass, ownClass, type }, i) => {
      let text: string;
      if (at !== null) text = quoteIdentifier(table.columns[at].name);
      else {
        text = this.expression(table, expression!, pretty);
        if (!looksLikeCall(text)) text = `(${text})`;
      }
      if (column > 0) return text;
      const collation = facts?.collations?.[i] ?? null;
      if (collation !== null) text += ` COLLATE ${quoteIdentifier(collation)}`;
      const named = ownClass === null ? operatorClass : this.#ownClass(ownClass, type);
      if (named !== null) text += ` ${ownClass === null ? this.#classNamed(named) : named}`;
      if (descending) return nullsFirst ? `${text} DESC` : `${text} DESC NULLS LAST`;
      return nullsFirst ? `${text} NULLS FIRST` : text;
    });
    const included = entry.included.map((each) => quoteIdentifier(table.columns[each].name));
    if (column > 0) return [...parts, ...included][column - 1] ?? null;
    const on = pretty ? naming(table.number) : quoteNames([table.schema, table.name]);
    let out = `CREATE ${entry.unique ? 'UNIQUE ' : ''}INDEX ${quoteIdentifier(entry.name)} ON ${table.inheritance?.partitionBy == null ? '' : 'ONLY '}${on} USING ${quoteIdentifier(entry.exclusion?.method ?? index?.method ?? 'btree')} (${parts.join(', ')})`;
    if (included.length > 0) out += ` INCLUDE (${included.join(', ')})`;
    if (index?.nullsNotDistinct === true) out += ' NULLS NOT DISTINCT';
    out += withOptions(facts);
    if (index !== null && index.where !== null) out += ` WHERE ${this.expression(table, index.where, pretty)}`;
    return out;
  }

  /** null if the class is the default of its type. */
  #ownClass(number: number, type: SqlType): string | null {
    const own = this.#objects.schema.plain.of('operator class').get(number);
    if (own === undefined || (own.standard && own.type === type.oid)) return null;
    return this.#path.seesSchema(own.schema) ? quoteIdentifier(own.name) : quoteNames([own.schema, own.name]);
  }

  #classNamed(name: string): string {
    const schema = this.#objects.schema.extensions.get(CLASS_EXTENSIONS[name] ?? '')?.schema ?? null;
    return schema === null || this.#path.seesSchema(schema) ? quoteIdentifier(name) : quoteNames([schema, name]);
  }

  check(table: SqlTable, { condition, valid, noInherit }: CheckConstraint, pretty: boolean): string {
    return `CHECK (${this.expression(table, condition, pretty)})${noInherit ? ' NO INHERIT' : ''}${valid ? '' : ' NOT VALID'}`;
  }

  /** EXCLUDE USING gist (room WITH =, during WITH &&) WHERE (…). */
  #exclusion({ table, index, columns, included, deferrable, initiallyDeferred, exclusion }: IndexEntry, options: string, pretty: boolean): string {
    const parts = columns.map(({ column, expression }, i) => {
      let text = column === null ? this.expression(table, expression!, pretty) : quoteIdentifier(table.columns[column].name);
      if (column === null && !looksLikeCall(text)) text = `(${text})`;
      return `${text} WITH ${exclusion!.operators[i]}`;
    });
    let out = `EXCLUDE USING ${quoteIdentifier(exclusion!.method)} (${parts.join(', ')})`;
    if (included.length > 0) out += ` INCLUDE (${quoteList(included.map((each) => table.columns[each].name))})`;
    out += options;
    if (index!.where !== null) out += ` WHERE (${this.expression(table, index!.where, pretty)})`;
    return out + deferral(deferrable, initiallyDeferred);
  }

  /** `whole`: for a command, including the storage parameters that pg_get_constraintdef omits. */
  unique(entry: IndexEntry, pretty: boolean, whole = false): string {
    const options = whole ? withOptions(factsOf(this.#objects.schema, entry.oid)) : '';
    if (entry.exclusion !== null) return this.#exclusion(entry, options, pretty);
    const { table, index, primary, columns, included, deferrable, initiallyDeferred } = entry;
    const names = (list: readonly number[]): string => quoteList(list.map((each) => table.columns[each].name));
    let out = primary ? 'PRIMARY KEY ' : `UNIQUE ${index!.nullsNotDistinct ? 'NULLS NOT DISTINCT ' : ''}`;
    out += `(${names(columns.flatMap(({ column }) => (column === null ? [] : [column])))})`;
    if (included.length > 0) out += ` INCLUDE (${names(included)})`;
    return out + options + deferral(deferrable, initiallyDeferred);
  }

  foreignKey(table: SqlTable, key: ForeignKey, naming: RelationNaming): string {
    const target = this.#objects.schema.tables.get(key.target);
    const names = (from: SqlTable | undefined, list: readonly number[]): string => quoteList(list.map((each) => from?.columns[each]?.name ?? '?'));
    let out = `FOREIGN KEY (${names(table, key.columns)}) REFERENCES ${naming(key.target)}(${names(target, key.targetColumns)})`;
    if (key.matchFull) out += ' MATCH FULL';
    if (key.onUpdate !== 'no action') out += ` ON UPDATE ${key.onUpdate.toUpperCase()}`;
    if (key.onDelete !== 'no action') out += ` ON DELETE ${key.onDelete.toUpperCase()}`;
    if (key.deleteColumns.length > 0) out += ` (${names(table, key.deleteColumns)})`;
    return out + deferral(key.deferrable, key.initiallyDeferred) + (key.valid ? '' : ' NOT VALID');
  }

  /** A rule as its CREATE RULE statement; `on` names its relation. */
  rule({ table, name, event, instead, where, actions }: RuleObject, on: string, pretty: boolean): string {
    const rows = (open: boolean): RuleRows => ({ type: 'ruleRows', of: null, relation: table, event, named: true, open, at: 0 });
    const tried = <T>(written: T, analyse: (analysis: QueryAnalysis) => T): T => {
      try {
        return this.#shown(analyse(new QueryAnalysis(this.#binder(), this.#env, pretty, this.#names, RULE_ROWS)));
      } catch (error) {
        if (error instanceof SvcError) return this.#shown(written);
        throw error;
      }
    };
    let out = `CREATE RULE ${quoteIdentifier(name)} AS\n    ON ${event.toUpperCase()} TO ${on}`;
    if (where !== null) {
      const condition = parseStoredExpression(where);
      out += `\n   WHERE ${deparseExpression(
        tried(condition, (analysis) => analysis.ruleCondition(rows(true), condition)),
        pretty,
      )}`;
    }
    out += ` DO ${instead ? 'INSTEAD ' : ''}`;
    const texts = actions.map((text) => {
      const [action] = parse(text);
      if (action.type === 'notify') return `\n NOTIFY ${quoteIdentifier(action.channel)}${action.payload === null ? '' : `, ${quoteLiteral(action.payload)}`}`;
      const statement = action as Query | Insert | Update | Delete;
      return deparseQuery(
        tried(statement, (analysis) => analysis.ruleAction(rows(false), statement)),
        pretty,
      );
    });
    if (texts.length === 0) return `${out}NOTHING;`;
    return texts.length === 1 ? `${out}${texts[0]};` : `${out}(${texts.map((text) => `${text};\n`).join('')});`;
  }

  /** null if only the written text can be shown. */
  #analysedQuery(query: Query, names: readonly string[], pretty: boolean, qualified = false, taken = RULE_ROWS): Query | null {
    try {
      return new QueryAnalysis(this.#binder(), this.#env, pretty, this.#names, taken).query(query, null, names, qualified);
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
  }

  #binder(): Binder {
    return new Binder(this.#names, this.#registry, this.#reading, { types: [], fixed: true });
  }

  /** The default of an argument. */
  argument(text: string, oid: number): string {
    const type = this.#objects.schema.typeByOid(oid);
    return type === null ? text : this.#text(NO_TABLE, text, type, -1, false);
  }

  /** The updatable columns of a view; null if its rows are not updatable. */
  writable({ schema, name }: View): readonly boolean[] | null {
    const found = this.#names.relation(schema, name);
    if (found?.kind !== 'view') return null;
    try {
      return writableColumns(this.#binder(), found);
    } catch (error) {
      if (error instanceof SvcError) return null;
      throw error;
    }
  }

  /** For each column of a view the column of a relation that it is; undefined if it is computed. */
  origins({ sql }: Pick<View, 'sql'>): readonly (ColumnOrigin | undefined)[] {
    return columnOrigins(bindQuery(this.#binder(), parseStoredQuery(sql), null, {}).plan);
  }

  /** Including the final `;`. */
  view(view: Pick<View, 'sql' | 'columns'>, pretty: boolean): string {
    // Queries of views qualify each column: Postgres 15 counts OLD and NEW among their relations.
    try {
      const written = parseStoredQuery(view.sql);
      const names = view.columns.map((column) => column.name);
      return `${deparseQuery(this.#shown(this.#analysedQuery(written, names, pretty, true) ?? written), pretty)};`;
    } catch (error) {
      if (error instanceof SvcError) return `${view.sql};`;
      throw error;
    }
  }
}

/** Operator classes of extensions. */
const CLASS_EXTENSIONS: Readonly<Record<string, string>> = {
  gin_hstore_ops: 'hstore',
  gist_hstore_ops: 'hstore',
  gin_trgm_ops: 'pg_trgm',
  gist_trgm_ops: 'pg_trgm',
  gist_ltree_ops: 'ltree',
  gist__ltree_ops: 'ltree',
  gin__int_ops: 'intarray',
  gist__int_ops: 'intarray',
  gist__intbig_ops: 'intarray',
};

const NO_TABLE: SqlTable = {
  number: 0,
  schema: 'pg_catalog',
  name: '',
  document: false,
  columns: [],
  key: { numeric: true, columns: [] },
  primaryKey: null,
  indexes: [],
  checks: [],
  foreignKeys: [],
  materialized: null,
  inheritance: null,
};

/** A materialized view's query and columns as a view's. */
export function queryOf({ materialized, columns }: SqlTable): Pick<View, 'sql' | 'columns'> {
  return { sql: materialized!.sql, columns: columns.map(({ name, type, typmod }) => ({ name, type, typmod })) };
}

function deferral(deferrable: boolean, initiallyDeferred: boolean): string {
  return `${deferrable ? ' DEFERRABLE' : ''}${initiallyDeferred ? ' INITIALLY DEFERRED' : ''}`;
}

/** ` WITH (name='value')`, as Postgres prints storage parameters; empty if there are none. */
function withOptions(facts: Facts | null): string {
  if (facts?.options === undefined) return '';
  const shown = facts.options.map((each) => {
    const [name, value] = optionParts(each);
    return `${quoteIdentifier(name)}=${quoteIdentifier(value) === value ? value : `'${value.replaceAll("'", "''")}'`}`;
  });
  return ` WITH (${shown.join(', ')})`;
}
