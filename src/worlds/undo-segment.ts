/**
 * Bytes of the net undo of worlds over one segment of the log:
 *
 *   segment = count, { world, length of its body; 0: not kept }, bodies
 *   body    = count of trees, { tree, numeric, count of shapes, shapes, count of rows, { shape · 4 + undo, key, values } }
 *
 * Values are written as in events, integer keys as the difference to the previous one. A row to delete has neither shape nor values.
 */
import type { WorldNumber } from '../base/brands.ts';
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { readShape, readValue, readValues, skipValues, writeNumber, writeShape, writeValues } from '../events/changes.ts';
import type { Key, Shape } from '../tree/datum.ts';
import type { NetUndo } from './net-undo.ts';
import { NO_COLUMNS, UNDO, type Undo, undoRow, type UndoRow } from './undo-rows.ts';
import type { Keys, UndoRun, UndoTree } from './undo-run.ts';

/** `null`: the segment must be read from the log for that world. */
export function encodeSegment(worlds: ReadonlyMap<WorldNumber, NetUndo | null>): Uint8Array {
  const head = new ByteWriter(16 + worlds.size * 4);
  const body = new ByteWriter(64 * 1024);
  const bodies: Uint8Array[] = [];
  head.varint(worlds.size);
  for (const [world, undo] of worlds) {
    body.reset();
    if (undo !== null) writeTrees(body, undo.trees());
    const bytes = body.finish();
    bodies.push(bytes);
    head.varint(world);
    head.varint(bytes.length);
  }
  return Buffer.concat([head.finish(), ...bodies]);
}

function writeTrees(out: ByteWriter, trees: readonly UndoTree[]): void {
  out.varint(trees.length);
  for (const { tree, numeric, run } of trees) {
    const rows = Array.from(run.keys, (_, i) => run.row(i));
    const shapes = new Map<Shape, number>();
    for (const { undo, shape } of rows) if (undo !== UNDO.DELETE && !shapes.has(shape)) shapes.set(shape, shapes.size);
    out.varint(tree);
    out.u8(numeric ? 1 : 0);
    out.varint(shapes.size);
    for (const shape of shapes.keys()) writeShape(out, shape);
    out.varint(rows.length);
    let last: number | null = null;
    for (const { key, undo, shape, after } of rows) {
      out.varint(undo === UNDO.DELETE ? undo : shapes.get(shape)! * 4 + undo);
      if (typeof key === 'string') out.latin1(key);
      else {
        if (last === null) writeNumber(out, key);
        else out.varint(key - last);
        last = key;
      }
      if (undo !== UNDO.DELETE) writeValues(out, shape, after!);
    }
  }
}

/** The world's net undo; null if the segment does not keep it. */
export function decodeSegment(bytes: Uint8Array, world: WorldNumber): readonly UndoTree[] | null {
  const head = new ByteReader(bytes);
  let found: number | null = null;
  let before = 0;
  let all = 0;
  for (let left = head.varint(); left > 0; left--) {
    const number = head.varint();
    const length = head.varint();
    if (number === (world as number)) {
      if (length === 0) return null;
      found = length;
      before = all;
    }
    all += length;
  }
  if (found === null) return [];
  const start = bytes.length - all + before;
  return readTrees(new ByteReader(bytes.subarray(start, start + found)));
}

function readTrees(from: ByteReader): UndoTree[] {
  const out: UndoTree[] = [];
  for (let trees = from.varint(); trees > 0; trees--) {
    const tree = from.varint();
    const numeric = from.u8() === 1;
    const shapes: Shape[] = [];
    for (let left = from.varint(); left > 0; left--) shapes.push(readShape(from));
    out.push({ tree, numeric, run: new StoredRun(from, numeric, shapes) });
  }
  return out;
}

/** Rows whose values are decoded on first use. */
class StoredRun implements UndoRun {
  readonly keys: Keys;
  readonly #bytes: ByteReader;
  readonly #shapes: readonly Shape[];
  /** Of each row its shape · 4 + undo. */
  readonly #heads: Uint32Array;
  /** Offsets of the values of each row. */
  readonly #at: Uint32Array;

  /** Continues reading; the bytes are not copied. */
  constructor(from: ByteReader, numeric: boolean, shapes: readonly Shape[]) {
    const count = from.varint();
    const keys: Key[] | Float64Array = numeric ? new Float64Array(count) : new Array<Key>(count);
    const heads = new Uint32Array(count);
    const at = new Uint32Array(count * 2);
    let last = 0;
    for (let i = 0; i < count; i++) {
      const head = from.varint();
      heads[i] = head;
      if (numeric) keys[i] = last = i === 0 ? (readValue(from) as number) : last + from.varint();
      else keys[i] = from.latin1();
      at[i * 2] = from.at;
      if (head % 4 !== UNDO.DELETE) {
        const shape = shapes[head >>> 2];
        if (shape === undefined) throw new SvcError('XX001', 'a segment of the undo log names a shape that it does not hold');
        skipValues(from, shape.ids.length);
      }
      at[i * 2 + 1] = from.at;
    }
    this.keys = keys;
    this.#bytes = from;
    this.#shapes = shapes;
    this.#heads = heads;
    this.#at = at;
  }

  undo(i: number): Undo {
    return (this.#heads[i] & 3) as Undo;
  }

  shape(i: number): Shape {
    return this.undo(i) === UNDO.DELETE ? NO_COLUMNS : this.#shapes[this.#heads[i] >>> 2];
  }

  bytes(i: number): number {
    return this.#at[i * 2 + 1] - this.#at[i * 2];
  }

  row(i: number): UndoRow {
    const undo = this.undo(i);
    const key = this.keys[i];
    if (undo === UNDO.DELETE) return undoRow(key, undo, NO_COLUMNS, null);
    const shape = this.shape(i);
    this.#bytes.seek(this.#at[i * 2]);
    return undoRow(key, undo, shape, readValues(this.#bytes, shape));
  }
}
