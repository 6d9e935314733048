/** Many changed or deleted rows as columns: cells before and after the change, side by side. Rows need no objects, and texts stay bytes. */
import { assert } from '../base/assert.ts';
import type { Key, RowChange, Shape } from './datum.ts';
import { nextAtLeast } from './merge-rows.ts';
import { leafWithout } from './page-cut.ts';
import { Leaf, type Node } from './node.ts';
import type { Pager } from './pager.ts';
import { type RowAt, rowChange, type ShapeTable } from './row-change.ts';
import { type Batch, replacedBy } from './write.ts';

export class CellChanges implements Batch {
  /** Whole rows that are deleted, or the changed columns of rows that stay; cells may equal those of `after`. */
  readonly before: Leaf;
  /** The same rows and columns after the change; null for deleted rows. */
  readonly after: Leaf | null;

  /** The leaves are immutable and have at least one row. */
  constructor(before: Leaf, after: Leaf | null) {
    assert(before.count > 0 && (after === null || after.count === before.count), 'changed cells stand side by side');
    this.before = before;
    this.after = after;
  }

  /** From a leaf that has each column twice: before, then after. */
  static sideBySide(leaf: Leaf, { ids }: Shape): CellChanges {
    return new CellChanges(half(leaf, ids, 0), half(leaf, ids, 1));
  }

  get length(): number {
    return this.before.count;
  }

  get numeric(): boolean {
    return this.before.numeric;
  }

  get goes(): boolean {
    return this.after === null;
  }

  key(i: number): Key {
    return this.before.key(i);
  }

  firstAtLeast(from: number, to: number, key: Key): number {
    return Math.min(to, this.before.lowerBound(key, from));
  }

  /** The change of one row. */
  row(i: number, shapes: ShapeTable): RowChange {
    const at = (leaf: Leaf): RowAt => ({ leaf, index: i });
    return rowChange(this.key(i), at(this.before), this.after === null ? null : at(this.after), shapes);
  }

  putOff(): null {
    return null;
  }

  toLeaf(pager: Pager, leaf: Leaf, from: number, to: number, edit: number): Node[] {
    const { bytes } = leaf;
    const made = this.after === null ? leafWithout(leaf, (k) => this.key(k), from, to, edit) : leafWithCells(leaf, this.after, from, to, edit);
    return replacedBy(pager, leaf, made, edit, bytes);
  }
}

function half(leaf: Leaf, ids: readonly number[], which: 0 | 1): Leaf {
  const out = new Leaf(leaf.numeric, leaf.edit, leaf.nkeys);
  out.count = leaf.count;
  out.skeys = leaf.skeys;
  out.colIds = ids;
  out.cols = leaf.cols.slice(which * ids.length, (which + 1) * ids.length);
  out.bytes = leaf.bytes;
  return out;
}

const places: number[] = [];

/** The leaf with the cells of rows [from, to) of `cells`, which it contains; changed in place if `edit` owns it. */
function leafWithCells(leaf: Leaf, cells: Leaf, from: number, to: number, edit: number): Leaf {
  const own = leaf.edit === edit ? leaf : leaf.copy(edit);
  places.length = 0;
  let row = 0;
  for (let k = from; k < to; k++) {
    const key = cells.key(k);
    row = nextAtLeast(leaf, key, row);
    assert(row < leaf.count && leaf.key(row) === key, 'an update meets its row');
    places.push(row++);
  }
  for (let c = 0; c < cells.cols.length; c++) own.setColumn(cells.colIds[c], cells.cols[c], from, places);
  return own;
}
