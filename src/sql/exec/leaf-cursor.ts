/**
 * Walks the leaves of a tree between two keys, forwards or backwards, and can stop anywhere: what a scan
 * holds between two time slices. Pages of the next leaves are read in groups.
 */
import type { Key } from '../../tree/datum.ts';
import type { Inner, Leaf, Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';

const READ_AHEAD = 16;

export class LeafCursor {
  leaf!: Leaf;
  /** Rows [from, to) of the leaf lie in the range. */
  from = 0;
  to = 0;
  readonly #pager: Pager;
  readonly #lower: Key | null;
  readonly #upper: Key | null;
  readonly #backward: boolean;
  readonly #path: Inner[] = [];
  readonly #at: number[] = [];
  #next: Node | null;

  /** Rows with lower ≤ key < upper, null for no bound. */
  constructor(pager: Pager, root: Node, lower: Key | null, upper: Key | null, backward: boolean) {
    this.#pager = pager;
    this.#lower = lower;
    this.#upper = upper;
    this.#backward = backward;
    this.#next = root;
  }

  /** Moves to the next leaf that has rows in the range. */
  next(): boolean {
    for (;;) {
      const leaf = this.#step();
      if (leaf === null) return false;
      this.leaf = leaf;
      this.from = this.#lower === null ? 0 : leaf.lowerBound(this.#lower);
      this.to = this.#upper === null ? leaf.count : leaf.lowerBound(this.#upper);
      if (this.from < this.to) return true;
      if (leaf.count === 0) continue;
      if (this.#backward ? this.#lower !== null && leaf.key(0) < this.#lower : this.#upper !== null && leaf.key(leaf.count - 1) >= this.#upper) return false;
    }
  }

  #step(): Leaf | null {
    let node = this.#next;
    this.#next = null;
    if (node === null) {
      const path = this.#path;
      const at = this.#at;
      while (path.length > 0) {
        const top = path.length - 1;
        const inner = path[top];
        const i = this.#backward ? at[top] - 1 : at[top] + 1;
        if (i >= 0 && i < inner.keys.length && !this.#outside(inner, i)) {
          at[top] = i;
          node = this.#kid(inner, i);
          break;
        }
        path.pop();
        at.pop();
      }
      if (node === null) return null;
    }
    while (!node.isLeaf) {
      const bound = this.#backward ? this.#upper : this.#lower;
      const i: number =
        bound === null
          ? this.#backward
            ? node.keys.length - 1
            : 0
          : this.#path.length === this.#depth
            ? node.childIndex(bound)
            : this.#backward
              ? node.keys.length - 1
              : 0;
      this.#path.push(node);
      this.#at.push(i);
      this.#depth = Math.max(this.#depth, this.#path.length);
      node = this.#kid(node, i);
    }
    return node;
  }

  /** How far down the first descent has come: only that one goes by the bound. */
  #depth = 0;

  #outside(inner: Inner, i: number): boolean {
    return this.#backward
      ? this.#lower !== null && i + 1 < inner.keys.length && inner.keys[i + 1] <= this.#lower
      : this.#upper !== null && inner.keys[i] >= this.#upper;
  }

  #kid(inner: Inner, i: number): Node {
    const node = inner.kids[i] ?? this.#pager.held(inner.ids[i]);
    if (node !== null) return node;
    if (inner.height === 1 && !this.#backward) this.#readAhead(inner, i);
    return this.#pager.kid(inner, i);
  }

  #readAhead(inner: Inner, i: number): void {
    const ids: number[] = [];
    for (let k = i; k < inner.keys.length && k < i + READ_AHEAD; k++) if (inner.kids[k] === null && !this.#outside(inner, k)) ids.push(inner.ids[k]);
    if (ids.length > 1) this.#pager.prefetch(ids);
  }
}
