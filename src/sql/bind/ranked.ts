/**
 * `bm25(t, text [, limit])` in FROM: the rows of a table that match, with a column `score`, the best first. Rows that policies hide count
 * in no score, and masked columns are not searched.
 */
import type { RankedItem } from '../ast/query.ts';
import type { Expression } from '../ast/expression.ts';
import { startOf } from '../ast/start-of.ts';
import type { Bound } from '../plan/bound.ts';
import type { Plan, RankedScanPlan } from '../plan/logical.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { tableWord } from '../schema/table.ts';
import { noteRead } from './access.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { bindExpression } from './expression.ts';
import { type BoundFrom, namedRelation, scanOf, withKey } from './from.ts';
import { maskedRows, maskOf } from './mask.ts';
import { barrier, policiesOf } from './row-security.ts';
import { columnsOf, type Relation, type RelationColumn, type Scope } from './scope.ts';
import { systemColumns } from './system-columns.ts';

export function bindRanked(binder: Binder, item: RankedItem, scope: Scope): BoundFrom {
  const { at } = item.table;
  const { names, found, asOf } = namedRelation(binder, item.table, scope);
  if (found.kind !== 'table') return fail('42809', `"${item.table.name.name}" is not a table`, at, { hint: 'bm25 searches a table or a materialized view.' });
  const { table } = found;
  if (table.foreign !== undefined) fail('0A000', `foreign table "${table.name}" cannot be searched by bm25`, at);
  const searched = names.whole?.(table) ?? table;
  const outside = searched.whole?.members.find((member) => member.table.foreign !== undefined);
  if (outside !== undefined) {
    fail('0A000', `"${table.name}" has a foreign table, "${outside.table.name}", which bm25 cannot search`, at, {
      hint: 'Search its other tables by their names.',
    });
  }
  if (table.materialized?.populated === false && binder.recording === null) {
    failNowhere('55000', `materialized view "${table.name}" has not been populated`, { hint: 'Use the REFRESH MATERIALIZED VIEW command.' });
  }
  if (binder.depth === 0) binder.recording?.tables.set(item.table, table.schema);
  const access = binder.accesses(table.number, tableWord(table), table.name, PRIVILEGE.SELECT);
  const text = argument(binder, scope, item.text, 'text');
  const limit = item.limit === null ? null : argument(binder, scope, item.limit, 'int8');
  const keyed = withKey(binder, scanOf(binder, searched, asOf));
  const masked = table.columns.filter((_, i) => maskOf(binder, table, i, (index) => binder.use(keyed.columns[index]), names) !== null);
  const without = new Set(masked.map(({ number }) => number));
  const fields = (names.searchedFields?.(table).fields ?? []).filter(({ column }) => !without.has(column.number));
  if (fields.length === 0) {
    fail('42P10', `table "${table.name}" has no column of text that bm25 could search`, at, {
      hint: masked.length > 0 ? 'Masked columns are not searched.' : 'Columns of type text, varchar, char and citext are searched.',
    });
  }
  for (const { column } of fields) {
    noteRead({ to: access, attnum: column.attnum });
    if (binder.recording !== null) usedColumns(binder, table.number).add(column.number);
  }
  const score = binder.column('score', binder.type('float8'));
  const key = binder.column('', binder.type(searched.key.numeric ? 'int8' : 'text'));
  const columns = [...table.columns.map(({ name, type, typmod }) => binder.column(name, type, typmod)), score, key];
  binder.collateColumns(table, columns);
  const ranked: RankedScanPlan = {
    op: 'rankedScan',
    table: searched,
    asOf,
    source: [...table.columns.map((_, i) => i), 'score', 'key'],
    columns,
    by: { kind: 'words', text, limit, without, fields: fields.map(({ column }) => column.name) },
    visible: visibleKeys(binder, keyed, (value) => policiesOf(binder, table, access.as, names, asOf)?.using('select', value) ?? null),
  };
  const plan = maskedRows(binder, ranked, table, names);
  const shown = columnsOf(plan.columns.slice(0, -1));
  const aliases = item.table.alias?.columns ?? [];
  const alias = item.table.alias?.name ?? table.name;
  if (aliases.length > shown.length) failNowhere('42P10', `table "${alias}" has ${shown.length} columns available but ${aliases.length} columns specified`);
  const visible = shown.map((column, i): RelationColumn => {
    const named = { ...column, name: aliases[i] ?? column.name };
    return i < table.columns.length ? { ...named, access: { to: access, attnum: table.columns[i].attnum } } : named;
  });
  const system = systemColumns(binder, searched, null, binder.use(plan.columns[plan.columns.length - 1]), asOf);
  if (binder.depth === 0) binder.recording?.items.set(item.table, { number: table.number, columns: visible });
  const relation: Relation = { alias, schema: item.table.alias === null ? table.schema : null, columns: visible, table: null, system };
  return { plan, namespace: { relations: [relation], columns: visible } };
}

function usedColumns(binder: Binder, table: number): Set<number> {
  const { uses } = binder.recording!;
  let own = uses.get(table);
  if (own === undefined) uses.set(table, (own = new Set()));
  return own;
}

/** Of columns of relations to the left, if any. */
function argument(binder: Binder, scope: Scope, written: Expression, type: 'text' | 'int8'): Bound {
  const bound = bindExpression(binder, written, scope);
  const value = binder.coercion.tryCoerce(bound, binder.type(type), -1, 'implicit', startOf(written));
  if (value !== null) return value;
  const what = type === 'text' ? 'the text that bm25 searches for must be text' : 'the limit of bm25 must be bigint';
  return fail('42804', `${what}, not ${binder.coercion.typeOf(bound).title}`, startOf(written));
}

/** A plan of the keys of the rows that policies show; null: all rows. */
function visibleKeys(binder: Binder, keyed: Plan, conditions: (value: (index: number) => Bound) => readonly Bound[] | null): Plan | null {
  const all = conditions((index) => binder.use(keyed.columns[index]));
  if (all === null) return null;
  const key = keyed.columns[keyed.columns.length - 1];
  const seen: Plan = { op: 'filter', input: keyed, predicate: binder.and(all)!, columns: keyed.columns };
  return { op: 'project', input: barrier(binder, seen), items: [{ id: key.id, value: binder.use(key) }], columns: [key] };
}
