/**
 * The optimizer: subqueries become joins, predicates are pushed down, joins ordered, access paths chosen, sorts removed or limited.
 * The columns of the plan stay the same.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { runSteps } from '../../../base/run-steps.ts';
import type { ColumnId } from '../bound.ts';
import type { Plan } from '../logical.ts';
import { chooseAccess } from './access.ts';
import { countByAccess } from './count-access.ts';
import { coverScans } from './coverage.ts';
import { decorrelate, type Ids } from './decorrelate.ts';
import { extremesByAccess } from './extremes.ts';
import { foldConstants } from './fold.ts';
import { groupsByOuter } from './groups-by-outer.ts';
import { expandHierarchies } from './hierarchies.ts';
import { orderJoins } from './join-order.ts';
import { deferSubqueries } from './deferred-subqueries.ts';
import { nearestByRank } from './nearest.ts';
import { oneRowFunctions } from './one-row.ts';
import { sortByAccess, topOfSort } from './order.ts';
import { appendInOrder } from './append-order.ts';
import { pushDown } from './pushdown.ts';
import { filtered, rewritePlan, withBounds, withInputs, withSubqueries } from './rewrite.ts';
import { NO_STATISTICS, type Statistics } from './statistics.ts';
import { topOfUnion } from './top-of-union.ts';
import { findVirtual } from './virtual-lookup.ts';
import { boundsOf, conjuncts, hasSubquery, inputsOf, visitBound } from './walk.ts';

export function optimize(plan: Plan, statistics: Statistics = NO_STATISTICS): Plan {
  return runSteps(optimizeSteps(plan, statistics));
}

/** The same in steps, one per rule, with yields. */
export function* optimizeSteps(plan: Plan, statistics: Statistics = NO_STATISTICS): Generator<void, Plan> {
  let last = greatestId(plan);
  try {
    yield;
    const folded = foldConstants(plan);
    yield;
    return yield* improve(folded, statistics, { fresh: () => ++last });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError('54001', 'stack depth limit exceeded', { cause: error });
  }
}

function* improve(plan: Plan, known: Statistics, ids: Ids): Generator<void, Plan> {
  // Twice: predicates gather where subqueries are, and are pushed past the joins that these become.
  const pushed = rewritePlan(pushDown(rewritePlan(plan, oneRowFunctions)), (at) => topOfUnion(deferSubqueries(at)));
  yield;
  const statistics = withCommon(known, pushed);
  let made = expandHierarchies(pushDown(decorrelate(pushed, statistics, ids)), ids);
  yield;
  made = rewritePlan(made, (at) => groupsByOuter(at, statistics));
  made = joins(made, statistics);
  yield;
  made = rewritePlan(made, (at) => extremesByAccess(at, statistics, ids));
  made = rewritePlan(made, (at) => countByAccess(at, statistics));
  yield;
  made = accesses(made, statistics);
  yield;
  made = rewritePlan(made, (at) => appendInOrder(at));
  made = rewritePlan(made, (at) => topOfSort(at));
  made = rewritePlan(made, (at) => nearestByRank(at, statistics, ids));
  made = rewritePlan(made, (at) => sortByAccess(at, statistics));
  yield;
  // One that occurs in several places stays shared.
  const improved = new Map<Plan, Plan>();
  for (const query of subqueriesOf(made)) if (!improved.has(query)) improved.set(query, yield* improve(query, statistics, ids));
  made = rewritePlan(made, (at) => withBounds(at, (e) => withSubqueries(e, (query) => improved.get(query) ?? query)));
  yield;
  return coverScans(made);
}

/** Those in the expressions of the plan's nodes, leaves first; not nested ones. */
function subqueriesOf(plan: Plan): Plan[] {
  const found: Plan[] = [];
  const look = (at: Plan): void => {
    for (const input of inputsOf(at)) look(input);
    for (const e of boundsOf(at)) {
      visitBound(e, (part) => {
        if (part.kind === 'exists' || part.kind === 'subquery' || part.kind === 'arrayQuery' || part.kind === 'quantifiedQuery') found.push(part.plan);
      });
    }
  };
  look(plan);
  return found;
}

/** The statistics, extended by the plan's WITH definitions. */
function withCommon(statistics: Statistics, plan: Plan): Statistics {
  const definitions = new Map<number, Plan>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'with') for (const definition of p.definitions) definitions.set(definition.number, definition.plan);
    stack.push(...inputsOf(p));
  }
  if (definitions.size === 0) return statistics;
  return { ...statistics, common: (number) => definitions.get(number) ?? statistics.common?.(number) };
}

/** Top-down: a tree of joins is ordered as a whole. */
function joins(plan: Plan, statistics: Statistics): Plan {
  return orderJoins(plan, statistics, (inside) => joins(inside, statistics));
}

function accesses(plan: Plan, statistics: Statistics): Plan {
  if (plan.op === 'filter' && plan.input.op === 'scan') return chooseAccess(plan.input, conjuncts(plan.predicate), statistics);
  if (plan.op === 'filter' && plan.input.op === 'virtualScan' && plan.input.lookup === undefined) {
    const found = findVirtual(plan.input, conjuncts(plan.predicate), (values) => !values.some(hasSubquery));
    if (found === null) return plan;
    return filtered(
      { ...plan.input, lookup: found.lookup },
      conjuncts(plan.predicate).filter((e) => e !== found.implied),
    );
  }
  return withInputs(
    plan,
    inputsOf(plan).map((input) => accesses(input, statistics)),
  );
}

function greatestId(plan: Plan): ColumnId {
  let greatest = 0;
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    for (const column of p.columns) greatest = Math.max(greatest, column.id);
    if (p.op === 'merge') greatest = Math.max(greatest, p.done.id);
    if (p.op === 'insert' || p.op === 'update' || p.op === 'merge') for (const id of p.row) greatest = Math.max(greatest, id);
    if (p.op === 'update' && p.rowKey !== undefined) greatest = Math.max(greatest, p.rowKey);
    if (p.op === 'merge') for (const { check } of p.branches) for (const id of check?.row ?? []) greatest = Math.max(greatest, id);
    if (p.op === 'insert' || p.op === 'update') for (const id of p.check?.row ?? []) greatest = Math.max(greatest, id);
    if (p.op === 'insert')
      for (const id of [p.rowKey, p.conflict?.xmax ?? 0, ...(p.conflict?.excluded ?? []), ...(p.conflict?.check?.row ?? []), ...(p.conflict?.unmet?.row ?? [])])
        greatest = Math.max(greatest, id);
    for (const e of boundsOf(p)) {
      visitBound(e, (at) => {
        if (at.kind === 'column' || at.kind === 'let') greatest = Math.max(greatest, at.id);
        if (at.kind === 'exists' || at.kind === 'subquery' || at.kind === 'arrayQuery' || at.kind === 'quantifiedQuery') stack.push(at.plan);
      });
    }
    stack.push(...inputsOf(p));
  }
  return greatest;
}
