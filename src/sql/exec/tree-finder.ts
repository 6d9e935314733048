/**
 * Repeated lookups in a tree: of one key, or of a range. It stays at its last leaf, so ascending or nearby keys cost a step and not
 * a descent. Nothing below the root may change meanwhile.
 */
import type { Key } from '../../tree/datum.ts';
import type { Inner, Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';

/** Ends of ranges are searched linearly for this many steps, then by bisection. */
const STEPS = 8;

export class TreeFinder {
  leaf: Leaf | null = null;
  /** Rows [from, to) of the leaf are the result. */
  from = 0;
  to = 0;
  readonly #pager: Pager;
  readonly #root: Node;
  readonly #path: Inner[] = [];
  readonly #at: number[] = [];
  #upper: Key | null = null;

  constructor(pager: Pager, root: Node) {
    this.#pager = pager;
    this.#root = root;
  }

  /** The row of this key, as `from`. */
  exact(key: Key): boolean {
    const leaf = this.#leafOf(key);
    const at = leaf.lowerBound(key);
    if (at >= leaf.count || leaf.key(at) !== key) return false;
    this.from = at;
    this.to = at + 1;
    return true;
  }

  /** The first rows with lower ≤ key < upper (null: no bound); `more` gives those of the next leaves. */
  range(lower: Key | null, upper: Key | null): boolean {
    this.#upper = upper;
    const leaf = lower === null ? this.#descend(null) : this.#leafOf(lower);
    this.from = lower === null ? 0 : leaf.lowerBound(lower);
    return this.from < leaf.count ? this.#bounded(leaf) : this.more();
  }

  /** Continues after `range`, with a leaf that has rows of it. */
  more(): boolean {
    const before = this.leaf!;
    const upper = this.#upper;
    if (this.to < before.count && this.from < before.count) return false;
    for (;;) {
      const leaf = this.#nextLeaf();
      if (leaf === null) return false;
      this.from = 0;
      if (leaf.count === 0) continue;
      if (upper !== null && leaf.key(0) >= upper) {
        this.to = 0;
        return false;
      }
      return this.#bounded(leaf);
    }
  }

  #bounded(leaf: Leaf): boolean {
    const upper = this.#upper;
    let to = leaf.count;
    if (upper !== null) {
      const last = Math.min(leaf.count, this.from + STEPS);
      to = this.from;
      if (leaf.numeric) while (to < last && leaf.nkeys[to] < (upper as number)) to++;
      else while (to < last && leaf.skeys[to] < (upper as string)) to++;
      if (to === last) to = leaf.lowerBound(upper);
    }
    this.to = to;
    return this.from < to;
  }

  #leafOf(key: Key): Leaf {
    const leaf = this.leaf;
    if (leaf !== null && leaf.count > 0) {
      if (
        leaf.numeric
          ? leaf.nkeys[0] <= (key as number) && (key as number) <= leaf.nkeys[leaf.count - 1]
          : leaf.skeys[0] <= (key as string) && (key as string) <= leaf.skeys[leaf.count - 1]
      )
        return leaf;
    }
    return this.#descend(key);
  }

  #descend(key: Key | null): Leaf {
    let node = this.#root;
    let depth = 0;
    while (!node.isLeaf) {
      const i: number = key === null ? 0 : node.childIndex(key);
      this.#path[depth] = node;
      this.#at[depth] = i;
      depth++;
      node = this.#pager.kid(node, i);
    }
    return (this.leaf = node);
  }

  #nextLeaf(): Leaf | null {
    const path = this.#path;
    const at = this.#at;
    let depth = path.length - 1;
    while (depth >= 0 && at[depth] + 1 >= path[depth].keys.length) depth--;
    if (depth < 0) return null;
    // The lower bound of the next child is known without reading it.
    const next = path[depth].keys[at[depth] + 1];
    if (this.#upper !== null && next >= this.#upper) return null;
    at[depth]++;
    let node = this.#pager.kid(path[depth], at[depth]);
    while (!node.isLeaf) {
      depth++;
      path[depth] = node;
      at[depth] = 0;
      node = this.#pager.kid(node, 0);
    }
    return (this.leaf = node);
  }
}
