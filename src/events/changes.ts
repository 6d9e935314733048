/**
 * Row changes as bytes, see docs/formats/events.md. Each value carries its tag, so an event can be read without a schema;
 * shapes (column lists) are written once and referred to by number.
 */
import { assert } from '../base/assert.ts';
import { type ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { changedRows } from './changed-rows.ts';
import { ColumnChanges } from './column-changes.ts';
import { readLeaf, readLeafLike, writeColumns, writeLeaf } from './leaf-codec.ts';
import { NewRows } from './new-rows.ts';
import { CellChanges } from '../tree/cell-changes.ts';
import { type Datum, KIND, type Key, type Kind, type RowChange, type Shape } from '../tree/datum.ts';

/** Changes of one tree of a world, in key order. */
export interface TreeChanges {
  /** Object id of the table, or `CATALOG_TREE`. */
  tree: number;
  numeric: boolean;
  rows: RowChange[];
}

/** The tree of a world that holds its table and column definitions. */
export const CATALOG_TREE = 1;

/** Roles of the database, in events of their own; not a tree of a world. */
export const ROLES_TREE = 3;

/** The tree of a world's sequence positions: not rows of tables, so not part of diffs and counts. */
export const SEQUENCE_TREE = 2;

/** The tree of the effects that a world sends with its merge into `main`: not rows of tables either. */
export const EFFECT_TREE = 3;

/** Whether the tree holds something else than rows of tables. */
export function isBeside(tree: number): boolean {
  return tree === CATALOG_TREE || tree === SEQUENCE_TREE || tree === EFFECT_TREE;
}

const VALUE = { ABSENT: 0, NULL: 1, FALSE: 2, TRUE: 3, POSITIVE: 4, NEGATIVE: 5, DOUBLE: 6, TEXT: 7, BIGINT: 8, BYTES: 9 } as const;
/** Flag: the changes are leaves of new rows. */
const LEAVES = 2;
/** Flag: the changes are columns of changed cells, after individual rows. */
const COLUMNS = 4;
/** Of a run of columns: whether its rows are deleted or changed. */
const PART = { GONE: 0, CHANGED: 1 } as const;
/** Leaves are encoded in parts of about this many bytes: a fraction of a millisecond each. */
const LEAVES_PIECE_BYTES = 64 * 1024;
const OP = { INSERT: 0, UPDATE: 1, DELETE: 2 } as const;

/** The version of events that hold them: 2 with leaves of new rows, 3 with columns of changed rows, else 1. */
export function versionOfChanges(changes: readonly TreeChanges[]): number {
  let version = 1;
  for (const each of changes) {
    if (each instanceof ColumnChanges) return 3;
    if (each instanceof NewRows) version = 2;
  }
  return version;
}

export function writeChanges(out: ByteWriter, changes: readonly TreeChanges[]): void {
  out.varint(changes.length);
  for (const each of changes) writeTree(out, each);
}

function writeTree(out: ByteWriter, changes: TreeChanges): void {
  if (changes instanceof NewRows) {
    writeLeavesHead(out, changes);
    for (const leaf of changes.leaves) writeLeaf(out, leaf);
    return;
  }
  if (changes instanceof ColumnChanges) {
    writeColumnsHead(out, changes);
    for (const part of changes.parts) writePart(out, part);
    return;
  }
  const shapes = writeTreeHead(out, changes);
  writeRows(out, changes.numeric, changes.rows, shapes, 0, changes.rows.length);
}

/** The bytes of one tree's changes as `writeChanges` writes them, in parts of about `pieceRows` rows. */
export function* treeInPieces(changes: TreeChanges, pieceRows: number): Generator<Uint8Array, void> {
  const out = new ByteWriter(pieceRows * 64);
  if (changes instanceof NewRows || changes instanceof ColumnChanges) {
    for (const _ of writtenLeaves(out, changes)) {
      if (out.length < LEAVES_PIECE_BYTES) continue;
      yield out.finish();
      out.reset();
    }
    if (out.length > 0) yield out.finish();
    return;
  }
  const shapes = writeTreeHead(out, changes);
  const { length } = changes.rows;
  for (let from = 0; from < length; from += pieceRows) {
    writeRows(out, changes.numeric, changes.rows, shapes, from, Math.min(length, from + pieceRows));
    yield out.finish();
    out.reset();
  }
}

/** The changes in parts: bytes, and for a tree whose changes are already encoded, those changes. */
export function changesInParts(out: ByteWriter, changes: readonly TreeChanges[], isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  const parts: (Uint8Array | TreeChanges)[] = [];
  out.varint(changes.length);
  for (const each of changes) {
    if (!isEncoded(each)) {
      writeTree(out, each);
      continue;
    }
    parts.push(out.finish(), each);
    out.reset();
  }
  if (out.length > 0) parts.push(out.finish());
  return parts;
}

function* writtenLeaves(out: ByteWriter, changes: NewRows | ColumnChanges): Generator<void> {
  if (changes instanceof NewRows) {
    writeLeavesHead(out, changes);
    for (const leaf of changes.leaves) yield writeLeaf(out, leaf);
  } else {
    writeColumnsHead(out, changes);
    for (const part of changes.parts) yield writePart(out, part);
  }
}

function writeColumnsHead(out: ByteWriter, { tree, numeric, first, parts }: ColumnChanges): void {
  out.varint(tree);
  out.u8(COLUMNS | (numeric ? 1 : 0));
  const shapes = writeShapes(out, first);
  writeRows(out, numeric, first, shapes, 0, first.length);
  out.varint(parts.length);
}

function writePart(out: ByteWriter, { before, after }: CellChanges): void {
  out.u8(after === null ? PART.GONE : PART.CHANGED);
  writeLeaf(out, before);
  if (after !== null) writeColumns(out, after);
}

function writeLeavesHead(out: ByteWriter, { tree, numeric, leaves }: NewRows): void {
  out.varint(tree);
  out.u8(LEAVES | (numeric ? 1 : 0));
  out.varint(leaves.length);
}

/** Writes the tree's head and shapes. Returns the shapes' numbers; null with a single shape. */
function writeTreeHead(out: ByteWriter, { tree, numeric, rows }: TreeChanges): Map<Shape, number> | null {
  out.varint(tree);
  out.u8(numeric ? 1 : 0);
  return writeShapes(out, rows);
}

/** Writes the shapes and the row count. */
function writeShapes(out: ByteWriter, rows: readonly RowChange[]): Map<Shape, number> | null {
  if (rows.length === 1) {
    out.varint(1);
    writeShape(out, rows[0].shape);
    out.varint(1);
    return null;
  }
  const shapes = new Map<Shape, number>();
  let known: Shape | null = null;
  for (const { shape } of rows) {
    if (shape === known) continue;
    known = shape;
    if (!shapes.has(shape)) shapes.set(shape, shapes.size);
  }
  out.varint(shapes.size);
  for (const shape of shapes.keys()) writeShape(out, shape);
  out.varint(rows.length);
  return shapes;
}

export function writeShape(out: ByteWriter, { ids, kinds }: Shape): void {
  out.varint(ids.length);
  for (let i = 0; i < ids.length; i++) {
    out.varint(ids[i]);
    out.u8(kinds[i]);
  }
}

function writeRows(out: ByteWriter, numeric: boolean, rows: readonly RowChange[], shapes: ReadonlyMap<Shape, number> | null, from: number, to: number): void {
  let last: Shape | null = null;
  let number = 0;
  for (let i = from; i < to; i++) {
    const { key, shape, before, after } = rows[i];
    const op = before === null ? OP.INSERT : after === null ? OP.DELETE : OP.UPDATE;
    if (shape !== last) {
      last = shape;
      number = shapes === null ? 0 : shapes.get(shape)!;
    }
    out.varint(number * 4 + op);
    if (numeric) writeNumber(out, key as number);
    else out.latin1(key as string);
    if (before !== null) writeValues(out, shape, before);
    if (after !== null) writeValues(out, shape, after);
  }
}

export function readChanges(from: ByteReader): TreeChanges[] {
  const count = from.varint();
  const out: TreeChanges[] = [];
  for (let t = 0; t < count; t++) {
    const tree = from.varint();
    const form = from.u8();
    const numeric = (form & 1) === 1;
    if ((form & LEAVES) !== 0) {
      const leaves = Array.from({ length: from.varint() }, () => readLeaf(from, numeric));
      out.push(new NewRows(tree, numeric, leaves));
      continue;
    }
    const rows = readRows(from, numeric);
    if ((form & COLUMNS) === 0) out.push({ tree, numeric, rows });
    else {
      const parts = Array.from({ length: from.varint() }, () => readPart(from, numeric));
      out.push(new ColumnChanges(tree, numeric, rows, parts));
    }
  }
  return out;
}

function readPart(from: ByteReader, numeric: boolean): CellChanges {
  const kind = from.u8();
  if (kind !== PART.GONE && kind !== PART.CHANGED) throw new SvcError('XX001', 'an event holds changes of an unknown kind');
  const before = readLeaf(from, numeric);
  return new CellChanges(before, kind === PART.GONE ? null : readLeafLike(from, before));
}

function readRows(from: ByteReader, numeric: boolean): RowChange[] {
  const shapes: Shape[] = [];
  const shapeCount = from.varint();
  for (let s = 0; s < shapeCount; s++) shapes.push(readShape(from));
  const rows: RowChange[] = [];
  for (let left = from.varint(); left > 0; left--) {
    const head = from.varint();
    const op = head % 4;
    const shape = shapes[(head - op) / 4];
    if (shape === undefined) throw new SvcError('XX001', 'an event names a shape that it does not hold');
    const key = (numeric ? readValue(from) : from.latin1()) as Key;
    const before = op === OP.INSERT ? null : readValues(from, shape);
    const after = op === OP.DELETE ? null : readValues(from, shape);
    rows.push({ key, shape, before, after });
  }
  return rows;
}

export function readShape(from: ByteReader): Shape {
  const ids: number[] = [];
  const kinds: Kind[] = [];
  for (let left = from.varint(); left > 0; left--) {
    ids.push(from.varint());
    kinds.push(from.u8() as Kind);
  }
  return { ids, kinds };
}

export function writeValues(out: ByteWriter, shape: Shape, values: readonly Datum[]): void {
  assert(values.length === shape.ids.length, 'values align with their shape');
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    switch (typeof value) {
      case 'undefined':
        out.u8(VALUE.ABSENT);
        break;
      case 'object':
        out.u8(VALUE.NULL);
        break;
      case 'boolean':
        out.u8(value ? VALUE.TRUE : VALUE.FALSE);
        break;
      case 'number':
        writeNumber(out, value);
        break;
      case 'bigint':
        out.u8(VALUE.BIGINT);
        out.i64(value);
        break;
      default:
        if (shape.kinds[i] === KIND.BIN) {
          out.u8(VALUE.BYTES);
          out.latin1(value);
        } else {
          out.u8(VALUE.TEXT);
          out.text(value);
        }
    }
  }
}

export function writeNumber(out: ByteWriter, value: number): void {
  const small = value | 0;
  if (small === value && small > 0) {
    out.u8(VALUE.POSITIVE);
    out.varint(small);
    return;
  }
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    if (value >= 0) {
      out.u8(VALUE.POSITIVE);
      out.varint(value);
    } else {
      out.u8(VALUE.NEGATIVE);
      out.varint(-value);
    }
  } else {
    out.u8(VALUE.DOUBLE);
    out.f64(value);
  }
}

export function readValues(from: ByteReader, shape: Shape): Datum[] {
  const values = new Array<Datum>(shape.ids.length);
  for (let i = 0; i < values.length; i++) values[i] = readValue(from);
  return values;
}

export function readValue(from: ByteReader): Datum {
  switch (from.u8()) {
    case VALUE.ABSENT:
      return undefined;
    case VALUE.NULL:
      return null;
    case VALUE.FALSE:
      return false;
    case VALUE.TRUE:
      return true;
    case VALUE.POSITIVE:
      return from.varint();
    case VALUE.NEGATIVE:
      return -from.varint();
    case VALUE.DOUBLE:
      return from.f64();
    case VALUE.TEXT:
      return from.text();
    case VALUE.BIGINT:
      return from.i64();
    case VALUE.BYTES:
      return from.latin1();
    default:
      throw new SvcError('XX001', 'an event holds a value of an unknown kind');
  }
}

/** Skips `count` values. */
export function skipValues(from: ByteReader, count: number): void {
  for (let i = 0; i < count; i++) {
    switch (from.u8()) {
      case VALUE.POSITIVE:
      case VALUE.NEGATIVE:
        from.varint();
        break;
      case VALUE.DOUBLE:
      case VALUE.BIGINT:
        from.skip(8);
        break;
      case VALUE.TEXT:
      case VALUE.BYTES:
        from.skip(from.varint());
        break;
      default:
    }
  }
}

export function countRows(changes: readonly TreeChanges[]): number {
  let rows = 0;
  for (const each of changes) if (!isBeside(each.tree)) rows += changedRows(each);
  return rows;
}

/** The inverse: inserted rows are deleted, changed rows get their old values. */
export function inverse(changes: readonly TreeChanges[]): TreeChanges[] {
  return changes.map(({ tree, numeric, rows }) => ({
    tree,
    numeric,
    rows: rows.map(({ key, shape, before, after }) => ({ key, shape, before: after, after: before })),
  }));
}
