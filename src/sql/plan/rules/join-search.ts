/**
 * The cheapest tree of inner joins over a few relations: every set of relations is looked at once, smallest first,
 * and made of the two sets whose joining costs least. Rows of a set follow from its relations and predicates alone,
 * so the search works on numbers and plans are made once, at the end.
 *
 *   hash     the side with fewer rows is gathered, the other streams past it
 *   lookup   rows of one relation are found by key or index for each row of the rest
 *   loops    where nothing can be hashed
 */

export interface Relations {
  /** Rows of each, and what it costs to read them. */
  readonly rows: readonly number[];
  readonly reading: readonly number[];
  /** What predicates are about; `sides` of an equality that can be hashed. */
  readonly predicates: readonly { readonly mask: number; readonly sides: readonly [number, number] | null }[];
  /** Share of the rows of the relations in `mask` that all predicates about exactly these leave. */
  readonly shares: readonly { readonly mask: number; readonly share: number }[];
  /** Of columns that are all equal, each two of which are about the relations of `mask`: those that leave most first. */
  readonly equalities: readonly (readonly EqualPair[])[];
  /** Cost of finding a relation's rows for one row of the set by key or index; null where that cannot be. */
  lookup(relation: number, set: number): number | null;
}

export interface EqualPair {
  readonly mask: number;
  readonly share: number;
  /** Its share is among those of the predicates; else it follows from others. */
  readonly written: boolean;
}

export interface Tree {
  readonly set: number;
  readonly rows: number;
  /** Of everything below, too. */
  readonly cost: number;
  /** The right one is gathered, or looked up where `lookup`. */
  readonly split: readonly [left: Tree, right: Tree] | null;
  readonly lookup: boolean;
  readonly relation: number;
}

/** Costs in rows of leaves that are read: see `access.ts`. */
export const BUILD_COST = 4;
export const PROBE_COST = 0.75;
const OUT_COST = 1;
const LOOP_COST = 1;
/** Joins without a condition come last. */
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
      // Both sides have to be read in any case, but for one that is looked up.
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
 * What equal columns leave in the set beside the shares of its predicates: as many equalities count as link its relations, whichever
 * are written down. Columns with 1,000, 10 and 10 values leave 1 / (1,000 * 10).
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
  // Without anything to hash, rows come in the order in which the sides are written.
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
