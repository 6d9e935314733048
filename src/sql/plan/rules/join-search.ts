/**
 * Exhaustive join search over few relations by dynamic programming: each set of relations is considered once, smallest first, and
 * split into the two sets with the cheapest join. The rows of a set depend only on its relations and predicates, so the search works
 * on numbers, and plans are built once, at the end.
 *
 *   hash     the side with fewer rows is built, the other streams past it
 *   lookup   rows of one relation are found by key or index for each row of the rest
 *   loops    if nothing can be hashed
 */

export interface Relations {
  /** Rows of each relation, and the cost of reading them. */
  readonly rows: readonly number[];
  readonly reading: readonly number[];
  /** The relations of predicates; `sides` of a hashable equality. */
  readonly predicates: readonly { readonly mask: number; readonly sides: readonly [number, number] | null }[];
  /** The selectivity of all predicates over exactly the relations in `mask`. */
  readonly shares: readonly { readonly mask: number; readonly share: number }[];
  /** Equalities of a class of equal columns, each over the relations of `mask`: the most selective first. */
  readonly equalities: readonly (readonly EqualPair[])[];
  /** The cost of a lookup into a relation for one row of the set; null if that is impossible. */
  lookup(relation: number, set: number): number | null;
}

export interface EqualPair {
  readonly mask: number;
  readonly share: number;
  /** Its selectivity is among those of the predicates; otherwise it is implied. */
  readonly written: boolean;
}

export interface Tree {
  readonly set: number;
  readonly rows: number;
  /** Including everything below. */
  readonly cost: number;
  /** The right one is built, or looked up if `lookup`. */
  readonly split: readonly [left: Tree, right: Tree] | null;
  readonly lookup: boolean;
  readonly relation: number;
}

/** Costs in sequentially read rows: see `access.ts`. */
export const BUILD_COST = 4;
export const PROBE_COST = 0.75;
const OUT_COST = 1;
const LOOP_COST = 1;
/** Cross joins come last. */
const CROSS_COST = 1e6;

const NO_JOIN = { cost: Infinity, turned: false, lookup: false };

export function cheapestTree(relations: Relations): Tree {
  const count = relations.rows.length;
  const size = 1 << count;
  const cost = new Float64Array(size).fill(Infinity);
  const rows = new Float64Array(size);
  const left = new Int32Array(size);
  const byLookup = new Uint8Array(size);
  for (let i = 0; i < count; i++) cost[1 << i] = relations.reading[i];
  for (let set = 1; set < size; set++) {
    let product = 1;
    for (let i = 0; i < count; i++) if ((set & (1 << i)) !== 0) product *= relations.rows[i];
    for (const { mask, share } of relations.shares) if ((mask & set) === mask) product *= share;
    for (const pairs of relations.equalities) product *= linkedShare(pairs, set);
    rows[set] = product;
    if ((set & (set - 1)) === 0) continue;
    const lowest = set & -set;
    for (let one = (set - 1) & set; one > 0; one = (one - 1) & set) {
      if ((one & lowest) === 0) continue;
      const other = set ^ one;
      // Both sides have to be read in any case, except one that is looked up.
      if (Math.min(cost[one], cost[other]) >= cost[set]) continue;
      const joined = joinCost(relations, rows, cost, one, other, set);
      if (joined.cost >= cost[set]) continue;
      cost[set] = joined.cost;
      left[set] = joined.turned ? other : one;
      byLookup[set] = joined.lookup ? 1 : 0;
    }
  }
  const treeOf = (set: number): Tree => {
    const known = { set, rows: rows[set], cost: cost[set] };
    if ((set & (set - 1)) === 0) return { ...known, split: null, lookup: false, relation: 31 - Math.clz32(set) };
    return { ...known, split: [treeOf(left[set]), treeOf(set ^ left[set])], lookup: byLookup[set] === 1, relation: -1 };
  };
  return treeOf(size - 1);
}

/**
 * The selectivity of equal columns in the set beyond that of its predicates: it counts as many equalities as are needed to link its
 * relations, written or implied. Columns with 1,000, 10 and 10 values leave 1 / (1,000 * 10).
 */
function linkedShare(pairs: readonly EqualPair[], set: number): number {
  let share = 1;
  let parts: number[] = [];
  const links = (mask: number): boolean => {
    const met = parts.filter((part) => (part & mask) !== 0);
    if (met.length === 1 && (met[0] | mask) === met[0]) return false;
    parts = [...parts.filter((part) => (part & mask) === 0), met.reduce((sum, part) => sum | part, mask)];
    return true;
  };
  for (const { mask, share: own, written } of pairs) {
    if ((mask & set) !== mask) continue;
    if (links(mask)) share *= written ? 1 : own;
    else if (written) share /= own;
  }
  return share;
}

/** `turned`: `other` is the left side. */
function joinCost(
  relations: Relations,
  rows: Float64Array,
  cost: Float64Array,
  one: number,
  other: number,
  set: number,
): { cost: number; turned: boolean; lookup: boolean } {
  const out = rows[set] * OUT_COST;
  const sides = cost[one] + cost[other];
  let connected = false;
  let hashed = false;
  for (const { mask, sides: equal } of relations.predicates) {
    if ((mask & set) !== mask || (mask & one) === 0 || (mask & other) === 0) continue;
    connected = true;
    if (equal !== null && ((equal[0] | one) === one ? (equal[1] | other) === other : (equal[0] | other) === other && (equal[1] | one) === one)) hashed = true;
  }
  // Without hash keys, rows come in the written order of the sides.
  if (!hashed) {
    const loops = sides + out + rows[one] * rows[other] * LOOP_COST + (connected ? 0 : CROSS_COST);
    if (!connected) return { ...NO_JOIN, cost: loops };
    return cheaperLookup(relations, rows, cost, one, other, out, { cost: loops, turned: false, lookup: false });
  }
  const turned = rows[one] < rows[other];
  const [more, fewer] = turned ? [rows[other], rows[one]] : [rows[one], rows[other]];
  const hash = sides + out + fewer * BUILD_COST + more * PROBE_COST;
  return cheaperLookup(relations, rows, cost, one, other, out, { cost: hash, turned, lookup: false });
}

function cheaperLookup(
  relations: Relations,
  rows: Float64Array,
  cost: Float64Array,
  one: number,
  other: number,
  out: number,
  known: { cost: number; turned: boolean; lookup: boolean },
): { cost: number; turned: boolean; lookup: boolean } {
  let best = known;
  for (const turned of [false, true]) {
    const outer = turned ? other : one;
    const inner = turned ? one : other;
    if ((inner & (inner - 1)) !== 0) continue;
    const each = relations.lookup(31 - Math.clz32(inner), outer);
    if (each === null) continue;
    const looked = cost[outer] + rows[outer] * each + out;
    if (looked < best.cost) best = { cost: looked, turned, lookup: true };
  }
  return best;
}
