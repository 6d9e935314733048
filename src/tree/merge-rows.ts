/**
 * Inserts and deletes many rows of a leaf at once: one pass computes where each row of the new leaf comes from, then each
 * column is rebuilt from that; texts not decoded stay bytes. Row by row, each change would move all rows after it.
 */
import { type Datum, type Key, type RowChange, type Shape } from './datum.ts';
import { cellBytes, Leaf } from './node.ts';
import { Slab } from './slab.ts';
import { roomFor } from './vec.ts';

/** Source of each row: a row of the leaf, or -1 - k for the k-th change. */
const order: number[] = [];

/**
 * The leaf after changes [from, to), which are inserts and deletes with at least one insert; owned by `edit`, possibly too
 * large. Null if rows must be applied one by one: an existing row, or a column that the leaf stores otherwise.
 */
export function mergedLeaf(leaf: Leaf, changes: readonly RowChange[], from: number, to: number, edit: number): Leaf | null {
  let { bytes } = leaf;
  order.length = 0;
  let row = 0;
  let shape: Shape | null = null;
  for (let k = from; k < to; k++) {
    const change = changes[k];
    const at = nextAtLeast(leaf, change.key, row);
    while (row < at) order.push(row++);
    const found = at < leaf.count && leaf.key(at) === change.key;
    if (change.after === null) {
      if (!found) continue;
      bytes -= leaf.rowBytes(at);
      row++;
      continue;
    }
    if (found) return null;
    if (change.shape !== shape) {
      if (!fits(leaf, change.shape)) return null;
      ({ shape } = change);
    }
    bytes += changeBytes(leaf, change);
    order.push(-1 - k);
  }
  while (row < leaf.count) order.push(row++);
  return made(leaf, changes, bytes, edit);
}

/** As `lowerBound`; optimised for a nearby key. */
export function nextAtLeast(leaf: Leaf, key: Key, from: number): number {
  if (!leaf.hasStringKeys) return leaf.lowerBound(key, from);
  const near = Math.min(from + NEAR, leaf.count);
  for (let i = from; i < near; i++) if (leaf.key(i) >= key) return i;
  return leaf.lowerBound(key, near);
}

const NEAR = 4;

/** Whether the leaf has all columns of the shape, with the same kinds. */
function fits(leaf: Leaf, { ids, kinds }: Shape): boolean {
  for (let c = 0; c < ids.length; c++) if (leaf.col(ids[c])?.kind !== kinds[c]) return false;
  return true;
}

function changeBytes(leaf: Leaf, { key, shape: { kinds }, after }: RowChange): number {
  let bytes = leaf.numeric ? 8 : 4 + (key as string).length;
  for (let c = 0; c < kinds.length; c++) bytes += cellBytes(kinds[c], after![c]);
  return bytes + leaf.cols.length - kinds.length;
}

function made(leaf: Leaf, changes: readonly RowChange[], bytes: number, edit: number): Leaf {
  const count = order.length;
  const slab = Slab.ofNumbers(leaf.cols.reduce((sum, col) => sum + col.arrangedBytes(count), leaf.numeric ? 8 * roomFor(count) : 0));
  const out = new Leaf(leaf.numeric, edit, leaf.numeric ? slab.f64(roomFor(count)) : undefined);
  out.count = count;
  out.bytes = bytes;
  out.colIds = leaf.colIds;
  if (leaf.numeric) {
    const { nkeys } = out;
    for (let i = 0; i < count; i++) nkeys[i] = order[i] >= 0 ? leaf.nkeys[order[i]] : (changes[-1 - order[i]].key as number);
  } else {
    const keys = new Array<string>(count);
    for (let i = 0; i < count; i++) keys[i] = order[i] >= 0 ? leaf.skeys[order[i]] : (changes[-1 - order[i]].key as string);
    out.skeys = keys;
  }
  for (let c = 0; c < leaf.cols.length; c++) {
    const id = leaf.colIds[c];
    let shape: Shape | null = null;
    let place = -1;
    const given = (code: number): Datum => {
      const change = changes[-1 - code];
      if (change.shape !== shape) {
        ({ shape } = change);
        place = shape.ids.indexOf(id);
      }
      return place < 0 ? undefined : change.after![place];
    };
    out.cols.push(leaf.cols[c].arranged(order, given, edit, slab));
  }
  return out;
}
