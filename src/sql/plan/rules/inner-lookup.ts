/** How a join looks up the rows of one side for each row of the other: by key, by index, or by a hash of a virtual relation. */
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
  /** The scan with the lookup. */
  readonly scan: Plan;
  /** Of one lookup, in rows of a full scan. */
  readonly cost: number;
  /** The same for an existence test: the first row suffices, and so does an index entry. */
  readonly existsCost: number;
  /** Predicates that hold for every row it finds. */
  readonly implied: readonly Bound[];
}

/** The cost of a lookup in an existing hash, and of each row that it finds. */
const HASH_COST = 3;
const HASH_ROW_COST = 1.5;

/** The relation below filters; null for other plans, or if it already has an access path. */
export function sourceBelow(plan: Plan): Source | null {
  const [input, predicates] = plan.op === 'filter' ? [plan.input, conjuncts(plan.predicate)] : [plan, []];
  if (input.op === 'scan') return input.access === undefined ? { scan: input, predicates } : null;
  return input.op === 'virtualScan' && input.lookup === undefined ? { scan: input, predicates } : null;
}

/** The cost of reading the rows below the plan. */
export function sourceCost(plan: Plan, statistics: Statistics): number {
  const input = plan.op === 'filter' ? plan.input : plan;
  if (input.op === 'scan') return input.access === undefined ? scanCost(estimateRows(input, statistics)) : estimateRows(input, statistics);
  if (input.op === 'virtualScan' && plan.op === 'filter' && input.lookup === undefined) {
    const found = findVirtual(input, conjuncts(plan.predicate), (values) => !values.some(hasSubquery));
    return found === null ? estimateRows(input, statistics) : Math.max(1, found.rows);
  }
  return estimateRows(plan, statistics);
}

/** The lookup of a relation for one row of the other side; null if the conditions use no key, index or hash. */
export function lookupByOuter(
  { scan, predicates }: Source,
  on: readonly Bound[],
  isOuter: (id: ColumnId) => boolean,
  statistics: Statistics,
): InnerLookup | null {
  const isBound = (values: readonly Bound[]): boolean => values.some((e) => [...columnsOf(e)].some(isOuter));
  if (scan.op === 'virtualScan') {
    // A subquery may provide a lookup value; one that is evaluated per row found makes other joins better.
    const asking = on.filter(hasSubquery);
    const found = asking.length > 1 ? null : findVirtual(scan, asking.length === 1 ? asking : on, isBound);
    if (found === null) return null;
    const lookup = { ...found.lookup, rowsEach: found.rows };
    const cost = HASH_COST + found.rows * HASH_ROW_COST;
    return { scan: { ...scan, lookup }, cost, existsCost: cost, implied: [found.implied] };
  }
  if (on.some(hasSubquery)) return null;
  const found = findAccess(scan, [...on, ...predicates], statistics);
  if (found === null || !isBound([...found.access.equal, ...(found.access.oneOf ?? [])])) return null;
  const cost = lookupCost(scan, found, statistics);
  const answered = [...on, ...predicates].every((e) => found.implied.includes(e));
  return {
    scan: { ...scan, access: { ...found.access, rowsEach: found.rows } },
    cost,
    existsCost: answered ? lookupCost(scan, { access: found.access, rows: Math.min(found.rows, found.access.index === null ? 1 : 0) }, statistics) : cost,
    implied: found.implied,
  };
}

/** The join with this lookup on its right side. */
export function lookingUp(plan: JoinPlan, { scan, implied }: InnerLookup): JoinPlan {
  const { predicates } = sourceBelow(plan.right)!;
  const open = (list: readonly Bound[]): Bound[] => list.filter((e) => !implied.includes(e));
  return { ...plan, on: conjunction(open(conjuncts(plan.on!))), right: filtered(scan, open(predicates)), lateral: true };
}
