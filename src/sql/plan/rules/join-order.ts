/**
 * The order of inner joins: of a few relations the cheapest tree; of more, greedily, the pair with the fewest rows
 * first, then always the relation that leaves the fewest. The smaller side is the one that is hashed (the right); where one side is small and the other has
 * a key or index for the condition, its rows are looked up instead.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { JoinPlan, Plan, ScanPlan } from '../logical.ts';
import { findAccess, LOOKUP_COST } from './access.ts';
import { estimateRows } from './estimate.ts';
import { joinKeys } from './join-keys.ts';
import { cheapestTree, type Tree } from './join-search.ts';
import { conjunction, filtered } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, conjuncts, freeColumns, hasSubquery, isVolatile } from './walk.ts';

/** Past so many relations the order is left as written. */
const RELATIONS_MAX = 40;
/** Up to so many all trees are looked at. */
const SEARCHED_MAX = 9;
/** Starting a lookup costs as much as reading so many rows. */
const START_COST = 100;

const idsOf = (plan: Plan): Set<ColumnId> => new Set(plan.columns.map((column) => column.id));

export function orderJoins(plan: Plan, statistics: Statistics): Plan {
  if (plan.op !== 'join') return plan;
  if (plan.kind !== 'inner' || isLateral(plan)) return byLookup(plan, statistics) ?? plan;
  const relations: Plan[] = [];
  const predicates: Bound[] = [];
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'join' && p.kind === 'inner' && !isLateral(p) && (p.on === null || !isVolatile(p.on))) {
      if (p.on !== null) predicates.push(...conjuncts(p.on));
      stack.push(p.right, p.left);
    } else relations.push(p);
  }
  if (relations.length > RELATIONS_MAX) return plan;
  let made = relations.length <= SEARCHED_MAX ? searched(relations, predicates, statistics) : greedy(relations, predicates, statistics);
  if (made.columns !== plan.columns) made = { ...made, columns: plan.columns } as Plan;
  return made;
}

function isLateral(plan: JoinPlan): boolean {
  const left = idsOf(plan.left);
  return [...freeColumns(plan.right)].some((id) => left.has(id));
}

function searched(relations: readonly Plan[], bounds: readonly Bound[], statistics: Statistics): Plan {
  const own = relations.map(idsOf);
  const predicates = bounds.map((bound) => {
    let mask = 0;
    for (const id of columnsOf(bound)) own.forEach((ids, i) => (mask |= ids.has(id) ? 1 << i : 0));
    return { bound, mask };
  });
  const rows = relations.map((relation) => Math.max(1, estimateRows(relation, statistics)));
  const shares: { mask: number; share: number }[] = [];
  for (const mask of new Set(predicates.map((each) => each.mask))) {
    const about = predicates.filter((each) => each.mask === mask).map(({ bound }) => bound);
    const members = relations.flatMap((_, i) => ((mask & (1 << i)) === 0 ? [] : [i]));
    if (members.length === 2) {
      const [a, b] = members;
      const pair = joinOf(relations[a], relations[b], about);
      shares.push({ mask, share: estimateRows(pair, statistics) / (rows[a] * rows[b]) });
    } else if (members.length > 0) shares.push({ mask, share: 0.4 ** about.length });
  }
  const lookups = new Map<string, number | null>();
  const lookup = (relation: number, set: number): number | null => {
    const inner = scanBelow(relations[relation]);
    if (inner === null || inner.scan.access !== undefined) return null;
    const bit = 1 << relation;
    const about = predicates.filter(({ mask }) => (mask & bit) !== 0 && (mask & set) !== 0 && (mask & (set | bit)) === mask);
    const key = `${relation}:${about.map((each) => predicates.indexOf(each)).join()}`;
    let known = lookups.get(key);
    if (known === undefined) {
      const found = about.some(({ bound }) => hasSubquery(bound))
        ? null
        : findAccess(inner.scan, [...about.map(({ bound }) => bound), ...inner.predicates], statistics);
      const bound = found === null ? [] : [...found.access.equal, ...(found.access.oneOf ?? [])];
      const byOuter = bound.some((e) => [...columnsOf(e)].some((id) => !own[relation].has(id)));
      lookups.set(key, (known = found !== null && byOuter ? START_COST + found.rows * LOOKUP_COST : null));
    }
    return known;
  };
  const reading = relations.map((relation) => sourceRows(relation, statistics));
  const planOf = (tree: Tree): Plan => {
    if (tree.split === null) return relations[tree.relation];
    const [one, other] = tree.split;
    const inside = (mask: number, part: Tree): boolean => part.split !== null && (mask & part.set) === mask;
    const used = predicates.filter(({ mask }) => mask !== 0 && (mask & tree.set) === mask && !inside(mask, one) && !inside(mask, other));
    const [l, r] = [planOf(one), planOf(other)];
    const plan = sided(
      joinOf(
        l,
        r,
        used.map(({ bound }) => bound),
      ),
      one.rows,
      other.rows,
    );
    return byLookup(plan, statistics) ?? plan;
  };
  return filtered(
    planOf(cheapestTree({ plans: relations, rows, reading, predicates, shares, lookup })),
    predicates.filter(({ mask }) => mask === 0).map(({ bound }) => bound),
  );
}

function joinOf(left: Plan, right: Plan, on: readonly Bound[]): JoinPlan {
  return { op: 'join', kind: 'inner', left, right, on: conjunction(on), lateral: false, columns: [...left.columns, ...right.columns] };
}

/** The smaller side is hashed; without anything to hash, rows come in the order in which the sides are written. */
function sided(join: JoinPlan, left: number, right: number): JoinPlan {
  if (left >= right || joinKeys(join.on, idsOf(join.left), idsOf(join.right)).left.length === 0) return join;
  return joinOf(join.right, join.left, join.on === null ? [] : conjuncts(join.on));
}

function greedy(relations: readonly Plan[], predicates: readonly Bound[], statistics: Statistics): Plan {
  const left = [...relations];
  let open = [...predicates];
  const all = new Set(relations.flatMap((relation) => [...idsOf(relation)]));
  const applicable = (e: Bound, given: ReadonlySet<ColumnId>): boolean => [...columnsOf(e)].every((id) => !all.has(id) || given.has(id));
  const join = (a: Plan, b: Plan): { plan: JoinPlan; used: Bound[] } => {
    const given = new Set([...idsOf(a), ...idsOf(b)]);
    const used = open.filter((e) => applicable(e, given));
    return { plan: sided(joinOf(a, b, used), estimateRows(a, statistics), estimateRows(b, statistics)), used };
  };
  /** Joins without a condition come last. */
  const cost = (one: { plan: JoinPlan; used: Bound[] }): number => estimateRows(one.plan, statistics) * (one.used.length === 0 ? 1e6 : 1);
  let current = null as Plan | null;
  while (left.length > (current === null ? 1 : 0)) {
    let best: { plan: JoinPlan; used: Bound[]; a: number; b: number } | null = null;
    let least = Infinity;
    for (let i = 0; i < left.length; i++) {
      const first: number = current === null ? i + 1 : -1;
      const end = current === null ? left.length : 0;
      for (let k = first; k < end; k++) {
        // As written where nothing speaks for the other way round.
        const one = current === null ? join(left[i], left[k]) : join(current, left[i]);
        const c = cost(one);
        if (best === null || c < least) {
          least = c;
          best = { ...one, a: i, b: k };
        }
      }
    }
    const { plan, used, a, b }: { plan: JoinPlan; used: Bound[]; a: number; b: number } = best!;
    open = open.filter((e) => !used.includes(e));
    left.splice(Math.max(a, b), 1);
    if (b >= 0) left.splice(Math.min(a, b), 1);
    current = byLookup(plan, statistics) ?? plan;
  }
  return filtered(current ?? left[0], open);
}

/** The join by lookups of one side's rows through its key or an index, where that reads less. */
function byLookup(plan: JoinPlan, statistics: Statistics): Plan | null {
  if (plan.on === null || isLateral(plan) || plan.kind === 'full' || plan.kind === 'right' || hasSubquery(plan.on)) return null;
  const sides: [Plan, Plan][] =
    plan.kind === 'inner'
      ? [
          [plan.left, plan.right],
          [plan.right, plan.left],
        ]
      : [[plan.left, plan.right]];
  let best: Plan | null = null;
  let least = estimateRows(plan.left, statistics) + sourceRows(plan.right, statistics) * 3;
  if (plan.kind === 'inner') least = sourceRows(plan.left, statistics) + sourceRows(plan.right, statistics) * 3;
  for (const [outer, inner] of sides) {
    const scan = scanBelow(inner);
    if (scan === null || scan.scan.access !== undefined) continue;
    const found = findAccess(scan.scan, [...conjuncts(plan.on), ...scan.predicates], statistics);
    if (found === null) continue;
    const outerIds = idsOf(outer);
    const bound = [...found.access.equal, ...(found.access.oneOf ?? [])];
    if (!bound.some((e) => [...columnsOf(e)].some((id) => outerIds.has(id)))) continue;
    const outerRows = estimateRows(outer, statistics);
    const cost = (plan.kind === 'inner' ? sourceRows(outer, statistics) : outerRows) + outerRows * (START_COST + found.rows * LOOKUP_COST);
    if (cost >= least) continue;
    least = cost;
    best = { ...plan, left: outer, right: filtered({ ...scan.scan, access: found.access }, scan.predicates), lateral: true };
  }
  return best;
}

/** Rows that have to be read to make the plan's. */
function sourceRows(plan: Plan, statistics: Statistics): number {
  const scan = scanBelow(plan);
  return scan === null ? estimateRows(plan, statistics) : estimateRows(scan.scan, statistics);
}

function scanBelow(plan: Plan): { scan: ScanPlan; predicates: readonly Bound[] } | null {
  if (plan.op === 'scan') return { scan: plan, predicates: [] };
  if (plan.op === 'filter' && plan.input.op === 'scan') return { scan: plan.input, predicates: conjuncts(plan.predicate) };
  return null;
}
