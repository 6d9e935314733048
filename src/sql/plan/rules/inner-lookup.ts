/** How a join finds the rows of one side for each row of the other: by key, by index, or by a hash of a virtual relation. */
import type { Bound, ColumnId } from '../bound.ts';
import type { JoinPlan, Plan, ScanPlan, VirtualScanPlan } from '../logical.ts';
import { findAccess, lookupCost, scanCost } from './access.ts';
import { estimateRows } from './estimate.ts';
import { conjunction, filtered } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { findVirtual } from './virtual-lookup.ts';
import { columnsOf, conjuncts, hasSubquery } from './walk.ts';

export interface Source {
  readonly scan: ScanPlan | VirtualScanPlan;
  readonly predicates: readonly Bound[];
}

export interface InnerLookup {
  /** The scan that looks up. */
  readonly scan: Plan;
  /** Of one lookup, in rows of a full scan. */
  readonly cost: number;
  /** The same where only asked is whether there is a row: the first one answers, and an entry of an index is enough. */
  readonly existsCost: number;
  /** Predicates that hold for every row it finds. */
  readonly settled: readonly Bound[];
}

/** A lookup in a hash that is there, and each row that it finds. */
const HASH_COST = 3;
const HASH_ROW_COST = 1.5;

/** The relation below filters; null where the plan is something else, or goes by an access already. */
export function sourceBelow(plan: Plan): Source | null {
  const [input, predicates] = plan.op === 'filter' ? [plan.input, conjuncts(plan.predicate)] : [plan, []];
  if (input.op === 'scan') return input.access === undefined ? { scan: input, predicates } : null;
  return input.op === 'virtualScan' && input.lookup === undefined ? { scan: input, predicates } : null;
}

/** What reading the rows costs that make the plan's. */
export function sourceCost(plan: Plan, statistics: Statistics): number {
  const input = plan.op === 'filter' ? plan.input : plan;
  if (input.op === 'scan') return input.access === undefined ? scanCost(estimateRows(input, statistics)) : estimateRows(input, statistics);
  if (input.op === 'virtualScan' && plan.op === 'filter' && input.lookup === undefined) {
    const found = findVirtual(input, conjuncts(plan.predicate), (values) => !values.some(hasSubquery));
    return found === null ? estimateRows(input, statistics) : Math.max(1, found.rows);
  }
  return estimateRows(plan, statistics);
}

/** How a relation finds its rows for one row of the other side; null where that says nothing about its key, an index or a hash. */
export function lookupByOuter(
  { scan, predicates }: Source,
  on: readonly Bound[],
  isOuter: (id: ColumnId) => boolean,
  statistics: Statistics,
): InnerLookup | null {
  const isBound = (values: readonly Bound[]): boolean => values.some((e) => [...columnsOf(e)].some(isOuter));
  if (scan.op === 'virtualScan') {
    // A subquery may give a lookup its value; one that is left to be asked for each row found is for other joins.
    const asking = on.filter(hasSubquery);
    const found = asking.length > 1 ? null : findVirtual(scan, asking.length === 1 ? asking : on, isBound);
    if (found === null) return null;
    const lookup = { ...found.lookup, rowsEach: found.rows };
    const cost = HASH_COST + found.rows * HASH_ROW_COST;
    return { scan: { ...scan, lookup }, cost, existsCost: cost, settled: [found.settled] };
  }
  if (on.some(hasSubquery)) return null;
  const found = findAccess(scan, [...on, ...predicates], statistics);
  if (found === null || !isBound([...found.access.equal, ...(found.access.oneOf ?? [])])) return null;
  const cost = lookupCost(scan, found, statistics);
  const answered = [...on, ...predicates].every((e) => found.settled.includes(e));
  return {
    scan: { ...scan, access: { ...found.access, rowsEach: found.rows } },
    cost,
    existsCost: answered ? lookupCost(scan, { access: found.access, rows: Math.min(found.rows, found.access.index === null ? 1 : 0) }, statistics) : cost,
    settled: found.settled,
  };
}

/** The join whose right side goes by this lookup. */
export function lookingUp(plan: JoinPlan, { scan, settled }: InnerLookup): JoinPlan {
  const { predicates } = sourceBelow(plan.right)!;
  const open = (list: readonly Bound[]): Bound[] => list.filter((e) => !settled.includes(e));
  return { ...plan, on: conjunction(open(conjuncts(plan.on!))), right: filtered(scan, open(predicates)), lateral: true };
}
