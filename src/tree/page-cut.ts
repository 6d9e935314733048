/**
 * Rows taken out of a page where it lies. A leaf that loses some rows of many is made so: its columns are moved together as bytes,
 * and nothing is made of them before somebody reads the leaf. Of the layout see docs/formats/page.md.
 */
import { KIND, type Kind } from './datum.ts';
import { Leaf } from './node.ts';
import { CODED, LeafPage, pageBytes, TAGGED } from './page-format.ts';
import { Slab } from './slab.ts';

/** The leaf without the rows at `gone`, which are in order and not all of its rows; owned by `edit`. */
export function leafWithoutRows(leaf: Leaf, gone: readonly number[], edit: number): Leaf {
  const page = scratchOf(leaf);
  const length = cutRows(page, leaf.numeric, gone);
  const bytes = Slab.ofTexts(length).bytes(length);
  bytes.set(page.subarray(0, length));
  const count = leaf.count - gone.length;
  const keys = leaf.numeric ? new Float64Array(bytes.buffer, bytes.byteOffset + HEAD_BYTES, count) : without(leaf.skeys, leaf.count, gone);
  return Leaf.ofPage(keys, count, leaf.colIds, new LeafPage(bytes, leaf.numeric), edit);
}

const HEAD_BYTES = 16;
let scratch = new Uint8Array(64 * 1024);

/** The leaf's page, to be changed, until the next one is asked for. */
function scratchOf(leaf: Leaf): Uint8Array {
  if (leaf.page === null) return pageBytes(leaf);
  const { bytes } = leaf.page;
  if (bytes.length > scratch.length) scratch = new Uint8Array(2 * bytes.length);
  scratch.set(bytes);
  return scratch;
}

function without(keys: readonly string[], count: number, gone: readonly number[]): string[] {
  const out = new Array<string>(count - gone.length);
  for (let i = 0, k = 0, at = 0; i < count; i++) {
    if (k < gone.length && gone[k] === i) k++;
    else out[at++] = keys[i];
  }
  return out;
}

/** Where a page is read, and where what stays of it goes: never behind what is yet to be read. */
class Cut {
  readonly #page: Uint8Array;
  readonly #words: Uint32Array;
  readonly #gone: readonly number[];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  from = HEAD_BYTES;
  to = HEAD_BYTES;

  constructor(page: Uint8Array, gone: readonly number[]) {
    this.#page = page;
    this.#words = new Uint32Array(page.buffer, page.byteOffset, page.length >> 2);
    this.#gone = gone;
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

  cells(width: number, rows: number): void {
    const { from } = this;
    const gone = this.#gone;
    let start = 0;
    for (let k = 0; k < gone.length; k++) {
      this.#move(from + start * width, from + gone[k] * width);
      start = gone[k] + 1;
    }
    this.#move(from + start * width, from + rows * width);
    this.from = from + rows * width;
  }

  align(): void {
    this.from = (this.from + 7) & ~7;
    while ((this.to & 7) !== 0) this.#page[this.to++] = 0;
  }

  texts(rows: number): void {
    const words = this.#words;
    const gone = this.#gone;
    const starts = this.#starts;
    const ends = this.#ends;
    const table = this.from >> 2;
    const heap = this.from + 4 * (rows + 1);
    const total = words[table + rows];
    for (let k = 0; k < gone.length; k++) {
      starts[k] = words[table + gone[k]];
      ends[k] = words[table + gone[k] + 1];
    }
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
    let start = 0;
    for (let k = 0; k < gone.length; k++) {
      this.#move(heap + start, heap + starts[k]);
      start = ends[k];
    }
    this.#move(heap + start, heap + total);
    this.from = heap + total;
  }
}

/** The length of what is left of the page, at its beginning. */
function cutRows(page: Uint8Array, numeric: boolean, gone: readonly number[]): number {
  const cut = new Cut(page, gone);
  const { words } = cut;
  const rows = words[1];
  const columns = words[2];
  words[1] = rows - gone.length;
  if (numeric) cut.cells(8, rows);
  else cut.texts(rows);
  for (let c = 0; c < columns; c++) {
    cut.align();
    const flags = words[(cut.from >> 2) + 1];
    cut.whole(8);
    if ((flags & TAGGED) !== 0) {
      cut.cells(1, rows);
      cut.align();
    }
    switch ((flags & 0xff) as Kind) {
      case KIND.F64:
      case KIND.I64:
        cut.cells(8, rows);
        break;
      case KIND.I32:
      case KIND.BOOL:
        cut.cells(4, rows);
        break;
      case KIND.REF:
        cut.cells(8, rows);
        cut.cells(32, rows);
        break;
      default:
        if ((flags & CODED) !== 0) {
          const texts = words[cut.from >> 2];
          cut.whole(4 + 4 * (texts + 1) + words[(cut.from >> 2) + 1 + texts]);
          cut.cells(1, rows);
        } else cut.texts(rows);
    }
  }
  return cut.to;
}
