/**
 * Deletes rows of an encoded page without decoding it: for a leaf that loses some of many rows, the remaining bytes of each
 * column are moved together, and nothing is decoded before the leaf is read. The layout is in docs/formats/page.md.
 */
import { assert } from '../base/assert.ts';
import { type Key, KIND, type Kind, TAG } from './datum.ts';
import { nextAtLeast } from './merge-rows.ts';
import { Leaf } from './node.ts';
import { CODED, LeafPage, pageBytes, TAGGED } from './page-format.ts';
import { Slab } from './slab.ts';
import type { SortedKeys } from './sorted-keys.ts';

const places: number[] = [];

/** The leaf without those of the sorted keys [from, to) that it has; owned by `edit`, empty if none are left. It has no references to other trees. */
export function leafWithout(leaf: Leaf, keyOf: (k: number) => Key, from: number, to: number, edit: number): Leaf {
  places.length = 0;
  let row = 0;
  for (let k = from; k < to; k++) {
    const key = keyOf(k);
    row = nextAtLeast(leaf, key, row);
    if (row === leaf.count) break;
    if (leaf.key(row) === key) places.push(row++);
  }
  return leafWithoutPlaces(leaf, edit);
}

/** `leafWithout` for keys [from, to) given as bytes: the leaf's keys are not decoded. */
export function leafWithoutKeys(leaf: Leaf, keys: SortedKeys, from: number, to: number, edit: number): Leaf {
  const page = leaf.page?.bytes ?? pageBytes(leaf);
  findPlaces(page, keys, from, to);
  return leafWithoutPlaces(leaf, edit, page);
}

/** `page`: the leaf's page, if available. */
function leafWithoutPlaces(leaf: Leaf, edit: number, page = leaf.page?.bytes): Leaf {
  if (places.length === leaf.count) return new Leaf(leaf.numeric, edit);
  if (places.length > 0) return leafWithoutRows(leaf, page ?? pageBytes(leaf), places, edit);
  return leaf.edit === edit ? leaf : leaf.copy(edit);
}

/** Collects in `places` the positions of keys [from, to) that are in the page. */
function findPlaces(page: Uint8Array, keys: SortedKeys, from: number, to: number): void {
  places.length = 0;
  const words = new Uint32Array(page.buffer, page.byteOffset, page.length >> 2);
  const rows = words[1];
  const table = HEAD_BYTES >> 2;
  const heap = HEAD_BYTES + 4 * (rows + 1);
  const { bytes } = keys;
  let row = 0;
  for (let k = from; k < to && row < rows; k++) {
    const start = keys.start(k);
    const length = keys.end(k) - start;
    /** Negative if row `i` is before the key, 0 if equal. */
    const compared = (i: number): number => {
      const own = heap + words[table + i];
      const ownLength = words[table + i + 1] - words[table + i];
      const shared = ownLength < length ? ownLength : length;
      for (let c = 0; c < shared; c++) {
        const difference = page[own + c] - bytes[start + c];
        if (difference !== 0) return difference;
      }
      return ownLength - length;
    };
    // Exponential search from the last position.
    let order = compared(row);
    let step = 1;
    let low = row;
    while (order < 0) {
      low = row + 1;
      if (low === rows) break;
      row = Math.min(row + step, rows - 1);
      step *= 2;
      order = compared(row);
    }
    while (low < row) {
      const middle = (low + row) >> 1;
      const other = compared(middle);
      if (other < 0) low = middle + 1;
      else {
        row = middle;
        order = other;
      }
    }
    if (order < 0) return;
    if (order === 0) places.push(row++);
  }
}

/** The leaf without the rows at `gone`, which are sorted and not all of its rows; owned by `edit`. */
function leafWithoutRows(leaf: Leaf, whole: Uint8Array, gone: readonly number[], edit: number): Leaf {
  // A page that was just encoded may be changed in place.
  const page = leaf.page === null ? whole : scratchOf(whole);
  const { length, measured } = cutRows(page, leaf.numeric, gone);
  const bytes = Slab.ofPage(length);
  bytes.set(page.subarray(0, length));
  const count = leaf.count - gone.length;
  const keys = leaf.numeric ? new Float64Array(bytes.buffer, bytes.byteOffset + HEAD_BYTES, count) : null;
  const out = Leaf.ofPage(keys, count, leaf.colIds, new LeafPage(bytes, leaf.numeric), edit);
  out.bytes = measured;
  return out;
}

const HEAD_BYTES = 16;
let scratch = new Uint8Array(64 * 1024);

/** A copy of the page, valid until the next call. */
function scratchOf(page: Uint8Array): Uint8Array {
  if (page.length > scratch.length) scratch = new Uint8Array(2 * page.length);
  scratch.set(page);
  return scratch;
}

/** Read and write positions in the page: the write position is never past the read position. */
class Cut {
  readonly #page: Uint8Array;
  readonly #words: Uint32Array;
  readonly #gone: readonly number[];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** Rows of the page, and remaining rows. */
  readonly #rows: number;
  readonly #left: number;
  /** Tags of the remaining rows in the current column; -1 without tags. */
  #tags = -1;
  /** How many of them have no value. */
  #empty = 0;
  from = HEAD_BYTES;
  to = HEAD_BYTES;
  /** Size of the remaining leaf by the leaf's own measure. */
  measured = HEAD_BYTES;

  constructor(page: Uint8Array, gone: readonly number[]) {
    this.#page = page;
    this.#words = new Uint32Array(page.buffer, page.byteOffset, page.length >> 2);
    this.#gone = gone;
    this.#rows = this.#words[1];
    this.#left = this.#rows - gone.length;
    this.#words[1] = this.#left;
  }

  get words(): Uint32Array {
    return this.#words;
  }

  #move(start: number, end: number): void {
    if (end === start) return;
    this.#page.copyWithin(this.to, start, end);
    this.to += end - start;
  }

  whole(bytes: number): void {
    this.#move(this.from, this.from + bytes);
    this.from += bytes;
  }

  #cells(width: number): void {
    const { from } = this;
    const rows = this.#rows;
    const gone = this.#gone;
    let start = 0;
    for (let k = 0; k < gone.length; k++) {
      this.#move(from + start * width, from + gone[k] * width);
      start = gone[k] + 1;
    }
    this.#move(from + start * width, from + rows * width);
    this.from = from + rows * width;
  }

  /** A column's tags. */
  tags(): void {
    const left = this.#left;
    this.#tags = this.to;
    this.#cells(1);
    this.#empty = 0;
    for (let i = 0; i < left; i++) if (this.#page[this.#tags + i] !== TAG.VALUE) this.#empty++;
    this.align();
  }

  noTags(): void {
    this.#tags = -1;
    this.#empty = 0;
  }

  #isEmpty(i: number): boolean {
    return this.#tags >= 0 && this.#page[this.#tags + i] !== TAG.VALUE;
  }

  /** Cells of `width` bytes, measured as `each`. */
  values(width: number, each: number): void {
    this.measured += each * (this.#left - this.#empty) + this.#empty;
    this.#cells(width);
  }

  align(): void {
    this.from = (this.from + 7) & ~7;
    while ((this.to & 7) !== 0) this.#page[this.to++] = 0;
  }

  /** Dictionary-coded texts; the dictionary is kept whole. */
  coded(): void {
    const words = this.#words;
    const table = (this.from >> 2) + 1;
    const texts = words[table - 1];
    const moved = (this.to >> 2) + 1;
    this.whole(4 + 4 * (texts + 1) + words[table + texts]);
    const codes = this.to;
    this.#cells(1);
    for (let i = 0; i < this.#left; i++) {
      const code = this.#page[codes + i];
      this.measured += this.#isEmpty(i) ? 1 : 5 + words[moved + code + 1] - words[moved + code];
    }
  }

  /** `each`: the measure of a text besides its bytes. */
  texts(each: number): void {
    const words = this.#words;
    const gone = this.#gone;
    const rows = this.#rows;
    const starts = this.#starts;
    const ends = this.#ends;
    const table = this.from >> 2;
    const heap = this.from + 4 * (rows + 1);
    const total = words[table + rows];
    for (let k = 0; k < gone.length; k++) {
      starts[k] = words[table + gone[k]];
      ends[k] = words[table + gone[k] + 1];
    }
    const offsets = this.to >> 2;
    let at = this.to >> 2;
    let shift = 0;
    for (let i = 0, k = 0; i < rows; i++) {
      if (k < gone.length && gone[k] === i) {
        shift += ends[k] - starts[k];
        k++;
      } else words[at++] = words[table + i] - shift;
    }
    words[at++] = total - shift;
    this.to = 4 * at;
    this.measured += each * (this.#left - this.#empty) + this.#empty + total - shift;
    if (this.#empty > 0) for (let i = 0; i < this.#left; i++) if (this.#isEmpty(i)) this.measured -= words[offsets + i + 1] - words[offsets + i];
    let start = 0;
    for (let k = 0; k < gone.length; k++) {
      this.#move(heap + start, heap + starts[k]);
      start = ends[k];
    }
    this.#move(heap + start, heap + total);
    this.from = heap + total;
  }
}

/** Cuts the rows; returns the page's new length, and the leaf's measure of it. */
function cutRows(page: Uint8Array, numeric: boolean, gone: readonly number[]): { length: number; measured: number } {
  const cut = new Cut(page, gone);
  const { words } = cut;
  const columns = words[2];
  if (numeric) cut.values(8, 8);
  else cut.texts(4);
  for (let c = 0; c < columns; c++) {
    cut.align();
    const flags = words[(cut.from >> 2) + 1];
    cut.whole(8);
    if ((flags & TAGGED) !== 0) cut.tags();
    else cut.noTags();
    const kind = (flags & 0xff) as Kind;
    switch (kind) {
      case KIND.F64:
      case KIND.I64:
        cut.values(8, 9);
        break;
      case KIND.I32:
      case KIND.BOOL:
        cut.values(4, 9);
        break;
      default:
        assert(kind !== KIND.REF, 'a leaf without references to other trees');
        if ((flags & CODED) !== 0) cut.coded();
        else cut.texts(5);
    }
  }
  return { length: cut.to, measured: cut.measured };
}
