/**
 * What takes worlds back over one segment of the log, as bytes:
 *
 *   segment = count, { world, length of its body; 0: it is not kept }, bodies
 *   body    = count of trees, { tree, numeric, count of shapes, shapes, count of rows, { shape · 4 + undo, key, values } }
 *
 * Values are written as in events, whole numbers of keys as the difference to the one before. A row that has to go has neither shape nor values.
 */
import type { WorldNumber } from '../base/brands.ts';
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { readShape, readValue, readValues, writeNumber, writeShape, writeValues } from '../events/changes.ts';
import type { Key, Shape } from '../tree/datum.ts';
import type { NetUndo } from './net-undo.ts';
import { UNDO, type Undo, undoRow, type UndoRow, type UndoTree } from './undo-rows.ts';

/** `null`: of that world the segment has to be read from the log. */
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
  for (const { tree, numeric, rows } of trees) {
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

/** What takes the world back; null where the segment does not keep that. */
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

const NO_COLUMNS: Shape = { ids: [], kinds: [] };

function readTrees(from: ByteReader): UndoTree[] {
  const out: UndoTree[] = [];
  for (let trees = from.varint(); trees > 0; trees--) {
    const tree = from.varint();
    const numeric = from.u8() === 1;
    const shapes: Shape[] = [];
    for (let left = from.varint(); left > 0; left--) shapes.push(readShape(from));
    const rows: UndoRow[] = [];
    let last: Key = 0;
    for (let left = from.varint(); left > 0; left--) {
      const head = from.varint();
      const undo = (head % 4) as Undo;
      if (!numeric) last = from.latin1();
      else if (rows.length === 0) last = readValue(from) as Key;
      else last = (last as number) + from.varint();
      if (undo === UNDO.DELETE) rows.push(undoRow(last, undo, NO_COLUMNS, null));
      else {
        const shape = shapes[(head - undo) / 4];
        if (shape === undefined) throw new SvcError('XX001', 'a segment of the undo log names a shape that it does not hold');
        rows.push(undoRow(last, undo, shape, readValues(from, shape)));
      }
    }
    out.push({ tree, numeric, rows });
  }
  return out;
}
