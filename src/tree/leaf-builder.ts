/**
 * Leaves of rows that come in the order of their keys, as bulk loads bring them: cells go into arrays of their columns at
 * once, so that a row leaves no object behind. Each leaf is full before the next is begun.
 */
import { assert } from '../base/assert.ts';
import { type Datum, KIND, type Key, type Kind, TAG } from './datum.ts';
import { Leaf, LEAF_BYTES_MAX, LEAF_ROWS_MAX } from './node.ts';
import { Vec, wideNumber } from './vec.ts';

/** One column of the leaf that is open. */
class OpenColumn {
  readonly kind: Kind;
  readonly numbers: Float64Array | null;
  readonly texts: string[] | null;
  readonly tags = new Uint8Array(LEAF_ROWS_MAX);
  tagged = false;
  /** Whole numbers beyond 2^53 by their rows: the leaf's column then has 64 bits. */
  wide: Map<number, bigint> | null = null;

  constructor(kind: Kind) {
    this.kind = kind;
    const isText = kind === KIND.TEXT || kind === KIND.JSON || kind === KIND.BIN;
    this.numbers = isText ? null : new Float64Array(LEAF_ROWS_MAX);
    this.texts = isText ? new Array<string>(LEAF_ROWS_MAX).fill('') : null;
  }

  /** What stands in row `i`; its bytes in the leaf's estimate. */
  set(i: number, value: Datum): number {
    switch (typeof value) {
      case 'number':
        this.numbers![i] = value;
        return 9;
      case 'string':
        this.texts![i] = value;
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
        if (this.texts !== null) this.texts[i] = '';
        else this.numbers![i] = 0;
        return 1;
    }
  }

  /** The first `count` rows, and an empty column behind them. */
  take(count: number, edit: number): Vec {
    const room = Math.max(8, (count + 7) & ~7);
    let tags: Uint8Array | null = null;
    if (this.tagged) {
      tags = this.tags.slice(0, room);
      this.tags.fill(0);
      this.tagged = false;
    }
    if (this.texts !== null) return this.#takeTexts(this.texts, count, tags, edit);
    const numbers = this.numbers!;
    const kind = this.wide === null ? this.kind : KIND.I64;
    const vec = new Vec(kind, edit);
    vec.tags = tags;
    if (kind === KIND.F64) vec.f64 = numbers.slice(0, room);
    else if (kind === KIND.I64) {
      vec.big = new BigInt64Array(room);
      for (let i = 0; i < count; i++) {
        if (tags !== null && tags[i] !== TAG.VALUE) continue;
        const wide = this.wide?.get(i) ?? wideNumber(numbers[i]);
        assert(wide !== null, 'whole numbers beside one that is beyond 2^53');
        vec.big[i] = wide;
      }
      this.wide = null;
    } else {
      vec.i32 = new Int32Array(room);
      for (let i = 0; i < count; i++) vec.i32[i] = numbers[i];
    }
    return vec;
  }

  /** As bytes: a million strings that stay would be copied again and again by whoever collects garbage. */
  #takeTexts(texts: string[], count: number, tags: Uint8Array | null, edit: number): Vec {
    let same = true;
    for (let i = 1; i < count && same; i++) same = texts[i] === texts[0];
    let vec: Vec;
    if (same) vec = Vec.ofCoded(this.kind, new Uint16Array(count), [texts[0]]);
    else {
      const own = count === texts.length ? texts : texts.slice(0, count);
      const all = own.join('');
      const offsets = new Uint32Array(count + 1);
      const bytes = this.kind === KIND.BIN ? Buffer.from(all, 'latin1') : Buffer.from(all, 'utf8');
      const plain = bytes.length === all.length;
      for (let i = 0; i < count; i++) offsets[i + 1] = offsets[i] + (plain ? own[i].length : Buffer.byteLength(own[i]));
      vec = Vec.ofHeap(this.kind, offsets, Uint8Array.prototype.slice.call(bytes));
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

  /** The key is above all so far; the cells align with the columns. */
  add(key: Key, cells: readonly Datum[]): void {
    const row = this.#rows;
    const columns = this.#columns;
    let bytes = this.#numeric ? 8 : 4 + (key as string).length;
    for (let c = 0; c < columns.length; c++) bytes += columns[c].set(row, cells[c]);
    // A row that is too much was set behind the others: it is the first of the next leaf.
    if (row === LEAF_ROWS_MAX - 1 || (this.#bytes + bytes > LEAF_BYTES_MAX && row > 0)) return this.#addAndClose(key, cells, bytes);
    if (this.#numeric) this.#numbers[row] = key as number;
    else this.#keys.push(key as string);
    this.#bytes += bytes;
    this.#rows = row + 1;
    this.count++;
    this.last = key;
  }

  #addAndClose(key: Key, cells: readonly Datum[], bytes: number): void {
    const fits = this.#bytes + bytes <= LEAF_BYTES_MAX || this.#rows === 0;
    if (fits) {
      if (this.#numeric) this.#numbers[this.#rows] = key as number;
      else this.#keys.push(key as string);
      this.#bytes += bytes;
      this.#rows++;
      this.count++;
      this.last = key;
      this.#close();
      return;
    }
    for (const { tags, wide } of this.#columns) {
      tags[this.#rows] = TAG.VALUE;
      wide?.delete(this.#rows);
    }
    this.#close();
    this.add(key, cells);
  }

  #close(): void {
    const count = this.#rows;
    const leaf = new Leaf(this.#numeric, this.#edit);
    leaf.count = count;
    leaf.bytes = this.#bytes;
    if (this.#numeric) leaf.nkeys = this.#numbers.slice(0, Math.max(8, (count + 7) & ~7));
    else leaf.skeys = this.#keys;
    leaf.colIds = this.#ids;
    for (const column of this.#columns) leaf.cols.push(column.take(count, this.#edit));
    this.leaves.push(leaf);
    this.#keys = [];
    this.#rows = 0;
    this.#bytes = 16;
  }

  /** All leaves, the open one too. */
  finish(): readonly Leaf[] {
    if (this.#rows > 0) this.#close();
    return this.leaves;
  }
}
