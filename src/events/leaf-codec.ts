/**
 * A leaf of rows as bytes of an event, column by column (docs/formats/events.md): whole numbers as differences to the
 * previous one, texts concatenated, constant columns as one value. The result is a fraction of the size of individual rows,
 * and compresses better.
 */
import type { ByteReader, ByteWriter } from '../base/bytes.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { KIND, type Kind } from '../tree/datum.ts';
import { Leaf } from '../tree/node.ts';
import { roomFor, Vec } from '../tree/vec.ts';

const TAGGED = 0x80;
const FORM = { SAME: 0, DIFFERENCES: 1, PLAIN: 2 } as const;

export function writeLeaf(out: ByteWriter, leaf: Leaf): void {
  const { count, cols } = leaf;
  out.varint(count);
  out.varint(cols.length);
  if (leaf.numeric) writeNumbers(out, leaf.nkeys, count);
  else writeTexts(out, leaf.skeys, count, true);
  writeColumns(out, leaf);
}

/** The columns of a leaf whose rows are known. */
export function writeColumns(out: ByteWriter, { count, cols, colIds }: Leaf): void {
  for (let c = 0; c < cols.length; c++) {
    const vec = cols[c];
    out.varint(colIds[c]);
    out.u8(vec.kind | (vec.tags === null ? 0 : TAGGED));
    if (vec.tags !== null) out.raw(vec.tags.subarray(0, count));
    switch (vec.kind) {
      case KIND.F64:
        writeNumbers(out, vec.f64, count);
        break;
      case KIND.I32:
      case KIND.BOOL:
        writeNumbers(out, vec.i32, count);
        break;
      case KIND.I64:
        for (let i = 0; i < count; i++) out.i64(vec.big[i]);
        break;
      case KIND.REF:
        throw new SvcError('XX000', 'rows of a world hold no trees');
      default:
        if (vec.decoded) writeTexts(out, vec.strings(), count, vec.kind === KIND.BIN);
        else writeHeap(out, vec.offsets!, vec.heap!, count);
    }
  }
}

export function readLeaf(from: ByteReader, numeric: boolean): Leaf {
  const leaf = new Leaf(numeric, 0);
  const count = from.varint();
  const columns = from.varint();
  leaf.count = count;
  if (numeric) leaf.nkeys = readNumbers(from, count, new Float64Array(roomFor(count)));
  else leaf.skeys = Vec.ofHeap(KIND.BIN, ...readTexts(from, count)).strings();
  readColumns(from, leaf, columns);
  return leaf;
}

/** Reads as many columns as `like` has, for its rows. */
export function readLeafLike(from: ByteReader, like: Leaf): Leaf {
  const leaf = like.copy(0);
  leaf.cols = [];
  readColumns(from, leaf, like.cols.length);
  return leaf;
}

function readColumns(from: ByteReader, leaf: Leaf, columns: number): void {
  const { count } = leaf;
  const ids: number[] = [];
  for (let c = 0; c < columns; c++) {
    ids.push(from.varint());
    const head = from.u8();
    const kind = (head & ~TAGGED) as Kind;
    let tags: Uint8Array | null = null;
    if ((head & TAGGED) !== 0) {
      tags = new Uint8Array(roomFor(count));
      tags.set(from.raw(count));
    }
    const vec = readColumn(from, kind, count);
    vec.tags = tags;
    leaf.cols.push(vec);
  }
  leaf.colIds = ids;
  leaf.bytes = leaf.measure();
}

function readColumn(from: ByteReader, kind: Kind, count: number): Vec {
  const vec = new Vec(kind, 0);
  switch (kind) {
    case KIND.F64:
      vec.f64 = readNumbers(from, count, new Float64Array(roomFor(count)));
      return vec;
    case KIND.I32:
    case KIND.BOOL:
      vec.i32 = readNumbers(from, count, new Int32Array(roomFor(count)));
      return vec;
    case KIND.I64:
      vec.big = new BigInt64Array(roomFor(count));
      for (let i = 0; i < count; i++) vec.big[i] = from.i64();
      return vec;
    case KIND.TEXT:
    case KIND.JSON:
    case KIND.BIN:
      return Vec.ofHeap(kind, ...readTexts(from, count));
    default:
      throw new SvcError('XX001', 'an event holds a column of an unknown kind');
  }
}

// --- numbers

function writeNumbers(out: ByteWriter, values: Float64Array | Int32Array, count: number): void {
  const form = formOf(values, count);
  out.u8(form);
  if (form === FORM.PLAIN) {
    for (let i = 0; i < count; i++) out.f64(values[i]);
    return;
  }
  out.f64(values[0]);
  if (form === FORM.DIFFERENCES) out.differences(values, count);
}

/** Differences are only used for whole numbers without a negative zero. */
function formOf(values: Float64Array | Int32Array, count: number): number {
  if (count === 0) return FORM.PLAIN;
  const first = values[0];
  let same = true;
  let whole = Number.isSafeInteger(first) && !Object.is(first, -0);
  for (let i = 1; i < count && (same || whole); i++) {
    const value = values[i];
    if (same && !Object.is(value, first)) same = false;
    if (!whole) continue;
    const difference = value - values[i - 1];
    if ((difference | 0) !== difference || (value === 0 && Object.is(value, -0)) || Math.abs(value) > Number.MAX_SAFE_INTEGER) whole = false;
  }
  return same ? FORM.SAME : whole ? FORM.DIFFERENCES : FORM.PLAIN;
}

function readNumbers<T extends Float64Array | Int32Array>(from: ByteReader, count: number, into: T): T {
  const form = from.u8();
  if (form === FORM.PLAIN) for (let i = 0; i < count; i++) into[i] = from.f64();
  else if (count > 0) {
    const first = from.f64();
    if (form === FORM.SAME) into.fill(first, 0, count);
    else from.differences(first, into, count);
  }
  return into;
}

// --- texts

function writeTexts(out: ByteWriter, texts: readonly string[], count: number, bytewise: boolean): void {
  let same = count > 0;
  for (let i = 1; i < count && same; i++) same = texts[i] === texts[0];
  out.u8(same ? FORM.SAME : FORM.PLAIN);
  if (same) {
    if (bytewise) out.latin1(texts[0]);
    else out.text(texts[0]);
    return;
  }
  const all = texts.length === count ? texts.join('') : texts.slice(0, count).join('');
  const size = bytewise ? all.length : Buffer.byteLength(all);
  // One byte per character: lengths are those of the texts.
  const plain = size === all.length;
  for (let i = 0; i < count; i++) out.varint(plain ? texts[i].length : Buffer.byteLength(texts[i]));
  if (plain) out.latin1(all);
  else out.text(all);
}

function writeHeap(out: ByteWriter, offsets: Uint32Array, heap: Uint8Array, count: number): void {
  const start = offsets[0];
  const end = offsets[count];
  const length = count === 0 ? 0 : offsets[1] - start;
  let same = count > 0 && end - start === length * count;
  for (let i = start + length; i < end && same; i++) same = heap[i] === heap[i - length];
  for (let i = 1; i < count && same; i++) same = offsets[i + 1] - offsets[i] === length;
  out.u8(same ? FORM.SAME : FORM.PLAIN);
  if (!same) for (let i = 0; i < count; i++) out.varint(offsets[i + 1] - offsets[i]);
  const bytes = heap.subarray(start, same ? start + length : end);
  out.varint(bytes.length);
  out.raw(bytes);
}

/** Decoded on first use: offsets, and a copy of the bytes, so that the payload is not retained. */
function readTexts(from: ByteReader, count: number): [offsets: Uint32Array, heap: Uint8Array] {
  const offsets = new Uint32Array(count + 1);
  if (from.u8() === FORM.SAME) {
    const size = from.varint();
    const text = from.raw(size);
    const heap = new Uint8Array(size * count);
    for (let i = 0; i < count; i++) {
      heap.set(text, size * i);
      offsets[i + 1] = size * (i + 1);
    }
    return [offsets, heap];
  }
  for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + from.varint();
  const size = from.varint();
  if (size !== offsets[count]) throw new SvcError('XX001', 'an event holds texts of other lengths than it says');
  return [offsets, Uint8Array.prototype.slice.call(from.raw(size))];
}
