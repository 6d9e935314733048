/** GROUP BY, grouping sets and aggregates: rewrites a select list over the groups. */
import { writtenStartOf } from '../ast/start-of.ts';
import { resolveItem } from './resolve-item.ts';
import type { Expression } from '../ast/expression.ts';
import type { GroupItem, Select } from '../ast/query.ts';
import type { Bound, ColumnId } from '../plan/bound.ts';
import type { OutputColumn, Plan } from '../plan/logical.ts';
import type { IcuCollation } from '../types/icu-collation.ts';
import { type Binder, fail } from './binder.ts';
import { collatedKey, ofCollatedKey } from './collated.ts';
import { bindExpression } from './expression.ts';
import { refuseConstant } from './query.ts';
import { groupingEquality } from './operator.ts';
import type { Relation, Scope } from './scope.ts';
import type { Item } from './select.ts';
import { columnsOf, freeColumns } from '../plan/rules/walk.ts';
import { columnPlace } from './column-place.ts';
import { anyIn, rewrite, sameExpression } from './walk.ts';
import type { WindowUse } from './window.ts';

interface Group {
  readonly id: ColumnId;
  readonly value: Bound;
  readonly at: number;
  /** The grouping key if it is not the value itself: a key of its collation. */
  readonly key: { readonly id: ColumnId; readonly value: Bound } | null;
}

export interface Grouped {
  readonly plan: Plan;
  readonly items: Item[];
  readonly having: Bound | null;
  readonly windows: readonly WindowUse[];
  /** Rewrites an expression over input rows to one over groups. */
  readonly replace: (value: Bound) => Bound;
}

const MAX_SETS = 4096;

export function groupSelect(
  binder: Binder,
  query: Select,
  scope: Scope,
  input: Plan,
  parts: { items: Item[]; having: Bound | null; visible: number },
): Grouped {
  const { level } = scope;
  const isGrouped = query.groupBy.length > 0 || parts.having !== null || level.aggregates.length > 0;
  if (!isGrouped) {
    if (level.groupings.length > 0) fail('42803', 'arguments to GROUPING must be grouping expressions of the associated query level', level.groupings[0].at[0]);
    return { plan: input, items: [...parts.items], having: null, windows: level.windows, replace: (value) => value };
  }
  scope.clause = 'group';
  const groups: Group[] = [];
  const groupOf = (expression: Expression): number => {
    const value = groupValue(binder, expression, scope, parts.items, parts.visible);
    if (!value.type.hashable) groupingEquality(binder, value.type, writtenStartOf(expression));
    let folding: IcuCollation | null = null;
    if (binder.collations !== null) {
      const item = parts.items.find((each) => each.value === value);
      const derived = item?.collation ?? binder.collations.of(expression);
      binder.collations.check(derived);
      folding = binder.collations.folding(derived, value.type);
    }
    const known = groups.findIndex((each) => sameExpression(each.value, value));
    if (known >= 0) return known;
    // A column of an enclosing query keeps its own id, which is free here.
    groups.push({
      id:
        folding === null && value.kind === 'column' && value.collation === undefined && input.columns.some(({ id }) => id === value.id)
          ? value.id
          : binder.id(),
      value,
      at: expression.at,
      key: folding === null ? null : { id: binder.id(), value: collatedKey(binder, value, folding) },
    });
    return groups.length - 1;
  };
  const sets = groupingSets(query, groupOf);
  const fromIds = new Set(scope.namespace.relations.flatMap(({ columns, system }) => [...columns, ...system].flatMap(({ value }) => [...columnsOf(value)])));
  for (const { value } of scope.namespace.columns) columnsOf(value, fromIds);
  const named = new Map<ColumnId, string>();
  for (const { alias, columns } of scope.namespace.relations) {
    for (const { name, value } of columns) if (value.kind === 'column') named.set(value.id, `${alias}.${name}`);
  }
  const available = new Set([
    ...groups.map(({ id }) => id),
    ...level.aggregates.map(({ id }) => id),
    ...level.groupings.map(({ id }) => id),
    ...level.windows.map(({ call }) => call.id),
    ...level.setFunctions.map(({ id }) => id),
  ]);
  const determined = sets === null ? determinedColumns(scope.namespace.relations, groups) : new Map<ColumnId, Determined>();
  const use = (group: { id: ColumnId; value: Bound }): Bound => ({ kind: 'column', id: group.id, type: group.value.type, typmod: group.value.typmod });
  const check = (id: ColumnId, at: number): void => {
    if (available.has(id) || !fromIds.has(id)) return;
    const known = determined.get(id);
    if (known !== undefined) {
      const { value, table } = known;
      if (binder.depth === 0) binder.recording?.keyed.add(table);
      groups.push({ id, value, at, key: null });
      available.add(id);
      return;
    }
    const name = named.get(id) ?? '?';
    const detail = inDirect ? { detail: 'Direct arguments of an ordered-set aggregate must use only grouped columns.' } : {};
    fail('42803', `column "${name}" must appear in the GROUP BY clause or be used in an aggregate function`, placeOf(name, at), detail);
  };
  let currentAt = query.at;
  let inDirect = false;
  const isAggregate = (name: string): boolean => !inDirect && binder.registry.functions(name).some(({ kind }) => kind === 'aggregate');
  // The position of the column in the clause; the clause itself if it is not found.
  const placeOf = (name: string, at: number): number => {
    const clause = inDirect ? [query.items, query.having, query.orderBy] : query.having?.at === at ? query.having : query.items.find((item) => item.at === at);
    return columnPlace(clause ?? query.orderBy, name, isAggregate) ?? at;
  };
  const replace = (value: Bound): Bound =>
    rewrite(value, (each) => {
      if (each.kind === 'constant') return null;
      if (each.kind === 'column' && available.has(each.id)) return each;
      const group = groups.find((known) => known.value.kind === each.kind && sameExpression(known.value, each));
      if (group !== undefined) return use(group);
      if (each.kind === 'column') check(each.id, currentAt);
      if (each.kind === 'exists' || each.kind === 'subquery' || each.kind === 'arrayQuery' || each.kind === 'quantifiedQuery') {
        for (const id of freeColumns(each.plan)) {
          if (!available.has(id) && fromIds.has(id) && !determined.has(id)) {
            fail('42803', `subquery uses ungrouped column "${named.get(id) ?? '?'}" from outer query`, placeOf(named.get(id) ?? '?', currentAt));
          }
          check(id, currentAt);
        }
      }
      return null;
    });
  const replaceAt = (value: Bound, at: number): Bound => {
    currentAt = at;
    return replace(value);
  };
  const items = parts.items.map((item) => ({ ...item, value: replaceAt(item.value, item.at) }));
  const having = parts.having === null ? null : replaceAt(parts.having, query.having?.at ?? query.at);
  const windows = level.windows.map((window) => ({
    ...window,
    partitionBy: window.partitionBy.map(replace),
    orderBy: window.orderBy.map((key) => ({ ...key, value: replace(key.value) })),
    call: { ...window.call, args: window.call.args.map(replace), filter: window.call.filter === null ? null : replace(window.call.filter) },
  }));
  for (const { call } of level.setFunctions) call.args.forEach(replace);
  // Aggregates read input rows, except for direct arguments, which read the groups.
  inDirect = true;
  const aggregates = level.aggregates.map((each) => ({ ...each, direct: each.direct.map(replace) }));
  const grouping = level.groupings.map(({ id, args, at }) => ({
    id,
    groups: args.map((arg, i) => {
      const found = groups.findIndex((group) => sameExpression(group.value, arg));
      if (found < 0) fail('42803', 'arguments to GROUPING must be grouping expressions of the associated query level', at[i]);
      return found;
    }),
  }));
  const columns: OutputColumn[] = [
    ...groups.map(({ id, value, key }) => ({ id: key?.id ?? id, name: '', type: (key?.value ?? value).type, typmod: (key?.value ?? value).typmod })),
    ...grouping.map(({ id }) => ({ id, name: '', type: binder.type('int4'), typmod: -1 })),
    ...aggregates.map(({ id, type }) => ({ id, name: '', type, typmod: -1 })),
  ];
  const keys = groups.map(({ id, value, key }) => key ?? { id, value });
  return {
    plan: unfolded(binder, { op: 'aggregate', input, groups: keys, sets, grouping, aggregates, columns }, groups),
    items,
    having,
    windows,
    replace,
  };
}

/** Group columns with collation keys, converted back to values. */
function unfolded(binder: Binder, plan: Plan, groups: readonly Group[]): Plan {
  if (groups.every(({ key }) => key === null)) return plan;
  const items = plan.columns.map((column) => {
    const group = groups.find(({ key }) => key?.id === column.id);
    const { id, value } = group ?? { id: column.id, value: column };
    return { id, value: group === undefined ? binder.use(column) : ofCollatedKey(binder, binder.use(column), value.type, value.typmod) };
  });
  return { op: 'project', input: plan, items, columns: items.map(({ id, value: { type, typmod } }) => ({ id, name: '', type, typmod })) };
}

/** A column of FROM takes precedence over an output name, unlike in ORDER BY; a number is a position. */
function groupValue(binder: Binder, expression: Expression, scope: Scope, items: Item[], visible: number): Bound {
  refuseConstant(expression, 'GROUP BY');
  const refuse = (value: Bound, at: number = expression.at): Bound => {
    const { level } = scope;
    const inner = new Set([...level.aggregates.map(({ id }) => id), ...level.groupings.map(({ id }) => id)]);
    if (anyIn(value, (each) => each.kind === 'column' && inner.has(each.id))) fail('42803', 'aggregate functions are not allowed in GROUP BY', at);
    if (anyIn(value, (each) => each.kind === 'column' && level.windows.some(({ call }) => call.id === each.id))) {
      fail('42P20', 'window functions are not allowed in GROUP BY', at);
    }
    return value;
  };
  if (expression.type === 'integer') {
    if (expression.value < 1 || expression.value > visible) fail('42P10', `GROUP BY position ${expression.value} is not in select list`, expression.at);
    return refuse(resolveItem(binder, items, expression.value - 1), items[expression.value - 1].at);
  }
  if (expression.type === 'column' && expression.parts.length === 1 && !expression.star) {
    const [name] = expression.parts;
    if (!scope.namespace.columns.some((column) => column.name === name)) {
      const found = items.slice(0, visible).filter((item) => item.name === name);
      if (found.length > 1 && found.some((item) => !sameExpression(item.value, found[0].value)))
        fail('42702', `GROUP BY "${name}" is ambiguous`, expression.at);
      if (found.length > 0) return refuse(resolveItem(binder, items, items.indexOf(found[0])));
    }
  }
  return binder.coercion.resolveUnknown(bindExpression(binder, expression, scope), expression.at);
}

/** The grouping sets; null for plain GROUP BY. */
function groupingSets(query: Select, groupOf: (expression: Expression) => number): number[][] | null {
  const { groupBy } = query;
  if (groupBy.every(({ type }) => type === 'expression')) {
    for (const item of groupBy) if (item.type === 'expression') for (const each of fieldsOf(item.value)) groupOf(each);
    return null;
  }
  // The cross product of the sets of each item.
  let sets: number[][] = [[]];
  for (const item of groupBy) {
    const own = setsOf(item, groupOf);
    if (sets.length * own.length > MAX_SETS) fail('54001', `too many grouping sets present (maximum ${MAX_SETS})`, item.at);
    sets = sets.flatMap((left) => own.map((right) => [...new Set([...left, ...right])]));
  }
  if (query.groupDistinct) {
    const seen = new Set<string>();
    sets = sets.filter((set) => {
      const key = [...set].sort((a, b) => a - b).join();
      return seen.has(key) ? false : seen.add(key);
    });
  }
  return sets;
}

function fieldsOf(expression: Expression): readonly Expression[] {
  return expression.type === 'row' && !expression.explicit ? expression.fields : [expression];
}

function setsOf(item: GroupItem, groupOf: (expression: Expression) => number): number[][] {
  switch (item.type) {
    case 'empty':
      return [[]];
    case 'expression':
      return [fieldsOf(item.value).map(groupOf)];
    case 'groupingSets':
      return item.items.flatMap((each) => setsOf(each, groupOf));
    case 'rollup': {
      const parts = item.items.map((each) => setsOf(each, groupOf)[0]);
      return Array.from({ length: parts.length + 1 }, (_, i) => parts.slice(0, parts.length - i).flat());
    }
    case 'cube': {
      const parts = item.items.map((each) => setsOf(each, groupOf)[0]);
      if (parts.length > 12) fail('54001', 'CUBE is limited to 12 elements', item.at);
      return Array.from({ length: 1 << parts.length }, (_, mask) => parts.filter((_part, i) => (mask & (1 << (parts.length - 1 - i))) === 0).flat());
    }
  }
}

interface Determined {
  readonly value: Bound;
  /** Number of the table. */
  readonly table: number;
}

/** Columns that depend functionally on the grouped primary key of their table. */
function determinedColumns(relations: readonly Relation[], groups: readonly { value: Bound }[]): Map<ColumnId, Determined> {
  const out = new Map<ColumnId, Determined>();
  const grouped = new Set(groups.flatMap(({ value }) => (value.kind === 'column' ? [value.id] : [])));
  for (const { table, columns } of relations) {
    if (table === null || table.primaryKey === null || table.key.columns.length === 0) continue;
    const keyed = table.key.columns.every((i) => {
      const value = columns[i]?.value;
      return value?.kind === 'column' && grouped.has(value.id);
    });
    if (!keyed) continue;
    for (const { value } of columns) if (value.kind === 'column') out.set(value.id, { value, table: table.number });
  }
  return out;
}
