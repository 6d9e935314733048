/**
 * Binds SELECT. Clauses are bound in the order that names require, and stacked in the order of row flow: FROM, WHERE, GROUP BY,
 * HAVING, windows, set-returning functions, the list, DISTINCT, ORDER BY, LIMIT.
 */
import { runSteps } from '../../base/run-steps.ts';
import type { Select, SelectItem } from '../ast/query.ts';
import type { Bound, BoundSort, ColumnId } from '../plan/bound.ts';
import type { OutputColumn, Plan } from '../plan/logical.ts';
import { startOf } from '../ast/start-of.ts';
import { type Binder, fail, failNowhere } from './binder.ts';
import { fieldsOfRow, starColumns } from './columns.ts';
import { bindExpression } from './expression.ts';
import { bindFromList } from './from.ts';
import { groupSelect } from './group.ts';
import { groupingEquality } from './operator.ts';
import { outputName } from './output-name.ts';
import { keyedRows, unkeyedRows } from './keyed-rows.ts';
import { LockClauses, locked, type LockedTable } from './locking.ts';
import { lockName } from './lock-name.ts';
import { limited, outputColumn, type QueryOptions } from './query.ts';
import type { RelationColumn, Scope } from './scope.ts';
import { refuseWideList } from './target-list.ts';
import { resolveItem } from './resolve-item.ts';
import { sortOf } from './sort.ts';
import { columnsOf } from '../plan/rules/walk.ts';
import { type Derived, typeCollation } from './collation.ts';
import { sameExpression } from './walk.ts';
import type { WindowUse } from './window.ts';
import { bindWide } from './wide-expression.ts';
import { bindUnusedWindows } from './window-frame.ts';

/** Each may be a query of its own. */
const ITEMS_AT_ONCE = 8;

export interface Item {
  readonly name: string;
  readonly value: Bound;
  readonly at: number;
  /** If the statement specifies collations. */
  readonly collation?: Derived;
}

export function* bindSelect(binder: Binder, query: Select, scope: Scope, options: QueryOptions): Generator<void, Plan> {
  const locks = query.locking.length === 0 ? null : new LockClauses(query.locking, query.at);
  scope.locks = locks;
  const from = bindFromList(binder, query.from, scope);
  scope.locks = null;
  locks?.end();
  scope.namespace = from.namespace;
  for (const { name, window, at } of query.windows) {
    if (scope.windowDefinitions.has(name)) fail('42P20', `window "${name}" is already defined`, at);
    // A window may extend an earlier one.
    if (window.base !== null && !scope.windowDefinitions.has(window.base)) fail('42704', `window "${window.base}" does not exist`, at);
    scope.windowDefinitions.set(name, window);
  }
  let plan = from.plan;
  if (query.where !== null) {
    scope.clause = 'where';
    const predicate = binder.coercion.toBoolean(yield* bindWide(binder, query.where, scope), 'WHERE', startOf(query.where));
    plan = { op: 'filter', input: plan, predicate, columns: plan.columns };
  }
  scope.clause = 'select';
  let items = yield* bindItems(binder, query.items, scope, options.keepUnknown === true && query.distinct?.on.length !== 0);
  // Sort and group keys count as entries of the list.
  refuseWideList(query.orderBy.length, query.at);
  refuseWideList(query.groupBy.length, query.at);
  // ORDER BY and DISTINCT ON refer to list items first; other expressions are added to it as hidden items.
  const visible = items.length;
  scope.clause = 'order';
  const all = items.slice();
  const resolvedAt = (position: number): number => {
    resolveItem(binder, all, position);
    return position;
  };
  const positions = query.orderBy.map((key) => {
    const byName = positionOf(all.slice(0, visible), key);
    if (byName !== null) return resolvedAt(byName);
    const value = binder.coercion.resolveUnknown(bindExpression(binder, key.value, scope), key.at);
    return addItem(all, value, startOf(key.value), binder.collations?.of(key.value));
  });
  const distinctOn = (query.distinct?.on ?? []).map((expression) => {
    const byName = positionOf(all.slice(0, visible), { value: expression }, true);
    if (byName !== null) return resolvedAt(byName);
    return addItem(all, binder.coercion.resolveUnknown(bindExpression(binder, expression, scope), expression.at), expression.at);
  });
  refuseWideList(all.length, query.at);
  scope.clause = 'having';
  const having = query.having === null ? null : binder.coercion.toBoolean(bindExpression(binder, query.having, scope), 'HAVING', startOf(query.having));
  if (query.windows.length > 0) {
    scope.clause = 'window';
    bindUnusedWindows(binder, query, scope);
  }
  checkLocking(query, scope);
  locks?.refuseNullable(from.plan);
  // Keys of locked rows are hidden items.
  const lockedKeys = (locks?.targets ?? []).map(({ table, key }) => {
    const type = binder.type(table.key.numeric ? 'int8' : 'text');
    return addItem(all, { kind: 'column', id: key, type, typmod: -1 }, query.at);
  });
  if (scope.readsItself && scope.level.aggregates.length > 0) {
    fail('42P19', "aggregate functions are not allowed in a recursive query's recursive term", query.at);
  }
  const grouped = groupSelect(binder, query, scope, plan, { items: all, having, visible });
  plan = grouped.plan;
  items = grouped.items;
  if (grouped.having !== null) plan = { op: 'filter', input: plan, predicate: grouped.having, columns: plan.columns };
  const sorted = positions.map((position) => grouped.items[position].value);
  plan = windows(binder, plan, inTurn(grouped.windows, sorted));
  const { setFunctions } = scope.level;
  if (setFunctions.length > 0) {
    const functions = setFunctions.map(({ id, call }) => ({ id, call: { ...call, args: call.args.map(grouped.replace) } }));
    for (const layer of layersOf(functions)) {
      plan = {
        op: 'projectSet',
        input: plan,
        functions: layer,
        columns: [...plan.columns, ...layer.map(({ id, call }) => ({ id, name: '', type: call.type, typmod: -1 }))],
      };
    }
  }
  return output(binder, query, plan, items, visible, positions, distinctOn, scope, locks?.targets ?? [], lockedKeys);
}

/** FOR UPDATE and similar need rows that come from tables one by one. */
function checkLocking(query: Select, scope: Scope): void {
  const [first] = query.locking;
  if (first === undefined) return;
  const { aggregates, windows: windowCalls, setFunctions } = scope.level;
  const what = lockName(first.strength);
  const refused =
    query.distinct !== null
      ? 'DISTINCT clause'
      : query.groupBy.length > 0
        ? 'GROUP BY clause'
        : query.having !== null
          ? 'HAVING clause'
          : aggregates.length > 0
            ? 'aggregate functions'
            : windowCalls.length > 0
              ? 'window functions'
              : setFunctions.length > 0
                ? 'set-returning functions in the target list'
                : null;
  if (refused !== null) failNowhere('0A000', `${what} is not allowed with ${refused}`);
}

function* bindItems(binder: Binder, list: readonly SelectItem[], scope: Scope, keepUnknown: boolean): Generator<void, Item[]> {
  const read = (value: Bound, at: number): Pick<Item, 'collation'> => (binder.collations === null ? {} : { collation: binder.collations.ofValue(value, at) });
  if (list.length > 0) refuseWideList(list.length, list[0].at);
  const items: Item[] = [];
  for (const item of list) {
    const { value, at } = item;
    if (value.type === 'column' && value.star) {
      const columns = starColumns(binder, value, scope);
      if (binder.depth === 0) binder.recording?.stars.set(item, spread(columns, scope, at));
      items.push(...columns.map((column) => ({ name: column.name, value: column.value, at, ...read(column.value, at) })));
      continue;
    }
    if (value.type === 'fieldStar') {
      items.push(...fieldsOfRow(binder, value.arg, scope).map((field) => ({ ...field, at, ...read(field.value, at) })));
      continue;
    }
    const bound = yield* bindWide(binder, value, scope);
    items.push({
      name: item.alias ?? outputName(value),
      value: keepUnknown ? bound : binder.coercion.resolveUnknown(bound, at),
      at: startOf(value),
      ...(binder.collations === null ? {} : { collation: binder.collations.of(value) }),
    });
    if (items.length % ITEMS_AT_ONCE === 0) yield;
  }
  if (items.length > list.length) refuseWideList(items.length, list[0].at);
  return items;
}

type SetCall = (Plan & { op: 'projectSet' })['functions'][number];

/** A function over the rows of another comes after it. */
function layersOf(functions: readonly SetCall[]): SetCall[][] {
  const layers: SetCall[][] = [];
  const layerOf = new Map<ColumnId, number>();
  for (const each of functions) {
    let layer = 0;
    for (const arg of each.call.args) for (const id of columnsOf(arg)) layer = Math.max(layer, (layerOf.get(id) ?? -1) + 1);
    layerOf.set(each.id, layer);
    (layers[layer] ??= []).push(each);
  }
  return layers;
}

/** The expansion of `*`: qualified by relation, or unqualified if USING merged the column. */
function spread(columns: readonly RelationColumn[], scope: Scope, at: number): SelectItem[] {
  return columns.map(({ name, value }) => {
    const owner = scope.namespace.relations.find((relation) => relation.columns.some((column) => column.name === name && column.value === value));
    return { value: { type: 'column', parts: owner === undefined ? [name] : [owner.alias, name], star: false, at }, alias: name, at };
  });
}

export function bindReturning(binder: Binder, list: readonly SelectItem[], scope: Scope): Item[] {
  return runSteps(bindItems(binder, list, scope, false));
}

function positionOf(items: readonly Item[], key: { value: Select['orderBy'][number]['value'] }, distinctOn = false): number | null {
  const columns = items.map(({ name, value }, i): OutputColumn => ({
    id: value.kind === 'column' ? value.id : -1 - i,
    name,
    type: value.type,
    typmod: value.typmod,
  }));
  const found = outputColumn(columns, key as Select['orderBy'][number], distinctOn);
  return found === null ? null : columns.indexOf(found);
}

function addItem(items: Item[], value: Bound, at: number, collation?: Derived): number {
  const known = items.findIndex((item) => sameExpression(item.value, value));
  if (known >= 0) return known;
  items.push(collation === undefined ? { name: '', value, at } : { name: '', value, at, collation });
  return items.length - 1;
}

/**
 * Windows in the order in which Postgres computes them, which decides the row order without ORDER BY (planner.c,
 * select_active_windows): keys are numbered by first use, windows with later and with more keys go first.
 */
function inTurn(uses: readonly WindowUse[], sorted: readonly Bound[]): readonly WindowUse[] {
  if (uses.length < 2) return uses;
  const known: Bound[] = [];
  const numberOf = (value: Bound): number => {
    const at = known.findIndex((each) => sameExpression(each, value));
    return at >= 0 ? at : known.push(value) - 1;
  };
  sorted.forEach(numberOf);
  const list = [...uses].sort((a, b) => a.order - b.order);
  for (const { orderBy, partitionBy } of list) {
    for (const { value } of orderBy) numberOf(value);
    partitionBy.forEach(numberOf);
  }
  interface Key {
    readonly number: number;
    readonly descending: boolean;
    readonly nullsFirst: boolean;
  }
  const keysOf = ({ partitionBy, orderBy }: WindowUse): Key[] => {
    const keys = [...partitionBy.map((value) => ({ value, descending: false, nullsFirst: false })), ...orderBy];
    return keys
      .map(({ value, descending, nullsFirst }) => ({ number: numberOf(value), descending, nullsFirst }))
      .filter(({ number }, i, all) => all.findIndex((each) => each.number === number) === i);
  };
  const keyed = list.map((use) => ({ use, keys: keysOf(use) }));
  keyed.sort((a, b) => {
    for (let i = 0; i < Math.min(a.keys.length, b.keys.length); i++) {
      const [x, y] = [a.keys[i], b.keys[i]];
      if (x.number !== y.number) return y.number - x.number;
      if (x.descending !== y.descending) return x.descending ? -1 : 1;
      if (x.nullsFirst !== y.nullsFirst) return x.nullsFirst ? -1 : 1;
    }
    return b.keys.length - a.keys.length;
  });
  return keyed.map(({ use }) => use);
}

function windows(_binder: Binder, input: Plan, uses: readonly WindowUse[]): Plan {
  let plan = input;
  const left = [...uses];
  while (left.length > 0) {
    const [first] = left;
    const same = left.filter((use) => sameWindow(first, use));
    for (const use of same) left.splice(left.indexOf(use), 1);
    const functions = same.map(({ call }) => call);
    plan = {
      op: 'window',
      input: plan,
      partitionBy: first.partitionBy,
      orderBy: first.orderBy,
      frame: first.frame,
      functions,
      columns: [...plan.columns, ...functions.map(({ id, type }) => ({ id, name: '', type, typmod: -1 }))],
    };
  }
  return plan;
}

function sameWindow(a: WindowUse, b: WindowUse): boolean {
  if (a.partitionBy.length !== b.partitionBy.length || a.orderBy.length !== b.orderBy.length) return false;
  if (!a.partitionBy.every((each, i) => sameExpression(each, b.partitionBy[i]))) return false;
  if (
    !a.orderBy.every(
      (each, i) => each.descending === b.orderBy[i].descending && each.nullsFirst === b.orderBy[i].nullsFirst && sameExpression(each.value, b.orderBy[i].value),
    )
  )
    return false;
  const { frame: x } = a;
  const { frame: y } = b;
  const edge = (p: typeof x.start, q: typeof x.start): boolean => p.type === q.type && (!('offset' in p) || sameExpression(p.offset, (q as typeof p).offset));
  return x.mode === y.mode && x.exclude === y.exclude && edge(x.start, y.start) && edge(x.end, y.end);
}

function output(
  binder: Binder,
  query: Select,
  input: Plan,
  items: readonly Item[],
  visible: number,
  positions: readonly number[],
  distinctOn: readonly number[],
  scope: Scope,
  targets: readonly LockedTable[],
  lockedKeys: readonly number[],
): Plan {
  const taken = new Set<ColumnId>();
  // A column of an enclosing query must stay free here, so it is output under another id.
  const own = new Set<ColumnId>(input.columns.map(({ id }) => id));
  const columns = items.map(({ name, value }): OutputColumn => {
    const id = value.kind === 'column' && own.has(value.id) && !taken.has(value.id) && value.collation === undefined ? value.id : binder.id();
    taken.add(id);
    return { id, name, type: value.type, typmod: value.typmod };
  });
  let plan: Plan = { op: 'project', input, items: items.map(({ value }, i) => ({ id: columns[i].id, value })), columns };
  const { collations } = binder;
  if (collations !== null) {
    items.forEach(({ collation, value }, i) => {
      if (collation !== undefined && typeCollation(value.type) !== null) collations.setColumn(columns[i].id, collation);
    });
  }
  const use = (position: number): Bound => {
    const { collation } = items[position];
    return collations === null || collation === undefined ? binder.use(columns[position]) : collations.key(binder.use(columns[position]), collation);
  };
  const keys = positions.map((position, i): BoundSort => sortOf(binder, query.orderBy[i], use(position)));
  const { distinct } = query;
  if (distinct !== null) {
    if (distinct.on.length === 0) {
      if (items.length > visible) fail('42P10', 'for SELECT DISTINCT, ORDER BY expressions must appear in select list', items[visible].at);
      columns.forEach(({ type }, i) => groupingEquality(binder, type, items[i].at));
      if (collations !== null) for (const { collation } of items) if (collation !== undefined) collations.check(collation);
      const foldings = items.map(({ collation, value }) => collations?.folding(collation, value.type) ?? null);
      if (foldings.some((each) => each !== null)) {
        // Equal values may differ in form: the first of each stays.
        const keyed = keyedRows(binder, plan, foldings);
        plan = unkeyedRows(binder, { op: 'distinct', input: keyed, on: null, columns: keyed.columns }, foldings, columns);
      } else plan = { op: 'distinct', input: plan, on: null, columns };
    } else {
      distinctOn.forEach((position, i) => groupingEquality(binder, columns[position].type, startOf(distinct.on[i])));
      const wanted = new Set(distinctOn);
      positions.slice(0, wanted.size).forEach((position) => {
        if (!wanted.has(position) && positions.slice(0, wanted.size).some((each) => wanted.has(each))) {
          fail('42P10', 'SELECT DISTINCT ON expressions must match initial ORDER BY expressions', startOf(distinct.on[0]));
        }
      });
      if (positions.length > 0 && !positions.slice(0, wanted.size).every((position) => wanted.has(position))) {
        fail('42P10', 'SELECT DISTINCT ON expressions must match initial ORDER BY expressions', startOf(distinct.on[0]));
      }
      const inOrder = positions.slice(0, wanted.size);
      const sorted = [
        ...keys,
        ...[...wanted]
          .filter((position) => !inOrder.includes(position))
          .map((position): BoundSort => ({ value: use(position), descending: false, nullsFirst: false })),
      ];
      plan = { op: 'sort', input: plan, keys: sorted, columns };
      plan = { op: 'distinct', input: plan, on: [...wanted].map(use), columns };
    }
  }
  if (keys.length > 0 && !(distinct !== null && distinct.on.length > 0)) plan = { op: 'sort', input: plan, keys, columns };
  plan = locked(
    plan,
    targets.map((target, i) => ({ ...target, key: columns[lockedKeys[i]].id })),
  );
  plan = limited(binder, plan, query, keys, scope);
  if (items.length === visible) return plan;
  const shown = columns.slice(0, visible);
  return { op: 'project', input: plan, items: shown.map((column) => ({ id: column.id, value: binder.use(column) })), columns: shown };
}
