/**
 * Many changed or deleted rows as columns: the rows as they were, and, side by side with them, as they are. A row then leaves no object
 * behind, and texts stay the bytes that they are.
 */
import { assert } from '../base/assert.ts';
import type { Key, RowChange, Shape } from './datum.ts';
import { nextAtLeast } from './merge-rows.ts';
import { leafWithout } from './page-cut.ts';
import { Leaf, type Node } from './node.ts';
import type { Pager } from './pager.ts';
import { type RowAt, rowChange, type ShapeTable } from './row-change.ts';
import { type Batch, replacedBy } from './write.ts';

export class CellChanges implements Batch {
  /** Rows that go, whole, or the cells of some columns of rows that stay, which need not differ from those of `after`. */
  readonly before: Leaf;
  /** The cells of the same rows and columns after the change; null where the rows go. */
  readonly after: Leaf | null;

  /** Nobody changes the leaves any more. They have a row at least. */
  constructor(before: Leaf, after: Leaf | null) {
    assert(before.count > 0 && (after === null || after.count === before.count), 'changed cells stand side by side');
    this.before = before;
    this.after = after;
  }

  /** Of a leaf that has each column twice: as it was, then as it is. */
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

/** The leaf with the cells of rows [from, to) of `cells`, all of which it has; the leaf itself where `edit` owns it. */
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
