/**
 * Leaves that are made when somebody reads them: others with changes over them. A look at the past changes rows in thousands of
 * leaves and reads a few. A parent knows such a child by a number below zero, counts its rows as they will be, and keeps what is to be done.
 */
import { assert } from '../base/assert.ts';
import type { RowChange } from './datum.ts';
import { type Inner, LEAF_BYTES_MAX, LEAF_ROWS_MAX, Leaf } from './node.ts';
import type { Pager } from './pager.ts';

/** Changes that can be put off. */
export interface LaterChanges {
  /** The i-th. */
  row(i: number): RowChange;
  /** Rows that the leaf has more after it. */
  gain(i: number): -1 | 0 | 1;
  /** Bytes that it writes, about. */
  bytes(i: number): number;
}

/** So many are made of one another at most. */
const DEPTH_MAX = 8;

export class LaterLeaf {
  /** What it is made of: a page, a leaf that nobody changes any more, or one that is to be made itself. */
  readonly #base: number | Leaf | LaterLeaf;
  readonly depth: number;
  readonly #changes: LaterChanges;
  readonly #from: number;
  readonly #to: number;

  /** Of `changes` the ones from `from` up to `to`. */
  constructor(base: number | Leaf | LaterLeaf, changes: LaterChanges, from: number, to: number) {
    this.#base = base;
    this.depth = base instanceof LaterLeaf ? base.depth + 1 : 1;
    this.#changes = changes;
    this.#from = from;
    this.#to = to;
  }

  /** The page that has to be there for it; 0 where there is none. */
  get page(): number {
    const base = this.#base;
    return typeof base === 'number' ? base : base instanceof LaterLeaf ? base.page : Math.max(0, base.id);
  }

  /** The leaf, whose number is `id` as long as it is not written. */
  make(pager: Pager, id: number): Leaf {
    const leaf = this.#copy(pager, id);
    for (let i = this.#from; i < this.#to; i++) {
      const { key, shape, before, after } = this.#changes.row(i);
      if (after !== null && before === null) {
        leaf.upsert(key, shape, after);
        continue;
      }
      const at = leaf.find(key);
      assert(at >= 0, 'what is taken back is there');
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
 * Puts changes of a child off, so that its leaf need not be read: gives 1, or 0 where all of its rows go and the child is to go with them. Null
 * where they have to be made now: where `edit` owns the leaf, or it might have to be split.
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
