/**
 * min and max of a column that a key or an index orders: reads its first (or last) qualifying row instead of all rows.
 *
 *   SELECT max(x) FROM t WHERE c   →   SELECT (SELECT x FROM t WHERE c AND x IS NOT NULL ORDER BY x DESC LIMIT 1)
 */
import type { Bound, BoundAggregate, BoundSort, ColumnId } from '../bound.ts';
import type { AggregatePlan, OutputColumn, Plan, ScanPlan } from '../logical.ts';
import { BOOL } from '../../types/bool.ts';
import { INT8 } from '../../types/integers.ts';
import { chooseAccess } from './access.ts';
import type { Ids } from './decorrelate.ts';
import { sortByAccess } from './order.ts';
import { filtered, substitute } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { conjuncts, hasSubquery, isVolatile, onlyLeavesOut } from './walk.ts';

export function extremesByAccess(plan: Plan, statistics: Statistics, ids: Ids): Plan {
  if (plan.op !== 'aggregate' || plan.groups.length > 0 || plan.sets !== null || plan.aggregates.length === 0) return plan;
  const below = scanBelow(plan);
  if (below === null) return plan;
  const values: { id: ColumnId; value: Bound }[] = [];
  for (const a of plan.aggregates) {
    const value = firstOf(a, below.scan, below.predicates, statistics, ids);
    if (value === null) return plan;
    values.push({ id: a.id, value });
  }
  return { op: 'project', input: { op: 'values', rows: [[]], columns: [] }, items: values, columns: plan.columns };
}

function scanBelow(plan: AggregatePlan): { scan: ScanPlan; predicates: Bound[] } | null {
  const predicates: Bound[] = [];
  let p: Plan = plan.input;
  while (p.op === 'filter' || (p.op === 'project' && onlyLeavesOut(p))) {
    if (p.op === 'filter') predicates.push(...conjuncts(p.predicate));
    // Conditions above a barrier must not be evaluated before those below.
    else if (p.op === 'project' && p.barrier === true && predicates.length > 0) return null;
    p = p.input;
  }
  if (p.op !== 'scan' || predicates.some((e) => isVolatile(e) || hasSubquery(e))) return null;
  return { scan: p, predicates };
}

function firstOf(a: BoundAggregate, scan: ScanPlan, predicates: readonly Bound[], statistics: Statistics, ids: Ids): Bound | null {
  if ((a.fn.name !== 'min' && a.fn.name !== 'max') || a.filter !== null || a.orderBy.length > 0 || a.args.length !== 1) return null;
  const [arg] = a.args;
  if (arg.kind !== 'column' || arg.type.oid !== a.type.oid) return null;
  // Fresh columns: a plan may contain several of these.
  const by = new Map<ColumnId, Bound>();
  const columns = scan.columns.map((column): OutputColumn => {
    const made = { ...column, id: ids.fresh() };
    by.set(column.id, { kind: 'column', id: made.id, type: made.type, typmod: made.typmod });
    return made;
  });
  const value = by.get(arg.id);
  if (value === undefined) return null;
  const own: ScanPlan = { ...scan, columns, access: undefined };
  const asked = predicates.map((e) => substitute(e, by));
  if (a.fn.name === 'max') asked.push({ kind: 'isNull', arg: value, negated: true, type: BOOL, typmod: -1 });
  const descending = a.fn.name === 'max';
  const key: BoundSort = { value, descending, nullsFirst: descending };
  const one: Bound = { kind: 'constant', value: 1, type: INT8, typmod: -1 };
  const sort = (input: Plan): Plan => ({ op: 'sort', input, keys: [key], top: { limit: one, offset: null }, columns });
  const tried = sort(chooseAccess(own, asked, statistics));
  if (sortByAccess(tried, statistics) === tried) return null;
  const first: Plan = { op: 'limit', input: sort(filtered(own, asked)), limit: one, offset: null, ties: null, columns };
  const column = columns.find(({ id }) => id === (value as Bound & { kind: 'column' }).id)!;
  return {
    kind: 'subquery',
    plan: { op: 'project', input: first, items: [{ id: column.id, value }], columns: [column] },
    type: a.type,
    typmod: -1,
  };
}
