/** Leaves for a long run of appended rows, as in bulk loads: built a column at a time and full, instead of row by row. */
import { type Datum, KIND, type RowChange, type Shape, TAG } from './datum.ts';
import { cellBytes, Leaf, LEAF_BYTES_MAX, LEAF_ROWS_MAX } from './node.ts';
import { roomFor, Vec } from './vec.ts';

/** Shorter runs are not worth it. */
export const RUN_MIN = LEAF_ROWS_MAX * 2;

/** End of the run of inserts of one shape that starts at `from`. */
export function runEnd(changes: readonly RowChange[], from: number, to: number): number {
  const { shape } = changes[from];
  let at = from;
  while (at < to) {
    const change = changes[at];
    if (change.before !== null || change.after === null || change.shape !== shape) break;
    at++;
  }
  return at;
}

/** The leaves of the run [from, to) of changes: owned by `edit`, all but the last one full. */
export function appendedLeaves(changes: readonly RowChange[], from: number, to: number, edit: number): Leaf[] {
  const numeric = typeof changes[from].key === 'number';
  const { shape } = changes[from];
  const out: Leaf[] = [];
  for (let start = from; start < to;) {
    let bytes = 16;
    let end = start;
    const most = Math.min(to, start + LEAF_ROWS_MAX);
    for (; end < most; end++) {
      const row = rowBytes(changes[end], shape, numeric);
      if (bytes + row > LEAF_BYTES_MAX && end > start) break;
      bytes += row;
    }
    out.push(leafOf(changes, start, end, shape, numeric, bytes, edit));
    start = end;
  }
  return out;
}

function rowBytes({ key, after }: RowChange, { kinds }: Shape, numeric: boolean): number {
  let bytes = numeric ? 8 : 4 + (key as string).length;
  for (let c = 0; c < kinds.length; c++) bytes += cellBytes(kinds[c], after![c]);
  return bytes;
}

function leafOf(changes: readonly RowChange[], from: number, to: number, shape: Shape, numeric: boolean, bytes: number, edit: number): Leaf {
  const count = to - from;
  const leaf = new Leaf(numeric, edit);
  leaf.count = count;
  leaf.bytes = bytes;
  if (numeric) {
    const keys = new Float64Array(roomFor(count));
    for (let i = 0; i < count; i++) keys[i] = changes[from + i].key as number;
    leaf.nkeys = keys;
  } else {
    const keys = new Array<string>(count);
    for (let i = 0; i < count; i++) keys[i] = changes[from + i].key as string;
    leaf.skeys = keys;
  }
  leaf.colIds = shape.ids;
  for (let c = 0; c < shape.ids.length; c++) leaf.cols.push(column(changes, from, count, c, shape.kinds[c], edit));
  return leaf;
}

function column(changes: readonly RowChange[], from: number, count: number, c: number, kind: Vec['kind'], edit: number): Vec {
  if (kind === KIND.TEXT || kind === KIND.JSON || kind === KIND.BIN) {
    const strings = new Array<string>(count);
    let tags: Uint8Array | null = null;
    for (let i = 0; i < count; i++) {
      const value: Datum = changes[from + i].after![c];
      if (typeof value === 'string') strings[i] = value;
      else {
        strings[i] = '';
        tags ??= new Uint8Array((count + 7) & ~7);
        tags[i] = value === null ? TAG.NULL : TAG.ABSENT;
      }
    }
    return Vec.ofStrings(kind, strings, tags, edit);
  }
  const vec = Vec.room(kind, count, edit);
  for (let i = 0; i < count; i++) vec.set(i, changes[from + i].after![c]);
  return vec;
}
