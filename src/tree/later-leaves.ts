/**
 * Lazily materialised leaves: a leaf together with changes to apply when it is first read. Reading a past state changes rows
 * in thousands of leaves and reads few of them. Negative ids mark such children in the parent, which counts their rows as if
 * applied.
 */
import { assert } from '../base/assert.ts';
import type { RowChange } from './datum.ts';
import { type Inner, LEAF_BYTES_MAX, LEAF_ROWS_MAX, Leaf } from './node.ts';
import type { Pager } from './pager.ts';

/** Changes that can be deferred. */
export interface LaterChanges {
  /** The i-th change. */
  row(i: number): RowChange;
  /** Change of the row count. */
  gain(i: number): -1 | 0 | 1;
  /** Approximate bytes written. */
  bytes(i: number): number;
}

/** Maximum depth of lazy leaves based on lazy leaves. */
const DEPTH_MAX = 8;

export class LaterLeaf {
  /** The base: a page, an immutable leaf, or another lazy leaf. */
  readonly #base: number | Leaf | LaterLeaf;
  readonly depth: number;
  readonly #changes: LaterChanges;
  readonly #from: number;
  readonly #to: number;

  /** Changes `from` to `to` of `changes`. */
  constructor(base: number | Leaf | LaterLeaf, changes: LaterChanges, from: number, to: number) {
    this.#base = base;
    this.depth = base instanceof LaterLeaf ? base.depth + 1 : 1;
    this.#changes = changes;
    this.#from = from;
    this.#to = to;
  }

  /** The page it depends on; 0 without one. */
  get page(): number {
    const base = this.#base;
    return typeof base === 'number' ? base : base instanceof LaterLeaf ? base.page : Math.max(0, base.id);
  }

  /** Materialises the leaf, whose id is `id` until it is written. */
  make(pager: Pager, id: number): Leaf {
    const leaf = this.#copy(pager, id);
    for (let i = this.#from; i < this.#to; i++) {
      const { key, shape, before, after } = this.#changes.row(i);
      if (after !== null && before === null) {
        leaf.upsert(key, shape, after);
        continue;
      }
      const at = leaf.find(key);
      assert(at >= 0, 'rows to undo exist');
      if (after === null) leaf.removeAt(at);
      else leaf.update(at, shape, after);
    }
    leaf.id = id;
    return leaf;
  }

  #copy(pager: Pager, id: number): Leaf {
    const base = this.#base;
    if (base instanceof LaterLeaf) return base.make(pager, id);
    const leaf = typeof base === 'number' ? pager.load(base) : base;
    assert(leaf.isLeaf, 'changes are put off of leaves');
    return leaf.copy(pager.newEdit());
  }
}

/**
 * Defers changes of a child, so that its leaf need not be read: returns 1, or 0 if all its rows are deleted and the child is
 * to be removed. Null if the changes must be applied now: `edit` owns the leaf, or it might have to be split.
 */
export function putOff(pager: Pager, parent: Inner, i: number, changes: LaterChanges, from: number, to: number, edit: number): 0 | 1 | null {
  const kid = parent.kids[i] as Leaf | null;
  const id = parent.ids[i];
  const base = kid ?? (id < 0 ? parent.later!.get(id)! : id);
  if (kid?.edit === edit || (base instanceof LaterLeaf && base.depth >= DEPTH_MAX)) return null;
  let rows = parent.counts[i];
  let bytes = 0;
  for (let c = from; c < to; c++) {
    rows += changes.gain(c);
    bytes += changes.bytes(c);
  }
  if (rows === 0) return 0;
  if (rows < 0 || rows > LEAF_ROWS_MAX || bytes > LEAF_BYTES_MAX) return null;
  const later = pager.newLaterId();
  parent.ungroup(i, true);
  parent.later ??= new Map();
  if (id < 0) parent.later.delete(id);
  parent.later.set(later, new LaterLeaf(base, changes, from, to));
  parent.kids[i] = null;
  parent.ids[i] = later;
  parent.hashes[i] = null;
  parent.counts[i] = rows;
  return 1;
}
