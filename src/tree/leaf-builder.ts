/**
 * Builds leaves from rows in key order, as in bulk loads: cells go directly into column arrays, so that rows need no objects.
 * Each leaf is filled before the next is begun.
 */
import { assert } from '../base/assert.ts';
import { type Datum, KIND, type Key, type Kind, TAG } from './datum.ts';
import { Leaf, LEAF_BYTES_MAX, LEAF_ROWS_MAX } from './node.ts';
import { Slab } from './slab.ts';
import { roomFor, Vec, wideNumber } from './vec.ts';

/** Shorter texts are written here: a call into native code takes as long. */
const SHORT_TEXT = 48;
const NO_BYTES = Buffer.alloc(0);

/** One column of the open leaf. */
class OpenColumn {
  readonly kind: Kind;
  readonly numbers: Float64Array | null;
  /** Ends of texts in `#heap`: the text of row `i` begins at `ends[i]`. */
  readonly ends: Uint32Array | null;
  readonly tags = new Uint8Array(LEAF_ROWS_MAX);
  tagged = false;
  /** Whole numbers beyond 2^53 by row: the leaf's column then has 64 bits. */
  wide: Map<number, bigint> | null = null;
  #heap = NO_BYTES;

  constructor(kind: Kind) {
    this.kind = kind;
    const isText = kind === KIND.TEXT || kind === KIND.JSON || kind === KIND.BIN;
    this.numbers = isText ? null : new Float64Array(LEAF_ROWS_MAX);
    this.ends = isText ? new Uint32Array(LEAF_ROWS_MAX + 1) : null;
  }

  /** Sets row `i`, which is the last so far; returns its estimated bytes. */
  set(i: number, value: Datum): number {
    switch (typeof value) {
      case 'number':
        this.numbers![i] = value;
        return 9;
      case 'string':
        this.#write(i, value);
        return 5 + value.length;
      case 'boolean':
        this.numbers![i] = value ? 1 : 0;
        return 9;
      case 'bigint':
        (this.wide ??= new Map()).set(i, value);
        return 9;
      default:
        this.tagged = true;
        this.tags[i] = value === null ? TAG.NULL : TAG.ABSENT;
        if (this.ends !== null) this.ends[i + 1] = this.ends[i];
        else this.numbers![i] = 0;
        return 1;
    }
  }

  /** Sets row `i` to a cell of another column; texts are copied as bytes. */
  copy(i: number, vec: Vec, row: number): number {
    const { offsets } = vec;
    const tagged = vec.tags !== null && vec.tags[row] !== TAG.VALUE;
    if (this.ends === null || offsets === null || tagged || vec.kind !== this.kind) return this.set(i, vec.get(row));
    const start = this.ends[i];
    const from = offsets[row];
    const length = offsets[row + 1] - from;
    if (start + length > this.#heap.length) this.#grow(start + length);
    const heap = this.#heap;
    const source = vec.heap!;
    for (let b = 0; b < length; b++) heap[start + b] = source[from + b];
    this.ends[i + 1] = start + length;
    return 5 + length;
  }

  #write(i: number, text: string): void {
    const ends = this.ends!;
    const start = ends[i];
    if (start + 3 * text.length > this.#heap.length) this.#grow(start + 3 * text.length);
    const heap = this.#heap;
    let at = start;
    let c = 0;
    if (text.length <= SHORT_TEXT) {
      const limit = this.kind === KIND.BIN ? 255 : 127;
      for (; c < text.length; c++) {
        const code = text.charCodeAt(c);
        if (code > limit) break;
        heap[at++] = code;
      }
    }
    if (c < text.length) at = start + (this.kind === KIND.BIN ? heap.latin1Write(text, start) : heap.utf8Write(text, start));
    ends[i + 1] = at;
  }

  #grow(wanted: number): void {
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, 2 * this.#heap.length, LEAF_BYTES_MAX));
    grown.set(this.#heap);
    this.#heap = grown;
  }

  /** Bytes of the first `count` rows in the slab of numbers … */
  size(count: number): number {
    const room = roomFor(count);
    return (this.tagged ? room : 0) + (this.ends === null ? 8 * room : 0);
  }

  /** … and in the slab of texts. */
  textSize(count: number): number {
    return this.ends === null ? 0 : Slab.size(4 * (count + 1)) + Slab.size(this.ends[count]);
  }

  /** Takes the first `count` rows out, leaving an empty column. */
  take(count: number, edit: number, slab: Slab, texts: Slab): Vec {
    const room = roomFor(count);
    let tags: Uint8Array | null = null;
    if (this.tagged) {
      tags = slab.bytes(room);
      for (let i = 0; i < count; i++) tags[i] = this.tags[i];
      this.tags.fill(0);
      this.tagged = false;
    }
    if (this.ends !== null) return this.#takeTexts(this.ends, count, tags, edit, texts);
    const numbers = this.numbers!;
    const kind = this.wide === null ? this.kind : KIND.I64;
    const vec = new Vec(kind, edit);
    vec.tags = tags;
    if (kind === KIND.F64) {
      vec.f64 = slab.f64(room);
      for (let i = 0; i < count; i++) vec.f64[i] = numbers[i];
    } else if (kind === KIND.I64) {
      vec.big = slab.big(room);
      for (let i = 0; i < count; i++) {
        if (tags !== null && tags[i] !== TAG.VALUE) continue;
        const wide = this.wide?.get(i) ?? wideNumber(numbers[i]);
        assert(wide !== null, 'whole numbers beside one that is beyond 2^53');
        vec.big[i] = wide;
      }
      this.wide = null;
    } else {
      vec.i32 = slab.i32(room);
      for (let i = 0; i < count; i++) vec.i32[i] = numbers[i];
    }
    return vec;
  }

  /** As bytes: a million retained strings would be copied by the garbage collector again and again. */
  #takeTexts(ends: Uint32Array, count: number, tags: Uint8Array | null, edit: number, slab: Slab): Vec {
    const heap = this.#heap;
    const length = ends[1];
    let same = ends[count] === length * count;
    for (let i = 1; i < count && same; i++) same = ends[i + 1] === length * (i + 1);
    for (let i = length; i < ends[count] && same; i++) same = heap[i] === heap[i - length];
    let vec: Vec;
    if (same) vec = Vec.ofCoded(this.kind, new Uint16Array(count), [this.kind === KIND.BIN ? heap.latin1Slice(0, length) : heap.utf8Slice(0, length)]);
    else {
      const offsets = slab.u32(count + 1);
      for (let i = 0; i <= count; i++) offsets[i] = ends[i];
      const bytes = slab.bytes(ends[count]);
      bytes.set(heap.subarray(0, ends[count]));
      vec = Vec.ofHeap(this.kind, offsets, bytes);
    }
    vec.tags = tags;
    vec.edit = edit;
    return vec;
  }
}

export class LeafBuilder {
  readonly leaves: Leaf[] = [];
  /** Rows so far. */
  count = 0;
  /** Key of the last row. */
  last: Key | null = null;
  readonly #numeric: boolean;
  readonly #edit: number;
  readonly #ids: readonly number[];
  readonly #columns: readonly OpenColumn[];
  readonly #numbers: Float64Array;
  #keys: string[] = [];
  #rows = 0;
  #bytes = 16;

  constructor(numeric: boolean, ids: readonly number[], kinds: readonly Kind[], edit: number) {
    this.#numeric = numeric;
    this.#edit = edit;
    this.#ids = ids;
    this.#columns = kinds.map((kind) => new OpenColumn(kind));
    this.#numbers = new Float64Array(LEAF_ROWS_MAX);
  }

  /** The key is greater than all so far; the cells align with the columns. */
  add(key: Key, cells: readonly Datum[]): void {
    const row = this.#rows;
    const columns = this.#columns;
    let bytes = this.#keyBytes(key);
    for (let c = 0; c < columns.length; c++) bytes += columns[c].set(row, cells[c]);
    if (!this.#isLast(bytes)) this.#take(key, bytes);
    else if (!this.#closesWith(key, bytes)) this.add(key, cells);
  }

  /** Adds row `i` of a leaf with these columns. */
  addFrom(key: Key, cols: readonly Vec[], i: number): void {
    const row = this.#rows;
    const columns = this.#columns;
    let bytes = this.#keyBytes(key);
    for (let c = 0; c < columns.length; c++) bytes += columns[c].copy(row, cols[c], i);
    if (!this.#isLast(bytes)) this.#take(key, bytes);
    else if (!this.#closesWith(key, bytes)) this.addFrom(key, cols, i);
  }

  /** Adds a changed row: the first half of the columns gets its current cells (null: a column that the leaf does not have), the second half `cells`. */
  addChange(key: Key, vecs: readonly (Vec | null)[], i: number, cells: readonly Datum[]): void {
    const row = this.#rows;
    const columns = this.#columns;
    const half = vecs.length;
    let bytes = this.#keyBytes(key);
    for (let c = 0; c < half; c++) {
      const vec = vecs[c];
      bytes += vec === null ? columns[c].set(row, undefined) : columns[c].copy(row, vec, i);
      bytes += columns[half + c].set(row, cells[c]);
    }
    if (!this.#isLast(bytes)) this.#take(key, bytes);
    else if (!this.#closesWith(key, bytes)) this.addChange(key, vecs, i, cells);
  }

  #keyBytes(key: Key): number {
    return this.#numeric ? 8 : 4 + (key as string).length;
  }

  #isLast(bytes: number): boolean {
    return this.#rows === LEAF_ROWS_MAX - 1 || (this.#bytes + bytes > LEAF_BYTES_MAX && this.#rows > 0);
  }

  #take(key: Key, bytes: number): void {
    if (this.#numeric) this.#numbers[this.#rows] = key as number;
    else this.#keys.push(key as string);
    this.#bytes += bytes;
    this.#rows++;
    this.count++;
    this.last = key;
  }

  /** Closes the leaf; false if its last row does not fit and must start the next leaf. */
  #closesWith(key: Key, bytes: number): boolean {
    const fits = this.#bytes + bytes <= LEAF_BYTES_MAX || this.#rows === 0;
    if (fits) this.#take(key, bytes);
    else {
      for (const { tags, wide } of this.#columns) {
        tags[this.#rows] = TAG.VALUE;
        wide?.delete(this.#rows);
      }
    }
    this.#close();
    return fits;
  }

  #close(): void {
    const count = this.#rows;
    const room = roomFor(count);
    let bytes = this.#numeric ? 8 * room : 0;
    let textBytes = 0;
    for (const column of this.#columns) {
      bytes += column.size(count);
      textBytes += column.textSize(count);
    }
    const slab = Slab.ofNumbers(bytes);
    // A slab of their own: when columns change, strings replace them.
    const texts = Slab.ofTexts(textBytes);
    const leaf = new Leaf(this.#numeric, this.#edit, this.#numeric ? slab.f64(room) : undefined);
    leaf.count = count;
    leaf.bytes = this.#bytes;
    if (this.#numeric) for (let i = 0; i < count; i++) leaf.nkeys[i] = this.#numbers[i];
    else leaf.skeys = this.#keys;
    leaf.colIds = this.#ids;
    for (const column of this.#columns) leaf.cols.push(column.take(count, this.#edit, slab, texts));
    this.leaves.push(leaf);
    this.#keys = [];
    this.#rows = 0;
    this.#bytes = 16;
  }

  /** All leaves, including the open one. */
  finish(): readonly Leaf[] {
    if (this.#rows > 0) this.#close();
    return this.leaves;
  }
}
