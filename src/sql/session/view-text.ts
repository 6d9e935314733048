/**
 * The kept queries of views after a change of what they read. Postgres keeps a query by numbers and prints names when
 * it is asked; here the text is kept, so who renames a relation, a column or a schema writes the texts anew:
 *
 *   relation   `FROM t` becomes `FROM new t`: the query goes on calling it t
 *   column     references get the new name, and an item of SELECT without a name keeps the old one as its own
 *   USING      joins by name: the item gets a list of the names that the query knows
 */
import type { FromItem, SelectItem, TableItem } from '../ast/query.ts';
import type { ColumnReference } from '../ast/expression.ts';
import { bindQuery } from '../bind/query.ts';
import type { Binder } from '../bind/binder.ts';
import type { RuleObject } from '../../worlds/definition.ts';
import { deparseExpression, deparseQuery } from '../parse/deparse.ts';
import type { Ddl } from '../schema/ddl.ts';
import { binderOf } from './define-table.ts';
import { parseQuery, parseRule } from './names.ts';
import { bindAction, bindCondition } from './rules/rule-text.ts';
import type { SqlSession } from './sql-session.ts';
import { newRecording } from './view-spec.ts';

export interface RelationChange {
  /** Of a table or view. */
  readonly number: number;
  readonly to?: { readonly schema: string; readonly name: string };
  readonly column?: { readonly from: string; readonly to: string };
  /** Column that goes, which the query does not read. */
  readonly gone?: string;
}

/** New texts of all views, and conditions of policies, that read one of the relations; to be called while names are still as they were. */
export function rewriteViews(session: SqlSession, ddl: Ddl, changes: readonly RelationChange[]): void {
  const byNumber = new Map(changes.map((each) => [each.number, each]));
  // Definitions change while they are gone through.
  const all = [...ddl.definitions.values()];
  for (const object of all) {
    if (object.what === 'policy') {
      if (!object.uses.some((use) => byNumber.has(use.object))) continue;
      const text = (sql: string | null): string | null => (sql === null ? null : changedText(session, sql, byNumber));
      const [using, check] = [text(object.using), text(object.check)];
      if (using !== object.using || check !== object.check) ddl.put({ ...object, using, check });
      continue;
    }
    if (object.what === 'rule') {
      if (!object.uses.some((use) => byNumber.has(use.object))) continue;
      const changed = changedRule(session, object, byNumber);
      if (changed.where !== object.where || changed.actions.some((text, i) => text !== object.actions[i])) ddl.put({ ...object, ...changed });
      continue;
    }
    const query = object.what === 'view' ? object : object.what === 'relation' ? object.query : undefined;
    if (query === undefined || !query.uses.some((use) => byNumber.has(use.object))) continue;
    const sql = changedText(session, query.sql, byNumber);
    if (sql === query.sql) continue;
    if (object.what === 'view') ddl.put({ ...object, sql });
    else if (object.what === 'relation') ddl.put({ ...object, query: { ...object.query!, sql } });
  }
}

function changedText(session: SqlSession, sql: string, changes: ReadonlyMap<number, RelationChange>): string {
  const query = parseQuery(sql);
  return deparseQuery(changedTree(session, query, (binder) => void bindQuery(binder, query, null, {}), changes)).trim();
}

function changedRule(session: SqlSession, rule: RuleObject, changes: ReadonlyMap<number, RelationChange>): Pick<RuleObject, 'where' | 'actions'> {
  const { condition, actions } = parseRule(rule);
  const where = condition === null ? null : changedTree(session, condition, (binder) => bindCondition(binder, rule, condition), changes);
  return {
    where: where === null ? null : deparseExpression(where),
    actions: actions.map((action, i) => {
      if (action.type === 'notify') return rule.actions[i];
      return deparseQuery(changedTree(session, action, (binder) => void bindAction(binder, rule, action), changes)).trim();
    }),
  };
}

/** What was bound, with its names as they are to be. */
function changedTree<T>(session: SqlSession, query: T, bind: (binder: Binder) => void, changes: ReadonlyMap<number, RelationChange>): T {
  const binder = binderOf(session);
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
    // OLD and NEW stand in no FROM.
    const isItem = item.type === 'table';
    let alias = isItem ? item.alias : null;
    let { name } = item;
    if (change.to !== undefined && isItem) {
      if (alias === null && change.to.name !== item.name.name) alias = { name: item.name.name, columns: [] };
      name = { ...item.name, ...change.to };
    }
    if (change.column !== undefined) {
      const listed = alias?.columns.length ?? 0;
      const at = columns.findIndex((column, i) => i >= listed && column.name === change.column!.from);
      if (at >= 0 && byName && isItem) alias = { name: alias?.name ?? item.name.name, columns: columns.map((column) => column.name) };
      else if (at >= 0) for (const [reference, column] of recording.references) if (column === columns[at]) references.set(reference, change.column.to);
    }
    if (change.gone !== undefined && alias !== null && alias.columns.length > 0) {
      const relation = session.schema().tables.get(number);
      const at = relation?.columns.findIndex((column) => column.name === change.gone) ?? -1;
      if (at >= 0 && at < alias.columns.length) alias = { ...alias, columns: alias.columns.filter((_, i) => i !== at) };
    }
    if (isItem) items.set(node, { alias, name });
  }
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
    return { ...out, ...items.get(node) };
  };
  return rewritten(query) as T;
}

/** Whether some join takes its columns by name. */
function joinsByName(node: unknown): boolean {
  if (node === null || typeof node !== 'object') return false;
  if (Array.isArray(node)) return node.some(joinsByName);
  const item = node as Partial<FromItem & { type: 'join' }>;
  if (item.type === 'join' && (item.natural === true || (item.using ?? null) !== null)) return true;
  return Object.values(node).some(joinsByName);
}
