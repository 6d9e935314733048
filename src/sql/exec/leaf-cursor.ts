/**
 * Walks the leaves of a tree between two keys, forwards or backwards, and can stop anywhere: the position of a scan between two time
 * slices. Pages of the next leaves are read in groups. If the columns are given, it returns groups of leaves as one once they have
 * been walked before; if a predicate is given, it skips groups whose zone maps decide it.
 */
import type { Key } from '../../tree/datum.ts';
import { type Columns, Group, GroupView } from '../../tree/gathered.ts';
import { GROUP_SHIFT, type Inner, type Leaf, type Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';

const READ_AHEAD = 16;
const GROUP_KIDS = 1 << GROUP_SHIFT;
/** Fewer leaves are not grouped. */
const GROUP_MIN = 4;

/** The columns that a scan reads. */
export interface ReadColumns {
  readonly ids: readonly number[];
  /** Text columns that are read as decimals. */
  readonly decimals: readonly number[];
  readonly keys: boolean;
}

/** How a scan uses groups of leaves. */
export interface Grouping {
  /** The columns to gather; null: groups are too large for that. */
  readonly read: ReadColumns | null;
  /** True if the group's rows need not be read. */
  readonly decided: ((view: GroupView) => boolean) | null;
}

/** Marks a skipped group. */
const PASSED = Symbol('passed');

export class LeafCursor {
  /** The leaf, or the group in its place. */
  chunk!: Columns;
  /** Rows [from, to) of the leaf are in the range. */
  from = 0;
  to = 0;
  readonly #pager: Pager;
  readonly #lower: Key | null;
  readonly #upper: Key | null;
  readonly #backward: boolean;
  readonly #grouping: Grouping | null;
  readonly #path: Inner[] = [];
  readonly #at: number[] = [];
  #next: Node | null;

  /** Rows with lower ≤ key < upper, null for no bound. */
  constructor(pager: Pager, root: Node, lower: Key | null, upper: Key | null, backward: boolean, grouping: Grouping | null = null) {
    this.#pager = pager;
    this.#lower = lower;
    this.#upper = upper;
    this.#backward = backward;
    this.#grouping = grouping;
    this.#next = root;
  }

  /** For cursors that do not gather. */
  get leaf(): Leaf {
    return this.chunk as Leaf;
  }

  /** Moves to the next leaf with rows in the range. After a skipped group there are none: `from` is `to`. */
  next(): boolean {
    for (;;) {
      const leaf = this.#step();
      if (leaf === null) return false;
      if (leaf === PASSED) {
        this.from = 0;
        this.to = 0;
        return true;
      }
      this.chunk = leaf;
      if (leaf instanceof GroupView) {
        this.from = 0;
        this.to = leaf.count;
        if (leaf.count > 0) return true;
        continue;
      }
      this.from = this.#lower === null ? 0 : leaf.lowerBound(this.#lower);
      this.to = this.#upper === null ? leaf.count : leaf.lowerBound(this.#upper);
      if (this.from < this.to) return true;
      if (leaf.count === 0) continue;
      if (this.#backward ? this.#lower !== null && leaf.key(0) < this.#lower : this.#upper !== null && leaf.key(leaf.count - 1) >= this.#upper) return false;
    }
  }

  #step(): Leaf | GroupView | typeof PASSED | null {
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
          if (this.#grouping !== null && inner.height === 1) {
            const group = this.#group(inner, i, top);
            if (group !== null) return group;
          }
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
      if (this.#grouping !== null && node.height === 1) {
        const group = this.#group(node, i, this.#path.length - 1);
        if (group !== null) return group;
      }
      node = this.#kid(node, i);
    }
    return node;
  }

  /** Depth of the first descent, the only one that follows the bound. */
  #depth = 0;

  /** The group of children that begins (backwards: ends) at `i`, if they have been walked before and are all in the range. */
  #group(inner: Inner, i: number, top: number): GroupView | typeof PASSED | null {
    const from = i & -GROUP_KIDS;
    const to = Math.min(inner.keys.length, from + GROUP_KIDS);
    if (i !== (this.#backward ? to - 1 : from) || to - from < GROUP_MIN) return null;
    // The lowest key of the first child and the highest of the last are unknown.
    if (this.#lower !== null && (from === 0 || inner.keys[from] < this.#lower)) return null;
    if (this.#upper !== null && (to === inner.keys.length || inner.keys[to] > this.#upper)) return null;
    const at = from >> GROUP_SHIFT;
    while (inner.groups.length < at) inner.groups.push(null);
    let group = inner.groups[at] ?? null;
    if (group === null) {
      inner.groups[at] = true;
      return null;
    }
    if (group === true) {
      let count = 0;
      for (let k = from; k < to; k++) count += inner.counts[k];
      group = new Group(count);
      inner.groups[at] = group;
    }
    const { read, decided } = this.#grouping!;
    const view = new GroupView(this.#pager, inner, group, from, to);
    const passed = decided !== null && decided(view);
    if (!passed && (read === null || !view.has(read.ids, read.decimals, read.keys))) return null;
    this.#at[top] = this.#backward ? from : to - 1;
    return passed ? PASSED : view;
  }

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
    for (let k = i; k < inner.keys.length && k < i + READ_AHEAD; k++) if (inner.kids[k] === null && !this.#outside(inner, k)) ids.push(inner.pageId(k));
    if (ids.length > 1) this.#pager.prefetch(ids);
  }
}
