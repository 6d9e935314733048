/**
 * Page format, see docs/formats/page.md. Every section starts on an 8-byte boundary, so that numbers are read through views;
 * text stays bytes until used. Pages are a cache of the log: a new format version means a rebuild, never a migration.
 */
import '../base/bytes.ts';
import { assert } from '../base/assert.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { KIND, type Kind } from './datum.ts';
import { Inner, Leaf, type Node } from './node.ts';
import { Slab } from './slab.ts';
import { Vec } from './vec.ts';

export const PAGE_FORMAT_VERSION = 2;
/** Pages without dictionary-coded columns are the same in both versions. */
const PAGE_FORMAT_FIRST = 1;
const LEAF = 1;
const INNER = 2;
const NUMERIC = 1;
const { latin1Slice } = Buffer.prototype;
const HEAD_BYTES = 16;
/** Word at which a leaf's key offsets begin. */
const OFFSETS = HEAD_BYTES >> 2;
/** Flags of a column. */
export const TAGGED = 0x100;
export const CODED = 0x200;

/** One scratch buffer, grown on demand: encoding is synchronous. */
let scratch = Buffer.alloc(64 * 1024);

class PageWriter {
  at = 0;
  /** Offsets of each column's tags (-1 without) and cells. */
  readonly columns: { readonly tags: number; readonly cells: number; readonly coded: boolean }[] = [];

  need(bytes: number): void {
    if (this.at + bytes <= scratch.length) return;
    const grown = Buffer.alloc(Math.max(scratch.length * 2, this.at + bytes + 1024));
    scratch.copy(grown, 0, 0, this.at);
    scratch = grown;
  }

  align(): void {
    const rest = this.at & 7;
    if (rest === 0) return;
    this.need(8);
    scratch.fill(0, this.at, this.at + 8 - rest);
    this.at += 8 - rest;
  }

  u32(value: number): void {
    this.need(4);
    scratch.writeUInt32LE(value, this.at);
    this.at += 4;
  }

  bytes(source: ArrayBufferView): void {
    this.need(source.byteLength);
    scratch.set(source instanceof Uint8Array ? source : new Uint8Array(source.buffer, source.byteOffset, source.byteLength), this.at);
    this.at += source.byteLength;
  }

  /** Writes the first `count` cells. */
  cells(source: Float64Array | Int32Array | BigInt64Array, count: number): void {
    const length = count * source.BYTES_PER_ELEMENT;
    this.need(length);
    scratch.set(new Uint8Array(source.buffer, source.byteOffset, length), this.at);
    this.at += length;
  }

  strings(values: readonly string[], count: number, encoding: 'latin1' | 'utf8'): void {
    const table = this.at;
    this.need(4 * (count + 1));
    this.at += 4 * (count + 1);
    const start = this.at;
    for (let i = 0; i < count; i++) {
      writeOffset(this.at - start, table + 4 * i);
      const value = values[i];
      if (value.length === 0) continue;
      this.need(value.length * 3);
      if (value.length <= SHORT && writeAscii(value, this.at)) this.at += value.length;
      else this.at += encoding === 'latin1' ? scratch.latin1Write(value, this.at) : scratch.utf8Write(value, this.at);
    }
    writeOffset(this.at - start, table + 4 * count);
  }
}

/** Longer texts are written faster by Node's native writer. */
const SHORT = 24;

function writeOffset(value: number, at: number): void {
  scratch[at] = value;
  scratch[at + 1] = value >>> 8;
  scratch[at + 2] = value >>> 16;
  scratch[at + 3] = value >>> 24;
}

/** False for non-ASCII text. */
function writeAscii(value: string, at: number): boolean {
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code > 127) return false;
    scratch[at + i] = code;
  }
  return true;
}

export function encodePage(node: Node): Uint8Array {
  return Uint8Array.prototype.slice.call(pageBytes(node));
}

/** `encodePage` into a buffer that is valid until the next call. */
export function pageBytes(node: Node): Uint8Array {
  return scratch.subarray(0, written(node).at);
}

/**
 * Encodes the page of a leaf without references and backs the leaf by it: its arrays become views, texts are bytes, which
 * take half the memory of strings, and rows can be cut out of it.
 */
export function encodeBacking(leaf: Leaf): Uint8Array {
  const { at, columns } = written(leaf);
  const bytes = Slab.ofPage(at);
  bytes.set(scratch.subarray(0, at));
  const { buffer, byteOffset } = bytes;
  const { count, cols } = leaf;
  for (let c = 0; c < cols.length; c++) {
    const vec = cols[c];
    const { tags, cells, coded } = columns[c];
    if (tags >= 0) vec.tags = bytes.subarray(tags, tags + count);
    const from = byteOffset + cells;
    switch (vec.kind) {
      case KIND.F64:
        vec.f64 = new Float64Array(buffer, from, count);
        break;
      case KIND.I32:
      case KIND.BOOL:
        vec.i32 = new Int32Array(buffer, from, count);
        break;
      case KIND.I64:
        vec.big = new BigInt64Array(buffer, from, count);
        break;
      default: {
        if (coded) {
          vec.replaceByCodes();
          break;
        }
        const offsets = new Uint32Array(buffer, from, count + 1);
        const heap = cells + 4 * (count + 1);
        if (vec.decoded) vec.replaceByBytes(offsets, bytes.subarray(heap, heap + offsets[count]));
        else {
          vec.offsets = offsets;
          vec.heap = bytes.subarray(heap, heap + offsets[count]);
        }
      }
    }
  }
  leaf.backBy(leaf.numeric ? new Float64Array(buffer, byteOffset + HEAD_BYTES, count) : null, new LeafPage(bytes, leaf.numeric));
  return bytes;
}

/** Encodes the page into `scratch`. */
function written(node: Node): PageWriter {
  const out = new PageWriter();
  const rows = node.isLeaf ? node.count : node.keys.length;
  const numeric = node.isLeaf ? node.numeric : typeof node.keys[node.keys.length - 1] === 'number';
  const version = node.isLeaf && node.cols.some((vec) => isText(vec.kind) && vec.decoded && vec.coded() !== null) ? PAGE_FORMAT_VERSION : PAGE_FORMAT_FIRST;
  out.u32(version | ((node.isLeaf ? LEAF : INNER) << 8) | ((numeric ? NUMERIC : 0) << 16) | (node.height << 24));
  out.u32(rows);
  out.u32(node.isLeaf ? node.cols.length : 0);
  out.u32(0);
  if (node.isLeaf) {
    if (numeric) out.cells(node.nkeys, rows);
    else writeKeys(out, node);
    for (let c = 0; c < node.cols.length; c++) encodeVec(out, node.colIds[c], node.cols[c], rows);
  } else {
    if (numeric) out.bytes(Float64Array.from(node.keys as number[]));
    else out.strings(node.keys as string[], rows, 'latin1');
    out.align();
    out.bytes(Float64Array.from(node.ids));
    out.bytes(Float64Array.from(node.counts));
    for (let i = 0; i < rows; i++) {
      assert(node.ids[i] > 0 && node.hashes[i] !== null, 'children are written before their parent');
      out.bytes(node.hashes[i]!);
    }
  }
  return out;
}

function writeKeys(out: PageWriter, leaf: Leaf): void {
  const { keyBytes } = leaf;
  if (keyBytes === null) out.strings(leaf.skeys, leaf.count, 'latin1');
  else out.bytes(keyBytes);
}

function encodeVec(out: PageWriter, id: number, vec: Vec, rows: number): void {
  out.align();
  const coded = isText(vec.kind) && vec.decoded ? vec.coded() : null;
  out.u32(id);
  out.u32(vec.kind | (vec.tags === null ? 0 : TAGGED) | (coded === null ? 0 : CODED));
  const tags = vec.tags === null ? -1 : out.at;
  if (vec.tags !== null) {
    out.bytes(vec.tags.subarray(0, rows));
    out.align();
  }
  out.columns.push({ tags, cells: out.at, coded: coded !== null });
  switch (vec.kind) {
    case KIND.F64:
      out.cells(vec.f64, rows);
      return;
    case KIND.I32:
    case KIND.BOOL:
      out.cells(vec.i32, rows);
      return;
    case KIND.I64:
      out.cells(vec.big, rows);
      return;
    case KIND.REF:
      out.cells(vec.f64, rows);
      out.bytes(vec.hashes!.subarray(0, 32 * rows));
      return;
    default:
      if (coded !== null) {
        out.u32(coded.texts.length);
        out.strings(coded.texts, coded.texts.length, vec.kind === KIND.BIN ? 'latin1' : 'utf8');
        out.bytes(Uint8Array.from(coded.codes.subarray(0, rows)));
      } else if (!vec.decoded) {
        out.bytes(vec.offsets!);
        out.bytes(vec.heap!);
      } else out.strings(vec.strings(), rows, vec.kind === KIND.BIN ? 'latin1' : 'utf8');
  }
}

function isText(kind: Kind): boolean {
  return kind === KIND.TEXT || kind === KIND.JSON || kind === KIND.BIN;
}

/** Column ids of the last decoded page: consecutive leaves of a table share the array. */
let lastIds: readonly number[] = [];

function sharedIds(ids: readonly number[]): readonly number[] {
  if (ids.length !== lastIds.length || ids.some((id, c) => id !== lastIds[c])) lastIds = ids;
  return lastIds;
}

/** The page of a leaf, whose columns and keys are decoded on first use. */
export class LeafPage {
  readonly bytes: Uint8Array;
  readonly #numeric: boolean;
  /** Offset of each column. */
  #starts: number[] | null = null;

  readonly #words: Uint32Array;

  constructor(bytes: Uint8Array, numeric: boolean) {
    this.bytes = bytes;
    this.#words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
    this.#numeric = numeric;
  }

  keys(): string[] {
    return keyStrings(this.bytes, this.#words, HEAD_BYTES, this.#words[1]);
  }

  key(i: number): string {
    const heap = this.#heap;
    return latin1Slice.call(this.bytes as Buffer, heap + this.#words[OFFSETS + i], heap + this.#words[OFFSETS + i + 1]);
  }

  keyBytes(): Uint8Array {
    return this.bytes.subarray(HEAD_BYTES, this.#heap + this.#words[OFFSETS + this.#words[1]]);
  }

  /** Where bytes of keys begin. */
  get #heap(): number {
    return HEAD_BYTES + 4 * (this.#words[1] + 1);
  }

  hasKey(i: number, key: string): boolean {
    return this.#compare(i, key) === 0;
  }

  firstAtLeast(from: number, to: number, key: string): number {
    // Exponential search: the next of many keys is mostly near.
    let low = from;
    if (from > 0) {
      let step = 1;
      while (low + step <= to && this.#compare(low + step - 1, key) < 0) {
        low += step;
        step *= 2;
      }
      to = Math.min(to, low + step - 1);
    }
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#compare(middle, key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Negative if key `i` is before the other, 0 if equal. */
  #compare(i: number, key: string): number {
    const words = this.#words;
    const { bytes } = this;
    const start = this.#heap + words[OFFSETS + i];
    const length = words[OFFSETS + i + 1] - words[OFFSETS + i];
    const shared = length < key.length ? length : key.length;
    for (let c = 0; c < shared; c++) {
      const difference = bytes[start + c] - key.charCodeAt(c);
      if (difference !== 0) return difference;
    }
    return length - key.length;
  }

  column(at: number): Vec {
    if (this.#starts === null) this.contents();
    return new PageColumn(this.bytes, this.#words, this.#starts![at]).vec();
  }

  /** The column ids, and whether there are references to other trees. */
  contents(): { ids: number[]; refs: boolean } {
    const ids: number[] = [];
    let refs = false;
    const column = new PageColumn(this.bytes, this.#words, HEAD_BYTES);
    const starts: number[] = [];
    column.passKeys(this.#numeric);
    for (let c = column.count; c > 0; c--) {
      starts.push(column.open());
      ids.push(column.id);
      refs ||= column.kind === KIND.REF;
      column.pass();
    }
    this.#starts = starts;
    return { ids, refs };
  }
}

/** Reader of a column of a leaf's page. */
class PageColumn {
  readonly #bytes: Uint8Array;
  readonly #words: Uint32Array;
  readonly #rows: number;
  #at: number;
  id = 0;
  #flags = 0;

  constructor(bytes: Uint8Array, words: Uint32Array, at: number) {
    this.#bytes = bytes;
    this.#words = words;
    this.#rows = words[1];
    this.#at = at;
  }

  /** Number of columns. */
  get count(): number {
    return this.#words[2];
  }

  passKeys(numeric: boolean): void {
    this.#at += numeric ? 8 * this.#rows : this.#textBytes(this.#at, this.#rows);
  }

  /** Offset of the first column, given the end of the keys. */
  open(): number {
    this.#align();
    const at = this.#at;
    this.id = this.#words[at >> 2];
    this.#flags = this.#words[(at >> 2) + 1];
    this.#at += 8;
    return at;
  }

  get kind(): Kind {
    return (this.#flags & 0xff) as Kind;
  }

  #align(): void {
    this.#at = (this.#at + 7) & ~7;
  }

  /** Bytes of the texts whose offsets begin there. */
  #textBytes(at: number, count: number): number {
    return 4 * (count + 1) + this.#words[(at >> 2) + count];
  }

  #taken(bytes: number): number {
    assert(this.#at + bytes <= this.#bytes.length, 'a column lies within its page');
    const at = this.#at;
    this.#at += bytes;
    return at;
  }

  pass(): void {
    const rows = this.#rows;
    if ((this.#flags & TAGGED) !== 0) {
      this.#at += rows;
      this.#align();
    }
    switch (this.kind) {
      case KIND.F64:
      case KIND.I64:
        this.#at += 8 * rows;
        return;
      case KIND.I32:
      case KIND.BOOL:
        this.#at += 4 * rows;
        return;
      case KIND.REF:
        this.#at += 40 * rows;
        return;
      default:
        if ((this.#flags & CODED) !== 0) this.#at += 4 + this.#textBytes(this.#at + 4, this.#words[this.#at >> 2]) + rows;
        else this.#at += this.#textBytes(this.#at, rows);
    }
  }

  vec(): Vec {
    this.open();
    const rows = this.#rows;
    const bytes = this.#bytes;
    const { buffer, byteOffset } = bytes;
    let vec = new Vec(this.kind, 0);
    if ((this.#flags & TAGGED) !== 0) {
      const at = this.#taken(rows);
      vec.tags = bytes.subarray(at, at + rows);
      this.#align();
    }
    const { tags } = vec;
    switch (vec.kind) {
      case KIND.F64:
        vec.f64 = new Float64Array(buffer, byteOffset + this.#taken(8 * rows), rows);
        break;
      case KIND.I32:
      case KIND.BOOL:
        vec.i32 = new Int32Array(buffer, byteOffset + this.#taken(4 * rows), rows);
        break;
      case KIND.I64:
        vec.big = new BigInt64Array(buffer, byteOffset + this.#taken(8 * rows), rows);
        break;
      case KIND.REF: {
        vec.f64 = new Float64Array(buffer, byteOffset + this.#taken(8 * rows), rows);
        const at = this.#taken(32 * rows);
        vec.hashes = bytes.subarray(at, at + 32 * rows);
        vec.refs = new Array(rows).fill(null);
        break;
      }
      default: {
        if ((this.#flags & CODED) === 0) {
          this.#texts(vec, rows);
          break;
        }
        const count = this.#words[this.#taken(4) >> 2];
        const texts = new Vec(vec.kind, 0);
        this.#texts(texts, count);
        const at = this.#taken(rows);
        vec = Vec.ofCoded(vec.kind, Uint16Array.from(bytes.subarray(at, at + rows)), texts.strings());
        vec.tags = tags;
      }
    }
    return vec;
  }

  #texts(vec: Vec, count: number): void {
    const { buffer, byteOffset } = this.#bytes;
    vec.offsets = new Uint32Array(buffer, byteOffset + this.#taken(4 * (count + 1)), count + 1);
    const at = this.#taken(vec.offsets[count]);
    vec.heap = this.#bytes.subarray(at, at + vec.offsets[count]);
  }
}

/** Text keys whose offsets begin at `at`: slices of one string. */
function keyStrings({ buffer, byteOffset }: Uint8Array, words: Uint32Array, at: number, rows: number): string[] {
  const offsets = at >> 2;
  const whole = Buffer.from(buffer, byteOffset + at + 4 * (rows + 1), words[offsets + rows]).latin1Slice();
  const keys = new Array<string>(rows);
  for (let i = 0; i < rows; i++) keys[i] = whole.slice(words[offsets + i], words[offsets + i + 1]);
  return keys;
}

export function decodePage(source: Uint8Array, id: number): Node {
  // Views need alignment; the store may return a slice of a pool.
  const bytes = (source.byteOffset & 7) === 0 ? source : Uint8Array.prototype.slice.call(source);
  const { buffer, byteOffset } = bytes;
  const words = new Uint32Array(buffer, byteOffset, bytes.length >> 2);
  const head = words[0];
  if (((head & 0xff) !== PAGE_FORMAT_VERSION && (head & 0xff) !== PAGE_FORMAT_FIRST) || bytes.length < 16) {
    throw new SvcError('XX001', `page ${id} has format version ${head & 0xff}, this release reads ${PAGE_FORMAT_VERSION}`, {
      hint: 'Delete the folder `cache`: it is rebuilt from the log.',
    });
  }
  const rows = words[1];
  const numeric = ((head >> 16) & NUMERIC) !== 0;
  let at = 16;
  const f64 = (count: number): Float64Array => {
    const view = new Float64Array(buffer, byteOffset + at, count);
    at += 8 * count;
    return view;
  };
  const align = (): void => {
    at = (at + 7) & ~7;
  };
  if (((head >> 8) & 0xff) === LEAF) {
    const page = new LeafPage(bytes, numeric);
    const { ids, refs } = page.contents();
    const leaf = Leaf.ofPage(numeric ? f64(rows) : null, rows, sharedIds(ids), page, 0);
    leaf.id = id;
    // References are changed in place, and the page does not have unwritten ones.
    if (refs) leaf.cols = leaf.cols.slice();
    return leaf;
  }
  const inner = new Inner((head >>> 24) & 0xff, 0);
  inner.id = id;
  if (numeric) inner.keys = Array.from(f64(rows));
  else {
    inner.keys = keyStrings(bytes, words, at, rows);
    at += 4 * (rows + 1) + words[(at >> 2) + rows];
  }
  align();
  inner.ids = Array.from(f64(rows));
  inner.counts = Array.from(f64(rows));
  inner.kids = new Array(rows).fill(null);
  for (let i = 0; i < rows; i++, at += 32) inner.hashes.push(bytes.subarray(at, at + 32));
  return inner;
}
