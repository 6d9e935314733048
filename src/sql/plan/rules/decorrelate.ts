/**
 * Converts subqueries in predicates to joins: EXISTS and IN to a semi join, NOT EXISTS to an anti join, an aggregate over rows that
 * equal outer columns to a left join with the aggregate grouped by them. Other subqueries stay, and run for each distinct outer
 * value.
 */
import type { Bound, BoundAggregate, ColumnId } from '../bound.ts';
import type { AggregatePlan, OutputColumn, Plan, ScanPlan } from '../logical.ts';
import { findAccess, lookupCost, scanCost } from './access.ts';
import { distinctOf, estimateRows } from './estimate.ts';
import { joinKeys } from './join-keys.ts';
import { pushDown } from './pushdown.ts';
import { conjunction, filtered, rewritePlan, substitute, withBounds } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, conjuncts, freeColumns, hasSubquery, isVolatile, planIsVolatile, rewriteBound, useOf, visitBound } from './walk.ts';

/** Below this many outer rows a separate subquery costs less than its grouping. */
const OUTER_ROWS_MIN = 100;
/** The fixed cost of running a subquery once, in rows. */
export const RUN_COST = 200;
/** The cost of grouping a row. */
const GROUP_COST = 4;

export interface Ids {
  fresh(): ColumnId;
}

export function decorrelate(plan: Plan, statistics: Statistics, ids: Ids): Plan {
  return rewritePlan(plan, (at) => {
    if (at.op === 'filter') return filterToJoins(at, statistics, ids);
    if (at.op === 'project') return scalarsToJoins(at, statistics, ids);
    return at;
  });
}

const idsOf = (plan: Plan): Set<ColumnId> => new Set(plan.columns.map((column) => column.id));

function filterToJoins(plan: Plan & { op: 'filter' }, statistics: Statistics, ids: Ids): Plan {
  let input = plan.input;
  const rest: Bound[] = [];
  for (const e of conjuncts(plan.predicate)) {
    const joined = toJoin(input, e, statistics, ids);
    if (joined === null) rest.push(e);
    else input = joined;
  }
  // Conditions without subqueries come first: they decide how often the others run.
  const asking = conjunction(rest.filter(hasSubquery));
  const below = filtered(
    input,
    rest.filter((e) => !hasSubquery(e)),
  );
  if (asking === null) return below === plan.input ? plan : ({ ...below, columns: plan.columns } as Plan);
  return scalarsToJoins({ op: 'filter', input: below, predicate: asking, columns: plan.columns }, statistics, ids);
}

function toJoin(input: Plan, e: Bound, statistics: Statistics, ids: Ids): Plan | null {
  const negated = e.kind === 'not';
  const query = negated ? e.arg : e;
  if (query.kind !== 'exists' && !(query.kind === 'quantifiedQuery' && !negated && query.quantifier === 'any')) return null;
  if (planIsVolatile(query.plan) || (query.kind === 'quantifiedQuery' && isVolatile(query.compare))) return null;
  if (query.kind === 'exists' && freeColumns(query.plan).size === 0) return null;
  const lifted = lift(query.plan, freeColumns(query.plan), query.kind === 'exists');
  if (lifted === null) return null;
  const on = [...lifted.predicates, ...(query.kind === 'quantifiedQuery' ? [query.compare] : [])];
  const condition = conjunction(on);
  if (condition === null || joinKeys(condition, idsOf(input), idsOf(lifted.plan)).left.length === 0) return null;
  return {
    op: 'join',
    kind: negated ? 'anti' : 'semi',
    left: input,
    right: within(lifted.plan, statistics, ids),
    on: condition,
    lateral: false,
    columns: input.columns,
  };
}

/** A former subquery may contain others. */
function within(plan: Plan, statistics: Statistics, ids: Ids): Plan {
  return decorrelate(pushDown(plan), statistics, ids);
}

interface Lifted {
  readonly plan: Plan;
  readonly predicates: readonly Bound[];
}

/** The plan without the predicates on outer columns, which can be evaluated above it with its new columns. */
function lift(plan: Plan, outer: ReadonlySet<ColumnId>, existsOnly: boolean): Lifted | null {
  const lifted = liftFrom(plan, outer, existsOnly);
  return lifted === null || [...freeColumns(lifted.plan)].some((id) => outer.has(id)) ? null : lifted;
}

function liftFrom(plan: Plan, outer: ReadonlySet<ColumnId>, existsOnly: boolean): Lifted | null {
  if (![...freeColumns(plan)].some((id) => outer.has(id))) return { plan, predicates: [] };
  switch (plan.op) {
    case 'filter': {
      const below = liftFrom(plan.input, outer, existsOnly);
      if (below === null) return null;
      const up: Bound[] = [];
      const stay: Bound[] = [];
      for (const e of conjuncts(plan.predicate)) ([...columnsOf(e)].some((id) => outer.has(id)) ? up : stay).push(e);
      return { plan: filtered(below.plan, stay), predicates: [...below.predicates, ...up] };
    }
    case 'project': {
      const below = liftFrom(plan.input, outer, existsOnly);
      if (below === null) return null;
      // EXISTS does not use the columns.
      const items = existsOnly ? [] : plan.items;
      if (items.some((item) => [...columnsOf(item.value)].some((id) => outer.has(id)))) return null;
      return { plan: passing({ ...plan, items, columns: existsOnly ? [] : plan.columns }, below), predicates: below.predicates };
    }
    case 'sort':
      return plan.top === undefined ? liftFrom(plan.input, outer, existsOnly) : null;
    case 'distinct':
      return plan.on === null && existsOnly ? liftFrom(plan.input, outer, existsOnly) : null;
    case 'limit':
      if (
        !existsOnly ||
        plan.offset !== null ||
        (plan.limit !== null && !(plan.limit.kind === 'constant' && plan.limit.value !== null && Number(plan.limit.value) > 0))
      )
        return null;
      return liftFrom(plan.input, outer, existsOnly);
    case 'join': {
      if (plan.kind !== 'inner' && plan.kind !== 'left' && plan.kind !== 'semi' && plan.kind !== 'anti') return null;
      const left = liftFrom(plan.left, outer, false);
      const right = plan.kind === 'inner' ? liftFrom(plan.right, outer, false) : { plan: plan.right, predicates: [] };
      if (left === null || right === null) return null;
      const up: Bound[] = [];
      const stay: Bound[] = [];
      for (const e of plan.on === null ? [] : conjuncts(plan.on)) (plan.kind === 'inner' && [...columnsOf(e)].some((id) => outer.has(id)) ? up : stay).push(e);
      const columns = plan.kind === 'semi' || plan.kind === 'anti' ? left.plan.columns : [...left.plan.columns, ...right.plan.columns];
      return {
        plan: { ...plan, left: left.plan, right: right.plan, on: conjunction(stay), columns },
        predicates: [...left.predicates, ...right.predicates, ...up],
      };
    }
    default:
      return null;
  }
}

/** A projection that also outputs the columns of lifted predicates. */
function passing(plan: Plan & { op: 'project' }, below: Lifted): Plan {
  const given = new Set(plan.items.map((item) => item.id));
  const input = new Map(below.plan.columns.map((column) => [column.id, column]));
  const extra: OutputColumn[] = [];
  for (const e of below.predicates) {
    for (const id of columnsOf(e)) {
      const column = input.get(id);
      if (column === undefined || given.has(id)) continue;
      given.add(id);
      extra.push(column);
    }
  }
  return {
    ...plan,
    input: below.plan,
    items: [...plan.items, ...extra.map((column) => ({ id: column.id, value: useOf(column) }))],
    columns: [...plan.columns, ...extra],
  };
}

/** Aggregates that are null over no rows; count is 0. */
const NULL_OVER_NONE = new Set(['sum', 'avg', 'min', 'max', 'bool_and', 'bool_or', 'every']);

type Scalar = Bound & { readonly kind: 'subquery'; readonly plan: Plan };
type Exists = Bound & { readonly kind: 'exists'; readonly plan: Plan };

/** The join that replaces a subquery, and the value in its place. */
interface Joined {
  readonly plan: Plan;
  readonly value: Bound;
}

/** Joins scalar subqueries of one aggregate row in the node's expressions, and EXISTS in combination with other conditions, to its input. */
function scalarsToJoins(plan: Plan & { op: 'filter' | 'project' }, statistics: Statistics, ids: Ids): Plan {
  let input = plan.input;
  const by = new Map<Bound, Bound>();
  const expressions = plan.op === 'filter' ? [plan.predicate] : plan.items.map((item) => item.value);
  for (const e of expressions) {
    const found: (Scalar | Exists)[] = [];
    // Under CASE and similar a subquery may never be evaluated; joined it always is, without effect on the result.
    visitBound(e, (at) => {
      if (at.kind === 'subquery' || at.kind === 'exists') found.push(at as Scalar | Exists);
    });
    for (const query of found) {
      if (by.has(query) || estimateRows(input, statistics) < OUTER_ROWS_MIN) continue;
      const joined = query.kind === 'exists' ? existsToJoin(input, query, statistics, ids) : aggregateToJoin(input, query, statistics, ids);
      if (joined === null) continue;
      input = joined.plan;
      by.set(query, joined.value);
    }
  }
  if (by.size === 0) return plan;
  const changed = withBounds(plan, (e) => rewriteBound(e, (at) => by.get(at) ?? at)) as typeof plan;
  if (changed.op === 'project') return { ...changed, input };
  // A filter passes its input through: the group columns are dropped.
  return {
    op: 'project',
    input: { ...changed, input, columns: input.columns },
    items: plan.columns.map((column) => ({ id: column.id, value: useOf(column) })),
    columns: plan.columns,
  };
}

function aggregateToJoin(input: Plan, query: Scalar, statistics: Statistics, ids: Ids): Joined | null {
  const outer = freeColumns(query.plan);
  if (outer.size === 0 || planIsVolatile(query.plan)) return null;
  const project = query.plan.op === 'project' ? query.plan : null;
  const aggregate = project === null ? query.plan : project.input;
  if (aggregate.op !== 'aggregate' || aggregate.groups.length > 0 || aggregate.sets !== null) return null;
  const simple = (a: BoundAggregate): boolean => NULL_OVER_NONE.has(a.fn.name) || a.fn.name === 'count';
  if (!aggregate.aggregates.every(simple)) return null;
  const lifted = lift(aggregate.input, outer, false);
  if (lifted === null || lifted.predicates.length === 0) return null;
  const keys = joinKeys(conjunction(lifted.predicates), idsOf(input), idsOf(lifted.plan));
  if (keys.rest.length > 0 || keys.left.length === 0) return null;
  if (costSeparately(input, keys.left, lifted, statistics) < costGrouped(lifted.plan, statistics)) return null;
  const value = project === null ? useOf(query.plan.columns[0]) : project.items.find((item) => item.id === query.plan.columns[0].id)!.value;
  if ([...columnsOf(value)].some((id) => outer.has(id))) return null;
  const bare: Plan = { ...aggregate, input: lifted.plan };
  if ([...freeColumns(bare)].some((id) => outer.has(id))) return null;
  const { plan } = groupedJoin(input, lifted, keys.right, aggregate, statistics, ids);
  const counts = new Map<ColumnId, Bound>();
  for (const a of aggregate.aggregates) {
    if (a.fn.name !== 'count') continue;
    const column: Bound = { kind: 'column', id: a.id, type: a.type, typmod: -1 };
    counts.set(a.id, { kind: 'coalesce', args: [column, { kind: 'constant', value: 0, type: a.type, typmod: -1 }], type: a.type, typmod: -1 });
  }
  return { plan, value: substitute(value, counts) };
}

/** EXISTS under OR, NOT or CASE, or as a value: a left join with the keys of its rows, which matches if they are not null. */
function existsToJoin(input: Plan, query: Exists, statistics: Statistics, ids: Ids): Joined | null {
  const outer = freeColumns(query.plan);
  if (outer.size === 0 || planIsVolatile(query.plan)) return null;
  const lifted = lift(query.plan, outer, true);
  if (lifted === null || lifted.predicates.length === 0) return null;
  const keys = joinKeys(conjunction(lifted.predicates), idsOf(input), idsOf(lifted.plan));
  if (keys.rest.length > 0 || !lifted.predicates.every((e) => e.kind === 'call' && e.fn.strict !== false)) return null;
  // A row type with a null in it is neither null nor not null.
  const mark = keys.right.findIndex(({ type }) => type.category !== 'C' && type.name !== 'record');
  if (mark < 0) return null;
  if (costSeparately(input, keys.left, lifted, statistics) < costGrouped(lifted.plan, statistics)) return null;
  const none = { op: 'aggregate', groups: [], aggregates: [], sets: null, grouping: [], columns: [] } as const;
  const { plan, groups } = groupedJoin(input, lifted, keys.right, none, statistics, ids);
  return { plan, value: { kind: 'isNull', arg: groups[mark], negated: true, type: query.type, typmod: -1 } };
}

/** The input joined with the lifted rows grouped by their equality columns; `groups`: the columns of these. */
function groupedJoin(
  input: Plan,
  lifted: Lifted,
  keys: readonly Bound[],
  aggregate: Omit<AggregatePlan, 'input'>,
  statistics: Statistics,
  ids: Ids,
): { readonly plan: Plan; readonly groups: readonly Bound[] } {
  const groups = keys.map((key) => ({ id: ids.fresh(), value: key }));
  const made = groups.map(({ id, value }): OutputColumn => ({ id, name: '', type: value.type, typmod: value.typmod }));
  const grouped: AggregatePlan = { ...aggregate, input: within(lifted.plan, statistics, ids), groups, columns: [...made, ...aggregate.columns] };
  // The predicates over the groups.
  const on = lifted.predicates.map((e) => {
    const call = e as Bound & { kind: 'call' };
    return { ...call, args: call.args.map((arg) => groupFor(arg, groups) ?? arg) };
  });
  const plan: Plan = {
    op: 'join',
    kind: 'left',
    left: input,
    right: grouped,
    on: conjunction(on),
    lateral: false,
    columns: [...input.columns, ...grouped.columns],
  };
  return { plan, groups: made.map(useOf) };
}

/** The cost of running the subquery for each distinct outer key, if a key or index finds its rows; otherwise infinite. */
function costSeparately(input: Plan, outer: readonly Bound[], { plan, predicates }: Lifted, statistics: Statistics): number {
  const scan = scanBelow(plan);
  if (scan === null) return Infinity;
  const found = findAccess(scan.scan, [...predicates, ...scan.predicates], statistics);
  if (found === null || found.access.equal.length === 0) return Infinity;
  const rows = estimateRows(input, statistics);
  let keys = 1;
  for (const e of outer) keys *= distinctOf(e, input, statistics) ?? rows;
  return Math.min(rows, keys) * (RUN_COST + lookupCost(scan.scan, found, statistics));
}

export function costGrouped(plan: Plan, statistics: Statistics): number {
  const scan = scanBelow(plan);
  const rows = estimateRows(plan, statistics);
  return (scan === null ? rows : scanCost(estimateRows(scan.scan, statistics))) + rows * GROUP_COST;
}

/** A scan under filters and projections. */
export function scanBelow(plan: Plan): { readonly scan: ScanPlan; readonly predicates: readonly Bound[] } | null {
  const predicates: Bound[] = [];
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') {
    if (p.op === 'filter') predicates.push(...conjuncts(p.predicate));
    p = p.input;
  }
  return p.op === 'scan' ? { scan: p, predicates } : null;
}

function groupFor(e: Bound, groups: readonly { readonly id: ColumnId; readonly value: Bound }[]): Bound | null {
  const group = groups.find((one) => one.value === e);
  return group === undefined ? null : { kind: 'column', id: group.id, type: e.type, typmod: e.typmod };
}
