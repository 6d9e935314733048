/**
 * Join ordering: for few relations joined by inner, semi and anti joins the cheapest tree; for more, greedily, the pair with the
 * fewest rows first, then always the relation that leaves the fewest. A semi or anti join only removes rows, so it may be applied at
 * its own relation or after other joins have left few rows.
 */
import type { Bound, ColumnId } from '../bound.ts';
import type { JoinPlan, Plan } from '../logical.ts';
import { equalColumns } from './equivalence.ts';
import { estimateRows } from './estimate.ts';
import { type InnerLookup, lookingUp, lookupByOuter, sourceBelow, sourceCost } from './inner-lookup.ts';
import { joinKeys } from './join-keys.ts';
import { BUILD_COST, cheapestTree, type EqualPair, PROBE_COST, type Tree } from './join-search.ts';
import { conjunction, filtered, withInputs } from './rewrite.ts';
import type { Statistics } from './statistics.ts';
import { columnsOf, conjuncts, hasSubquery, inputsOf, isLateral, isVolatile, onlyLeavesOut, useOf } from './walk.ts';

/** With more relations the written order is kept. */
const RELATIONS_MAX = 40;
/** Up to this many, all trees are searched. */
const SEARCHED_MAX = 9;
/** Up to this many semi joins are tried at either place. */
const PLACED_MAX = 3;

const idsOf = (plan: Plan): Set<ColumnId> => new Set(plan.columns.map((column) => column.id));

/** `inside` orders the joins below the joined relations. */
export function orderJoins(plan: Plan, statistics: Statistics, inside: (plan: Plan) => Plan): Plan {
  const each = (): Plan => withInputs(plan, inputsOf(plan).map(inside));
  if (plan.op !== 'join') return each();
  const relations: Plan[] = [];
  const predicates: Bound[] = [];
  const asked: JoinPlan[] = [];
  /** Outermost first. */
  const outers: JoinPlan[] = [];
  const lost = new Set<ColumnId>();
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    p = passedOn(p);
    if (p.op !== 'join' || isLateral(p) || (p.on !== null && isVolatile(p.on))) relations.push(p);
    else if (p.kind === 'inner') {
      if (p.on !== null) predicates.push(...conjuncts(p.on));
      stack.push(p.right, p.left);
    } else if ((p.kind === 'semi' || p.kind === 'anti') && p.on !== null && !hasSubquery(p.on)) {
      asked.push(p);
      stack.push(p.left);
    } else if (p.kind === 'left' && p !== plan && p.on !== null && !hasSubquery(p.on)) {
      // It removes no row, so it can be applied after the enclosing joins, which then join its left side's relations directly.
      outers.push(p);
      for (const { id } of p.right.columns) lost.add(id);
      stack.push(p.left);
    } else relations.push(p);
  }
  const needsLost = (e: Bound): boolean => lost.size > 0 && [...columnsOf(e)].some((id) => lost.has(id));
  // A semi join on an outer join's columns comes after it.
  if (relations.length > RELATIONS_MAX || (relations.length === 1 && asked.length === 0) || asked.some((semi) => needsLost(semi.on!))) {
    const made = each() as JoinPlan;
    return byLookup(made, statistics) ?? made;
  }
  for (let i = asked.length - 1; i >= 0; i--) {
    const made = leadingSemi(asked[i], relations, statistics);
    if (made === null) continue;
    relations.push(made);
    predicates.push(...conjuncts(asked[i].on!));
    asked.splice(i, 1);
  }
  const late = predicates.filter(needsLost);
  const early = late.length === 0 ? predicates : predicates.filter((e) => !late.includes(e));
  const ready = relations.map(inside);
  // Innermost first, in their current order.
  const semis = asked.reverse().map((semi) => ({ ...semi, right: inside(passedOn(semi.right)) }));
  const many = ready.length > SEARCHED_MAX;
  let made = many ? withSemis(greedy(ready, early, statistics), semis, statistics) : searched(ready, early, semis, statistics);
  for (const outer of outers.reverse()) {
    const right = inside(passedOn(outer.right));
    const join: JoinPlan = { ...outer, left: made, right, columns: [...made.columns, ...right.columns] };
    made = byLookup(join, statistics) ?? join;
  }
  made = filtered(made, late);
  if (made.columns !== plan.columns) made = { ...made, columns: plan.columns } as Plan;
  return made;
}

/**
 * A few distinct values that a large relation must match, with a key or an index for the lookup: they lead the join, as a relation
 * of their own. Null if the semi join is better applied to the rows.
 */
function leadingSemi(semi: JoinPlan, relations: readonly Plan[], statistics: Statistics): Plan | null {
  if (semi.kind !== 'semi' || semi.on === null || relations.length >= SEARCHED_MAX) return null;
  const its = idsOf(semi.right);
  const relation = relations.find((each) => {
    const own = idsOf(each);
    return [...columnsOf(semi.on!)].every((id) => own.has(id) || its.has(id));
  });
  const source = relation === undefined ? null : sourceBelow(relation);
  if (source === null) return null;
  const keys = joinKeys(semi.on, idsOf(relation!), its);
  if (keys.rest.length > 0 || keys.right.length === 0) return null;
  const values = new Set<ColumnId>();
  for (const key of keys.right) {
    if (key.kind !== 'column') return null;
    values.add(key.id);
  }
  const lookup = lookupByOuter(source, conjuncts(semi.on), (id) => its.has(id), statistics);
  if (lookup === null || estimateRows(semi.right, statistics) * (lookup.cost + BUILD_COST) * 2 > sourceCost(relation!, statistics)) return null;
  const columns = semi.right.columns.filter(({ id }) => values.has(id));
  const items = columns.map((column) => ({ id: column.id, value: useOf(column) }));
  return { op: 'distinct', input: { op: 'project', input: semi.right, items, columns }, on: null, columns };
}

/** The plan below a projection that only removes columns: joins name the columns they read. Joins below a barrier are ordered separately. */
function passedOn(plan: Plan): Plan {
  let p = plan;
  while (p.op === 'project' && onlyLeavesOut(p) && !(p.barrier === true && joinsBelow(p))) p = p.input;
  return p;
}

function joinsBelow(plan: Plan): boolean {
  let p = plan;
  while (p.op === 'filter' || p.op === 'project') p = p.input;
  return p.op !== 'scan';
}

/** A predicate with its relations. */
interface Asked {
  readonly bound: Bound;
  readonly mask: number;
  readonly sides: readonly [number, number] | null;
}

/** A semi or anti join, and its cost. */
interface Semi {
  readonly join: JoinPlan;
  readonly mask: number;
  readonly share: number;
  cost(rows: number): number;
}

function searched(relations: readonly Plan[], bounds: readonly Bound[], joins: readonly JoinPlan[], statistics: Statistics): Plan {
  const own = relations.map(idsOf);
  const maskOf = (e: Bound): number => {
    let mask = 0;
    for (const id of columnsOf(e)) own.forEach((ids, i) => (mask |= ids.has(id) ? 1 << i : 0));
    return mask;
  };
  const described = (bound: Bound): Asked => ({ bound, mask: maskOf(bound), sides: sidesOf(bound, maskOf) });
  const written = bounds.map(described);
  const classes = equalColumns(bounds, (id) => own.findIndex((ids) => ids.has(id))).map(({ written: some, implied }) => ({
    written: written.filter(({ bound }) => some.some((one) => one.bound === bound)),
    implied: implied.map(({ bound }) => described(bound)),
  }));
  const predicates = [...written, ...classes.flatMap(({ implied }) => implied)];
  const rows = relations.map((relation) => Math.max(1, estimateRows(relation, statistics)));
  const shares: { mask: number; share: number }[] = [];
  for (const mask of new Set(written.map((each) => each.mask))) {
    const about = written.filter((each) => each.mask === mask).map(({ bound }) => bound);
    const members = relations.flatMap((_, i) => ((mask & (1 << i)) === 0 ? [] : [i]));
    if (members.length === 2) {
      const [a, b] = members;
      const pair = joinOf(relations[a], relations[b], about);
      shares.push({ mask, share: estimateRows(pair, statistics) / (rows[a] * rows[b]) });
    } else if (members.length > 0) shares.push({ mask, share: 0.4 ** about.length });
  }
  const pairOf = ({ bound, mask }: Asked, isWritten: boolean): EqualPair => {
    const [a, b] = relations.flatMap((_, i) => ((mask & (1 << i)) === 0 ? [] : [i]));
    // Shares are divided by one another, so none is 0.
    const joined = Math.max(estimateRows(joinOf(relations[a], relations[b], [bound]), statistics), 1e-9);
    return { mask, share: joined / (rows[a] * rows[b]), written: isWritten };
  };
  const equalities = classes.map(({ written: some, implied }) =>
    [...some.map((each) => pairOf(each, true)), ...implied.map((each) => pairOf(each, false))].sort((a, b) => b.share - a.share),
  );
  const lookups = new Map<string, InnerLookup | null>();
  const access = (relation: number, set: number): InnerLookup | null => {
    const inner = sourceBelow(relations[relation]);
    if (inner === null) return null;
    const bit = 1 << relation;
    const about: number[] = [];
    for (let i = 0; i < predicates.length; i++) {
      const { mask } = predicates[i];
      if ((mask & bit) !== 0 && (mask & set) !== 0 && (mask & (set | bit)) === mask) about.push(i);
    }
    if (about.length === 0) return null;
    const key = `${relation}:${about.join()}`;
    let known = lookups.get(key);
    if (known === undefined) {
      const on = about.map((i) => predicates[i].bound);
      known = lookupByOuter(inner, on, (id) => !own[relation].has(id), statistics);
      lookups.set(key, known);
    }
    return known;
  };
  const reading = relations.map((relation) => sourceCost(relation, statistics));
  const semis = joins.map((join) => semiOf(join, maskOf(join.on!), relations, statistics));
  const lookup = (relation: number, set: number): number | null => access(relation, set)?.cost ?? null;
  let best: { tree: Tree; places: Map<Semi, number>; cost: number } | null = null;
  for (const early of placesOf(semis)) {
    const [its, reads] = [[...rows], [...reading]];
    const places = new Map<Semi, number>();
    for (const semi of early) {
      const relation = 31 - Math.clz32(semi.mask);
      reads[relation] += semi.cost(its[relation]);
      its[relation] = Math.max(1, its[relation] * semi.share);
      places.set(semi, semi.mask);
    }
    const tree = cheapestTree({
      rows: its,
      reading: reads,
      predicates,
      shares,
      equalities,
      lookup: (relation, set) => (early.some(({ mask }) => mask === 1 << relation) ? null : lookup(relation, set)),
    });
    let { cost } = tree;
    for (const semi of semis) {
      if (places.has(semi)) continue;
      const at = fewestRows(tree, semi.mask);
      places.set(semi, at.set);
      cost += semi.cost(at.rows);
    }
    if (best === null || cost < best.cost) best = { tree, places, cost };
  }
  const { tree, places } = best!;
  const planOf = (node: Tree): Plan => {
    const made = node.split === null ? relations[node.relation] : joined(node, node.split);
    return withSemis(
      made,
      semis.filter((semi) => places.get(semi) === node.set).map(({ join }) => join),
      statistics,
    );
  };
  const joined = (node: Tree, [left, right]: readonly [Tree, Tree]): Plan => {
    const inside = (mask: number, part: Tree): boolean => part.split !== null && (mask & part.set) === mask;
    const used = predicates.filter(({ mask }) => mask !== 0 && (mask & node.set) === mask && !inside(mask, left) && !inside(mask, right));
    // One equality between the sides suffices for each class of equal columns.
    for (const { written: some, implied } of classes) {
      const [, ...rest] = used.filter((each) => some.includes(each) || implied.includes(each));
      for (const each of rest) used.splice(used.indexOf(each), 1);
    }
    const plan = joinOf(
      planOf(left),
      planOf(right),
      used.map(({ bound }) => bound),
    );
    if (!node.lookup) return plan;
    return lookingUp(plan, access(right.relation, left.set)!);
  };
  return filtered(
    planOf(tree),
    predicates.filter(({ mask }) => mask === 0).map(({ bound }) => bound),
  );
}

/** The relations of each side of an equality, if it is hashable. */
function sidesOf(e: Bound, maskOf: (e: Bound) => number): [number, number] | null {
  if (e.kind !== 'call' || e.args.length !== 2) return null;
  const used = e.args.map((arg) => columnsOf(arg));
  if (joinKeys(e, used[0], used[1]).left.length === 0) return null;
  return [maskOf(e.args[0]), maskOf(e.args[1])];
}

/** The tried placements of semi joins at their own relation. */
function placesOf(semis: readonly Semi[]): Semi[][] {
  const single = semis.filter(({ mask }) => mask !== 0 && (mask & (mask - 1)) === 0);
  if (single.length > PLACED_MAX) return [single, []];
  const out: Semi[][] = [];
  for (let set = (1 << single.length) - 1; set >= 0; set--) out.push(single.filter((_, i) => (set & (1 << i)) !== 0));
  return out;
}

/** The lowest node with the fewest rows that contains all relations of the mask. */
function fewestRows(tree: Tree, mask: number): Tree {
  let best = tree;
  let at: Tree | undefined = tree;
  while (at !== undefined) {
    if (at.rows <= best.rows) best = at;
    at = mask === 0 ? undefined : at.split?.find(({ set }) => (set & mask) === mask);
  }
  return best;
}

function semiOf(join: JoinPlan, mask: number, relations: readonly Plan[], statistics: Statistics): Semi {
  const about = relations.filter((_, i) => (mask & (1 << i)) !== 0);
  const left = about.length === 1 ? about[0] : join.left;
  const all = Math.max(1, estimateRows(left, statistics));
  const share = Math.min(1, estimateRows({ ...join, left }, statistics) / all);
  const keys = joinKeys(join.on, idsOf(join.left), idsOf(join.right));
  const right = estimateRows(join.right, statistics);
  const source = sourceCost(join.right, statistics);
  const inner = sourceBelow(join.right);
  const its = idsOf(join.right);
  const found = inner === null ? null : lookupByOuter(inner, conjuncts(join.on!), (id) => !its.has(id), statistics);
  const gathered = keys.left.length > 0;
  return {
    join,
    mask,
    share,
    cost(rows) {
      const hash = gathered ? source + right * BUILD_COST + rows * PROBE_COST : source + rows * right;
      return found === null ? hash : Math.min(hash, rows * found.existsCost);
    },
  };
}

function withSemis(plan: Plan, semis: readonly JoinPlan[], statistics: Statistics): Plan {
  let made = plan;
  for (const semi of semis) {
    const join: JoinPlan = { ...semi, left: made, columns: made.columns };
    made = byLookup(join, statistics) ?? join;
  }
  return made;
}

function joinOf(left: Plan, right: Plan, on: readonly Bound[]): JoinPlan {
  return { op: 'join', kind: 'inner', left, right, on: conjunction(on), lateral: false, columns: [...left.columns, ...right.columns] };
}

/** The smaller side is hashed; without hash keys, rows come in the written order of the sides. */
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
  /** Cross joins come last. */
  const cost = (one: { plan: JoinPlan; used: Bound[] }): number => estimateRows(one.plan, statistics) * (one.used.length === 0 ? 1e6 : 1);
  let current = null as Plan | null;
  while (left.length > (current === null ? 1 : 0)) {
    let best: { plan: JoinPlan; used: Bound[]; a: number; b: number } | null = null;
    let least = Infinity;
    for (let i = 0; i < left.length; i++) {
      const first: number = current === null ? i + 1 : -1;
      const end = current === null ? left.length : 0;
      for (let k = first; k < end; k++) {
        // As written if neither order is better.
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

/** The join with lookups into one side by its key or an index, if that reads less. */
function byLookup(plan: JoinPlan, statistics: Statistics): Plan | null {
  if (plan.on === null || isLateral(plan) || plan.kind === 'full') return null;
  if (plan.kind === 'right') return byLookup({ ...plan, kind: 'left', left: plan.right, right: plan.left }, statistics);
  const sides: [Plan, Plan][] =
    plan.kind === 'inner'
      ? [
          [plan.left, plan.right],
          [plan.right, plan.left],
        ]
      : [[plan.left, plan.right]];
  let best: Plan | null = null;
  const hashed = joinKeys(plan.on, idsOf(plan.left), idsOf(plan.right)).left.length > 0;
  const right = estimateRows(plan.right, statistics);
  const left = estimateRows(plan.left, statistics);
  let least = sourceCost(plan.right, statistics) + (hashed ? right * BUILD_COST + left * PROBE_COST : left * right);
  if (plan.kind === 'inner') least += sourceCost(plan.left, statistics);
  for (const [outer, below] of sides) {
    const inner = passedOn(below);
    const source = sourceBelow(inner);
    if (source === null) continue;
    const its = idsOf(inner);
    const found = lookupByOuter(source, conjuncts(plan.on), (id) => !its.has(id), statistics);
    if (found === null) continue;
    const cost =
      (plan.kind === 'inner' ? sourceCost(outer, statistics) : 0) +
      estimateRows(outer, statistics) * (plan.kind === 'semi' || plan.kind === 'anti' ? found.existsCost : found.cost);
    if (cost >= least) continue;
    least = cost;
    best = lookingUp({ ...plan, left: outer, right: inner }, found);
  }
  return best;
}
