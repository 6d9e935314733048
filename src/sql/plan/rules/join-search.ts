/**
 * The cheapest tree of inner joins over a few relations: every set of relations is looked at once, smallest first,
 * and made of the two sets whose joining costs least. Rows of a set follow from its relations and predicates alone,
 * so the search works on numbers and plans are made once, at the end.
 */
import type { Bound } from '../bound.ts';
import type { Plan } from '../logical.ts';

export interface Relations {
  readonly plans: readonly Plan[];
  /** Rows of each, and what it costs to read them. */
  readonly rows: readonly number[];
  readonly reading: readonly number[];
  readonly predicates: readonly { readonly bound: Bound; readonly mask: number }[];
  /** Share of the rows of the relations in `mask` that all predicates about exactly these leave. */
  readonly shares: readonly { readonly mask: number; readonly share: number }[];
  /** Cost of finding a relation's rows for one row of the set by key or index; null where that cannot be. */
  lookup(relation: number, set: number): number | null;
}

export interface Tree {
  readonly set: number;
  readonly rows: number;
  readonly split: readonly [Tree, Tree] | null;
  readonly relation: number;
}

/** Costs in rows read by a scan. */
const BUILD_COST = 6;
const PROBE_COST = 2;
const OUT_COST = 1;
const CROSS_COST = 4;

export function cheapestTree(relations: Relations): Tree {
  const count = relations.rows.length;
  const size = 1 << count;
  const cost = new Float64Array(size).fill(Infinity);
  const rows = new Float64Array(size);
  const left = new Int32Array(size);
  for (let i = 0; i < count; i++) cost[1 << i] = relations.reading[i];
  for (let set = 1; set < size; set++) {
    let product = 1;
    for (let i = 0; i < count; i++) if ((set & (1 << i)) !== 0) product *= relations.rows[i];
    for (const { mask, share } of relations.shares) if ((mask & set) === mask) product *= share;
    rows[set] = product;
    if ((set & (set - 1)) === 0) continue;
    const lowest = set & -set;
    for (let one = (set - 1) & set; one > 0; one = (one - 1) & set) {
      if ((one & lowest) === 0) continue;
      const other = set ^ one;
      const joined = joinCost(relations, rows, cost, one, other, set);
      if (joined < cost[set]) {
        cost[set] = joined;
        left[set] = one;
      }
    }
  }
  const treeOf = (set: number): Tree => {
    if ((set & (set - 1)) === 0) return { set, rows: rows[set], split: null, relation: 31 - Math.clz32(set) };
    return { set, rows: rows[set], split: [treeOf(left[set]), treeOf(set ^ left[set])], relation: -1 };
  };
  return treeOf(size - 1);
}

function joinCost(relations: Relations, rows: Float64Array, cost: Float64Array, one: number, other: number, set: number): number {
  const out = rows[set] * OUT_COST;
  const sides = cost[one] + cost[other];
  let connected = false;
  for (const { mask } of relations.predicates) if ((mask & set) === mask && (mask & one) !== 0 && (mask & other) !== 0) connected = true;
  if (!connected) return sides + out + rows[one] * rows[other] * CROSS_COST + 1e6;
  let best = sides + out + Math.min(rows[one], rows[other]) * BUILD_COST + Math.max(rows[one], rows[other]) * PROBE_COST;
  for (const [outer, inner] of [
    [one, other],
    [other, one],
  ]) {
    if ((inner & (inner - 1)) !== 0) continue;
    const each = relations.lookup(31 - Math.clz32(inner), outer);
    if (each !== null) best = Math.min(best, cost[outer] + rows[outer] * each + out);
  }
  return best;
}
