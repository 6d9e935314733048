/**
 * Rewrites the texts in definitions after a rename of something they refer to. Postgres stores a query by oids and prints current
 * names; here the text is stored, so renaming a relation, a column or a schema rewrites the texts:
 *
 *   relation   `FROM t` becomes `FROM new t`: the query keeps t as an alias
 *   column     references get the new name, and an item of SELECT without a name keeps the old one as its own
 *   USING      joins by name: the item gets a column list with the names that the query uses
 */
import type { FromItem, Query, SelectItem, TableItem } from '../ast/query.ts';
import type { ColumnReference } from '../ast/expression.ts';
import { bindQuery } from '../bind/query.ts';
import type { Binder } from '../bind/binder.ts';
import type { RuleAction } from '../bind/rules.ts';
import { bindWrite } from '../bind/write.ts';
import { parse } from '../parse/parse.ts';
import { quoteNames } from '../../base/quote-identifier.ts';
import { mappedTexts, mapTexts, type TextPlace } from '../schema/stored-texts.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CatalogObject, FunctionObject } from '../../worlds/definition.ts';
import { deparseExpression, deparseQuery } from '../parse/deparse.ts';
import type { Ddl } from '../schema/ddl.ts';
import type { Schema, UserFunction } from '../schema/schema.ts';
import { binderOf } from './define-table.ts';
import { parseExpressionText, parseQuery } from './names.ts';
import { isQuery, isWrite, type QueryStatement } from './prepare.ts';
import { boundExpression } from './named-in-text.ts';
import { bindAction, bindCondition } from './rules/rule-text.ts';
import type { SqlSession } from './sql-session.ts';
import { newRecording, rewritten } from './view-spec.ts';

const NONE: ReadonlyMap<number, RelationChange> = new Map();

export interface ColumnChange {
  readonly from: string;
  readonly to: string;
}

export interface RelationChange {
  /** Of a table or view. */
  readonly number: number;
  readonly to?: { readonly schema: string; readonly name: string };
  readonly column?: ColumnChange;
  readonly columns?: readonly ColumnChange[];
  /** A dropped column, which the query does not read. */
  readonly gone?: string;
}

/** User-defined objects with new names, by number; types by oid. */
export interface NameChanges {
  readonly relations?: ReadonlyMap<number, RelationChange>;
  readonly functions?: ReadonlyMap<number, QualifiedName>;
  readonly types?: ReadonlyMap<number, QualifiedName>;
  /** The schema of operators that are written with it. */
  readonly schema?: { readonly from: string; readonly to: string };
}
interface QualifiedName {
  readonly schema: string;
  readonly name: string;
}

/** New texts for everything that reads one of the relations; to be called while the old names still resolve. */
export function rewriteViews(session: SqlSession, ddl: Ddl, changes: readonly RelationChange[]): void {
  if (changes.length > 0) rewriteTexts(session, ddl, { relations: new Map(changes.map((each) => [each.number, each])) }, []);
}

/** Definitions that texts are bound in. */
export interface TextState {
  readonly schema: Schema;
  binder(): Binder;
}

/** New texts for everything that refers to what changes; `words`: each such text contains one of them. */
export function rewriteTexts(session: SqlSession, ddl: Ddl, changes: NameChanges, words: readonly string[]): void {
  const state: TextState = {
    get schema() {
      return session.schema();
    },
    binder: () => binderOf(session),
  };
  mapTexts(ddl, (sql, place, object) => (concerns(object, sql, place, changes, words) ? changedText(state, ddl.schema, sql, place, changes) : sql));
}

/** The definition with the new names of what it refers to. Throws if a text does not bind. */
export function followedObject(state: TextState, object: CatalogObject, changes: NameChanges, words: readonly string[]): CatalogObject {
  let changed = false;
  const out = mappedTexts(state.schema, object, (sql, place, holder) => {
    const now = concerns(holder, sql, place, changes, words) ? changedText(state, state.schema, sql, place, changes) : sql;
    if (now !== sql) changed = true;
    return now;
  });
  return changed ? out! : object;
}

function concerns(object: CatalogObject, sql: string, place: TextPlace, { relations }: NameChanges, words: readonly string[]): boolean {
  const uses = object.what === 'relation' ? object.query?.uses : 'uses' in object ? object.uses : undefined;
  const reads = relations !== undefined && !('expression' in place || 'when' in place) && uses?.some((use) => relations.has(use.object)) === true;
  return reads || words.some((word) => sql.includes(word.replaceAll('"', '""')));
}

function changedText(state: TextState, schema: Schema, sql: string, place: TextPlace, changes: NameChanges): string {
  const changed = <T>(tree: T, bind: (binder: Binder) => void): T => changedTree(state, tree, bind, changes);
  if ('query' in place) {
    const query = parseQuery(sql);
    return deparseQuery(changed(query, (binder) => void bindQuery(binder, query, null, {}))).trim();
  }
  if ('ofRule' in place) {
    if (!place.action) {
      const condition = parseExpressionText(sql);
      return deparseExpression(changed(condition, (binder) => bindCondition(binder, place.ofRule, condition)));
    }
    const [action] = parse(sql) as unknown as [RuleAction];
    return action.type === 'notify' ? sql : deparseQuery(changed(action, (binder) => void bindAction(binder, place.ofRule, action))).trim();
  }
  try {
    if ('when' in place) {
      const from = quoteNames([place.when.schema, place.when.name]);
      const query = parseQuery(`SELECT ${sql} FROM ${from} old, ${from} new`);
      const now = changed(query, (binder) => void bindQuery(binder, query, null, {}));
      return now.type === 'select' ? deparseExpression(now.items[0].value) : sql;
    }
    if ('routine' in place) return changedBody(state, schema, sql, place.routine, changes);
    const expression = parseExpressionText(sql);
    return deparseExpression(changed(expression, (binder) => void boundExpression(binder, { ...place, expression: sql })));
  } catch (error) {
    // A text that no longer binds is left unchanged.
    if (error instanceof SvcError) return sql;
    throw error;
  }
}

/** Binds a statement of a function's body over its arguments. */
function bindInBody(binder: Binder, { object, inputs }: UserFunction, statement: QueryStatement): void {
  const numbers = new Map<string, number>();
  inputs.forEach(({ name }, i) => {
    if (name !== null && !numbers.has(name)) numbers.set(name, i + 1);
  });
  binder.coercion.parameters.types.push(...inputs.map(({ type }) => type));
  binder.argumentNames = { owner: object.name, numbers };
  if (isWrite(statement)) bindWrite(binder, statement, null);
  else bindQuery(binder, statement, null, {});
}

/** The text of a stored SQL body with qualified columns: columns that are added later do not count. */
export function keptBody(session: SqlSession, user: UserFunction): string {
  const texts = parse(user.object.body).map((statement) => {
    if (!isQuery(statement)) throw new SvcError('0A000', `${statement.type} is not allowed in an SQL function body`);
    const binder = binderOf(session);
    const recording = newRecording();
    binder.recording = recording;
    bindInBody(binder, user, statement);
    return deparseQuery(rewritten(statement, { ...recording, tables: new Map() }) as Query).trim();
  });
  return user.object.form === 'return' ? texts[0] : texts.map((text) => `${text};`).join('\n');
}

function changedBody(state: TextState, schema: Schema, sql: string, routine: FunctionObject, changes: NameChanges): string {
  const user = schema.functions.get(routine.number)!;
  const statements = parse(sql).map((statement) => {
    if (!isQuery(statement)) return statement;
    return changedTree(state, statement, (binder) => bindInBody(binder, user, statement), changes);
  });
  const texts = statements.map((statement) => deparseQuery(statement as Query).trim());
  return routine.form === 'return' ? texts[0] : texts.map((text) => `${text};`).join('\n');
}

/** The bound tree with its new names. */
function changedTree<T>(state: TextState, query: T, bind: (binder: Binder) => void, names: NameChanges): T {
  const changes = names.relations ?? NONE;
  const binder = state.binder();
  const recording = newRecording();
  binder.recording = recording;
  bind(binder);
  const byName = joinsByName(query);
  const items = new Map<object, Partial<TableItem>>();
  const references = new Map<object, string>();
  for (const [node, { number, columns }] of recording.items) {
    const change = changes.get(number);
    if (change === undefined) continue;
    const item = node as TableItem;
    // OLD and NEW are not in FROM.
    const isItem = item.type === 'table';
    let alias = isItem ? item.alias : null;
    let { name } = item;
    if (change.to !== undefined && isItem) {
      if (alias === null && change.to.name !== item.name.name) alias = { name: item.name.name, columns: [] };
      name = { ...item.name, ...change.to };
    }
    const renames = change.columns ?? (change.column === undefined ? [] : [change.column]);
    const listed = alias?.columns.length ?? 0;
    for (const { from, to } of renames) {
      const at = columns.findIndex((column, i) => i >= listed && column.name === from);
      if (at >= 0 && byName && isItem) alias = { name: alias?.name ?? item.name.name, columns: columns.map((column) => column.name) };
      else if (at >= 0) for (const [reference, column] of recording.references) if (column === columns[at]) references.set(reference, to);
    }
    if (change.gone !== undefined && alias !== null && alias.columns.length > 0) {
      const relation = state.schema.tables.get(number);
      const at = relation?.columns.findIndex((column) => column.name === change.gone) ?? -1;
      if (at >= 0 && at < alias.columns.length) alias = { ...alias, columns: alias.columns.filter((_, i) => i !== at) };
    }
    if (isItem) items.set(node, { alias, name });
  }
  const calls = new Map(recording.calls.flatMap(({ at, routine }) => (names.functions?.has(routine) === true ? [[at, routine] as const] : [])));
  const renamed = (node: object): object => {
    const type = names.types?.get(recording.types.get(node) ?? 0);
    if (type !== undefined) return { schema: type.schema, name: type.name };
    const { type: kind, at, name, operator } = node as { type?: string; at?: number; name?: readonly string[]; operator?: { schema?: string | null } };
    if (kind === 'call' && at !== undefined && name !== undefined) {
      const routine = calls.get(at);
      const to = routine === undefined ? undefined : names.functions!.get(routine);
      if (to !== undefined && state.schema.functions.get(routine!)?.object.name === name[name.length - 1]) return { name: [to.schema, to.name] };
    }
    if (names.schema !== undefined && operator?.schema === names.schema.from) return { operator: { ...operator, schema: names.schema.to } };
    return {};
  };
  const rewritten = (node: unknown): unknown => {
    if (node === null || typeof node !== 'object') return node;
    if (Array.isArray(node)) return node.map(rewritten);
    const to = references.get(node);
    if (to !== undefined) {
      if ('path' in node) return { ...node, name: to };
      const reference = node as ColumnReference;
      return { ...reference, parts: [...reference.parts.slice(0, -1), to] };
    }
    const out: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) out[key] = rewritten(value);
    const own = out as unknown as SelectItem;
    if ('alias' in out && own.alias === null && 'value' in out && references.has((node as SelectItem).value)) {
      const { parts } = (node as SelectItem).value as ColumnReference;
      own.alias = parts[parts.length - 1];
    }
    return { ...out, ...items.get(node), ...renamed(node) };
  };
  return rewritten(query) as T;
}

/** Whether a join matches columns by name. */
function joinsByName(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(joinsByName);
  const item = node as Partial<FromItem & { type: 'join' }>;
  if (item.type === 'join' && (item.natural === true || (item.using ?? null) !== null)) return true;
  return Object.values(node).some(joinsByName);
}
