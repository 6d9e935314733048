/**
 * One column of one leaf: a typed array (or strings) and a tag byte per row. Kernels read `f64`, `i32`, `big` and `strings()`
 * directly; exactly one is in use, by `kind`. `tags` is null while every row has a value. A vec is changed in place only by
 * its owner (`edit`), otherwise copied: a leaf that changes one column shares the others with the leaf it was copied from, so
 * a diff skips them by identity.
 */
import '../base/bytes.ts';
import { assert, violated } from '../base/assert.ts';
import { type Datum, KIND, type Kind, type Ref, TAG } from './datum.ts';
import type { Node } from './node.ts';
import { Slab } from './slab.ts';

const { latin1Slice, utf8Slice } = Buffer.prototype;
const EMPTY_F64 = new Float64Array(0);
const EMPTY_I32 = new Int32Array(0);
const EMPTY_BIG = new BigInt64Array(0);
// A byte order mark at the start of a text is part of it.
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** A dictionary-coded text column: `texts[codes[i]]` is the text of row `i`. */
export interface Coded {
  readonly codes: Uint16Array;
  readonly texts: readonly string[];
}

/** Interned texts that repeat in many leaves: equal texts are then identical, which is a fast comparison. */
const SHARED = new Map<string, string>();
const SHARED_MAX = 8192;
const SHARED_LENGTH_MAX = 64;

function shared(text: string): string {
  if (text.length > SHARED_LENGTH_MAX) return text;
  const known = SHARED.get(text);
  if (known !== undefined) return known;
  if (SHARED.size >= SHARED_MAX) SHARED.clear();
  SHARED.set(text, text);
  return text;
}

/** Texts are dictionary-coded from this many rows, with at most half as many distinct texts. */
const CODED_ROWS_MIN = 64;

const seen = new Set<string>();

/** Whether the first rows repeat a text; otherwise there are too many distinct ones. */
function repeats(strings: readonly string[]): boolean {
  seen.clear();
  for (let i = 0; i <= CODED_ROWS_MIN / 2; i++) {
    if (seen.has(strings[i])) return true;
    seen.add(strings[i]);
  }
  return false;
}

/** Up to this many cells of an undecoded column are read singly; each takes as long as twenty when all are decoded at once. */
const SINGLE_READS_MAX = 16;

export class Vec {
  readonly kind: Kind;
  edit: number;
  tags: Uint8Array | null = null;
  f64: Float64Array = EMPTY_F64;
  i32: Int32Array = EMPTY_I32;
  big: BigInt64Array = EMPTY_BIG;
  /** Roots of other trees, for kind REF; `f64` then holds their page ids and `hashes` their hashes. */
  refs: (Node | null)[] | null = null;
  hashes: Uint8Array | null = null;
  /** Undecoded text: offsets into `heap`. */
  offsets: Uint32Array | null = null;
  heap: Uint8Array | null = null;
  #strings: string[] | null = null;
  /** Texts that were read singly, by row. */
  #few: string[] | null = null;
  /** Cells read singly so far. */
  #singleReads = 0;
  /** undefined: not computed since the last change. */
  #coded: Coded | null | undefined = undefined;

  constructor(kind: Kind, edit: number) {
    this.kind = kind;
    this.edit = edit;
  }

  /** A column of `count` absent rows. */
  static absent(kind: Kind, count: number, edit: number): Vec {
    const vec = new Vec(kind, edit);
    const capacity = roomFor(count);
    vec.tags = new Uint8Array(capacity).fill(TAG.ABSENT);
    if (kind === KIND.F64) vec.f64 = new Float64Array(capacity);
    else if (kind === KIND.I32 || kind === KIND.BOOL) vec.i32 = new Int32Array(capacity);
    else if (kind === KIND.I64) vec.big = new BigInt64Array(capacity);
    else if (kind === KIND.REF) {
      vec.f64 = new Float64Array(capacity);
      vec.refs = new Array(count).fill(null);
      vec.hashes = new Uint8Array(32 * capacity);
    } else vec.#strings = new Array(count).fill('');
    return vec;
  }

  /** An uninitialised column of numbers or booleans; all `count` rows must be set. */
  static room(kind: Kind, count: number, edit: number): Vec {
    const vec = Vec.absent(kind, count, edit);
    vec.tags = null;
    return vec;
  }

  static ofStrings(kind: Kind, strings: string[], tags: Uint8Array | null, edit: number): Vec {
    const vec = new Vec(kind, edit);
    vec.#strings = strings;
    vec.tags = tags;
    return vec;
  }

  /** Text that is decoded on first use. */
  static ofHeap(kind: Kind, offsets: Uint32Array, heap: Uint8Array): Vec {
    const vec = new Vec(kind, 0);
    vec.offsets = offsets;
    vec.heap = heap;
    return vec;
  }

  /** Dictionary-coded text. */
  static ofCoded(kind: Kind, codes: Uint16Array, texts: string[]): Vec {
    const vec = new Vec(kind, 0);
    for (let t = 0; t < texts.length; t++) texts[t] = shared(texts[t]);
    vec.#coded = { codes, texts };
    return vec;
  }

  /** The same column for another leaf, without an owner: writers copy it first. */
  lent(): Vec {
    const vec = new Vec(this.kind, 0);
    vec.tags = this.tags;
    vec.f64 = this.f64;
    vec.i32 = this.i32;
    vec.big = this.big;
    vec.offsets = this.offsets;
    vec.heap = this.heap;
    vec.#strings = this.#strings;
    vec.#coded = this.#coded;
    return vec;
  }

  /** The decoded strings, one per row; '' for rows without a value. */
  strings(): string[] {
    if (this.#strings === null) {
      this.#strings = this.#decode();
      this.#few = null;
    }
    return this.#strings;
  }

  /** The dictionary and codes; null if most texts are distinct. */
  coded(): Coded | null {
    if (this.#coded === undefined) this.#coded = this.#code();
    return this.#coded;
  }

  /** The dictionary if it is computed or is the only representation. */
  get knownCodes(): Coded | null {
    return this.#coded ?? null;
  }

  #code(): Coded | null {
    const strings = this.strings();
    const count = strings.length;
    if (count < CODED_ROWS_MIN || !repeats(strings)) return null;
    const codes = new Uint16Array(count);
    const texts: string[] = [];
    const known = new Map<string, number>();
    for (let i = 0; i < count; i++) {
      let code = known.get(strings[i]);
      if (code === undefined) {
        code = texts.length;
        if (code > CODED_ROWS_MIN / 2 && code * 2 > i) return null;
        known.set(strings[i], code);
        texts.push(strings[i]);
      }
      codes[i] = code;
    }
    for (let t = 0; t < texts.length; t++) texts[t] = shared(texts[t]);
    for (let i = 0; i < count; i++) strings[i] = texts[codes[i]];
    return { codes, texts };
  }

  /** One text; a column with few reads stays encoded, and its next page reuses the bytes. */
  text(i: number): string {
    if (this.#strings !== null) return this.#strings[i];
    if (this.offsets === null) return this.#textOfCode(i);
    if (++this.#singleReads > SINGLE_READS_MAX) return this.strings()[i];
    return this.#textOfHeap(i);
  }

  /** A cell as `get` has it, which is not kept: what reads a whole table once would leave its texts in the cache. */
  passing(i: number): Datum {
    const isEncoded = this.#strings === null && this.offsets !== null && (this.tags === null || this.tags[i] === TAG.VALUE);
    return isEncoded ? this.#textOfHeap(i) : this.get(i);
  }

  /** An array that has the text of row `i` at its index, for repeated lookups. */
  textsWith(i: number): readonly string[] {
    if (this.#strings !== null) return this.#strings;
    const few = (this.#few ??= new Array<string>((this.offsets?.length ?? this.#coded!.codes.length + 1) - 1));
    if (few[i] === undefined) {
      if (this.offsets === null) few[i] = this.#textOfCode(i);
      else if (++this.#singleReads > SINGLE_READS_MAX) return this.strings();
      else few[i] = this.#textOfHeap(i);
    }
    return few;
  }

  #textOfHeap(i: number): string {
    const offsets = this.offsets!;
    return textOf(this.heap!, offsets[i], offsets[i + 1], this.kind === KIND.BIN);
  }

  /** For a column with neither strings nor bytes. */
  #textOfCode(i: number): string {
    const coded = this.#coded;
    assert(coded !== null && coded !== undefined, 'a text column has strings, bytes or numbers of texts');
    return coded.texts[coded.codes[i]];
  }

  /** Approximate bytes of the cell in a page. */
  cellBytes(i: number): number {
    if (this.tags !== null && this.tags[i] !== TAG.VALUE) return 1;
    switch (this.kind) {
      case KIND.REF:
        return 41;
      case KIND.TEXT:
      case KIND.BIN:
      case KIND.JSON:
        if (this.#strings === null && this.offsets !== null) return 5 + this.offsets[i + 1] - this.offsets[i];
        return 5 + this.text(i).length;
      default:
        return 9;
    }
  }

  /** Replaces the texts by these bytes … */
  replaceByBytes(offsets: Uint32Array, heap: Uint8Array): void {
    this.offsets = offsets;
    this.heap = heap;
    this.#strings = null;
    this.#few = null;
    this.#singleReads = 0;
  }

  /** … or by codes only. */
  replaceByCodes(): void {
    assert(this.#coded !== null && this.#coded !== undefined, 'texts that come again have numbers');
    this.offsets = null;
    this.heap = null;
    this.#strings = null;
    this.#few = null;
  }

  /** The texts are available as strings. */
  get hasStrings(): boolean {
    return this.#strings !== null;
  }

  /** Upper bound of the memory of texts that were read singly. */
  get fewBytes(): number {
    return this.#few === null ? 0 : 8 * this.#few.length + 64 * SINGLE_READS_MAX;
  }

  get decoded(): boolean {
    return this.offsets === null || this.#strings !== null;
  }

  #decode(): string[] {
    const { offsets, heap } = this;
    if (offsets === null && this.#coded !== null && this.#coded !== undefined) {
      const { codes, texts } = this.#coded;
      const strings = new Array<string>(codes.length);
      for (let i = 0; i < codes.length; i++) strings[i] = texts[codes[i]];
      return strings;
    }
    assert(offsets !== null && heap !== null, 'a text column has strings or bytes');
    const count = offsets.length - 1;
    const out = new Array<string>(count);
    const start = offsets[0];
    const end = offsets[count];
    const bytes = Buffer.from(heap.buffer, heap.byteOffset, heap.length);
    if (this.kind === KIND.BIN) {
      for (let i = 0; i < count; i++) out[i] = bytes.latin1Slice(offsets[i], offsets[i + 1]);
      return out;
    }
    // One decode for the leaf; if all bytes are ASCII, byte offsets are character offsets.
    const whole = bytes.utf8Slice(start, end);
    if (whole.length === end - start) {
      for (let i = 0; i < count; i++) out[i] = whole.slice(offsets[i] - start, offsets[i + 1] - start);
    } else {
      for (let i = 0; i < count; i++) out[i] = utf8.decode(heap.subarray(offsets[i], offsets[i + 1]));
    }
    return out;
  }

  /** True if two undecoded text columns have the same bytes; false proves nothing. */
  sameHeap(other: Vec, count: number): boolean {
    if (this.kind !== other.kind || this.offsets === null || other.offsets === null || this.heap!.length !== other.heap!.length) return false;
    if (this.tags !== null || other.tags !== null) return false;
    for (let i = 0; i <= count; i++) if (this.offsets[i] !== other.offsets[i]) return false;
    return Buffer.compare(this.heap!, other.heap!) === 0;
  }

  tag(i: number): number {
    return this.tags === null ? TAG.VALUE : this.tags[i];
  }

  get(i: number): Datum {
    if (this.tags !== null) {
      const tag = this.tags[i];
      if (tag === TAG.NULL) return null;
      if (tag === TAG.ABSENT) return undefined;
    }
    switch (this.kind) {
      case KIND.F64:
        return this.f64[i];
      case KIND.I32:
        return this.i32[i];
      case KIND.BOOL:
        return this.i32[i] !== 0;
      case KIND.I64: {
        const big = this.big[i];
        const small = Number(big);
        return Number.isSafeInteger(small) ? small : big;
      }
      case KIND.REF:
        return this.f64[i];
      default:
        return this.text(i);
    }
  }

  ref(i: number): Ref {
    assert(this.refs !== null, 'a REF column');
    return { node: this.refs[i], id: this.f64[i] };
  }

  setRef(i: number, node: Node | null, id: number): void {
    assert(this.refs !== null, 'a REF column');
    this.refs[i] = node;
    this.f64[i] = id;
    if (this.tags !== null) this.tags[i] = TAG.VALUE;
  }

  #wide(value: number): bigint {
    const big = wideNumber(value);
    return big ?? violated(`a whole number for an I64 column, not ${value}`);
  }

  set(i: number, value: Datum): void {
    if (value === null || value === undefined) {
      if (this.tags === null) this.tags = new Uint8Array(this.#capacity());
      this.tags[i] = value === null ? TAG.NULL : TAG.ABSENT;
      return;
    }
    if (this.tags !== null) this.tags[i] = TAG.VALUE;
    switch (this.kind) {
      case KIND.F64:
        if (typeof value !== 'number') violated(`a number for an F64 column, not ${typeof value}`);
        this.f64[i] = value;
        return;
      case KIND.I32:
        this.i32[i] = value as number;
        return;
      case KIND.BOOL:
        this.i32[i] = value ? 1 : 0;
        return;
      case KIND.I64:
        this.big[i] = typeof value === 'bigint' ? value : this.#wide(value as number);
        return;
      case KIND.REF:
        this.setRef(i, null, value as number);
        return;
      default:
        if (typeof value !== 'string') violated(`a string for a text column, not ${typeof value}`);
        this.#stringsToChange()[i] = value;
    }
  }

  /** Whether the cell equals the value, without decoding it. */
  holds(i: number, value: Datum): boolean {
    if (typeof value !== 'string' || this.offsets === null || this.#strings !== null || this.tag(i) !== TAG.VALUE) return Object.is(this.get(i), value);
    const from = this.offsets[i];
    const length = this.offsets[i + 1] - from;
    const latin1 = this.kind === KIND.BIN;
    for (let c = 0; c < value.length; c++) {
      const code = value.charCodeAt(c);
      if (code > 127 && !latin1) return textOf(this.heap!, from, from + length, false) === value;
      if (c === length || this.heap![from + c] !== code) return false;
    }
    return length === value.length;
  }

  /** Sets the rows at `places`, sorted, to the cells of a column of the same kind from `from` on. For the owner. */
  setCells(source: Vec, from: number, places: readonly number[]): void {
    const isText = this.kind === KIND.TEXT || this.kind === KIND.JSON || this.kind === KIND.BIN;
    if (isText && this.#strings === null && this.offsets !== null && source.offsets !== null) {
      this.#setBytes(source, from, places);
      return;
    }
    if (isText || this.kind === KIND.REF || this.tags !== null || source.tags !== null) {
      for (let k = 0; k < places.length; k++) this.set(places[k], source.get(from + k));
      return;
    }
    switch (this.kind) {
      case KIND.F64:
        for (let k = 0; k < places.length; k++) this.f64[places[k]] = source.f64[from + k];
        return;
      case KIND.I64:
        for (let k = 0; k < places.length; k++) this.big[places[k]] = source.big[from + k];
        return;
      default:
        for (let k = 0; k < places.length; k++) this.i32[places[k]] = source.i32[from + k];
    }
  }

  /** The same for undecoded texts. */
  #setBytes(source: Vec, from: number, places: readonly number[]): void {
    const offsets = this.offsets!;
    const heap = this.heap!;
    const others = source.offsets!;
    const count = offsets.length - 1;
    let size = offsets[count] - offsets[0];
    for (let k = 0; k < places.length; k++) {
      const i = places[k];
      const tag = source.tag(from + k);
      if (tag !== TAG.VALUE) this.tags ??= new Uint8Array(roomFor(count));
      if (this.tags !== null) this.tags[i] = tag;
      size += others[from + k + 1] - others[from + k] - (offsets[i + 1] - offsets[i]);
    }
    const slab = Slab.ofTexts(Slab.size(4 * (count + 1)) + Slab.size(size));
    const own = slab.u32(count + 1);
    const bytes = slab.bytes(size);
    let at = 0;
    let i = 0;
    for (let k = 0; k <= places.length; k++) {
      // The unchanged rows before it.
      const next = k < places.length ? places[k] : count;
      const shift = at - offsets[i];
      bytes.set(heap.subarray(offsets[i], offsets[next]), at);
      for (; i < next; i++) own[i] = offsets[i] + shift;
      at = offsets[next] + shift;
      if (k === places.length) break;
      own[i++] = at;
      const start = others[from + k];
      const end = others[from + k + 1];
      if (end - start > SHORT_BYTES) {
        bytes.set(source.heap!.subarray(start, end), at);
        at += end - start;
      } else for (let b = start; b < end; b++) bytes[at++] = source.heap![b];
    }
    own[count] = at;
    this.offsets = own;
    this.heap = bytes;
    this.#coded = undefined;
    this.#few = null;
    this.#singleReads = 0;
  }

  /** Decodes texts and drops other representations, for the owner. */
  #stringsToChange(): string[] {
    const strings = this.strings();
    this.#coded = undefined;
    this.offsets = null;
    this.heap = null;
    return strings;
  }

  /** Opens a gap at `i` in a column of `count` rows. The new row is absent until set, or with `filled` must be set to a value. */
  insert(i: number, count: number, filled = false): void {
    if (count + 1 > this.#capacity()) this.#grow(count + 1);
    if (this.tags === null && !filled) this.tags = new Uint8Array(Math.max(this.#capacity(), roomFor(count + 1)));
    if (this.tags !== null) {
      this.tags.copyWithin(i + 1, i, count);
      this.tags[i] = TAG.ABSENT;
    }
    switch (this.kind) {
      case KIND.REF:
        this.refs!.splice(i, 0, null);
        this.hashes!.copyWithin(32 * (i + 1), 32 * i, 32 * count);
        this.f64.copyWithin(i + 1, i, count);
        return;
      case KIND.F64:
        this.f64.copyWithin(i + 1, i, count);
        return;
      case KIND.I32:
      case KIND.BOOL:
        this.i32.copyWithin(i + 1, i, count);
        return;
      case KIND.I64:
        this.big.copyWithin(i + 1, i, count);
        return;
      default: {
        const strings = this.#stringsToChange();
        if (i === count) strings.push('');
        else strings.splice(i, 0, '');
      }
    }
  }

  remove(i: number, count: number): void {
    if (this.tags !== null) this.tags.copyWithin(i, i + 1, count);
    switch (this.kind) {
      case KIND.REF:
        this.refs!.splice(i, 1);
        this.hashes!.copyWithin(32 * i, 32 * (i + 1), 32 * count);
        this.f64.copyWithin(i, i + 1, count);
        return;
      case KIND.F64:
        this.f64.copyWithin(i, i + 1, count);
        return;
      case KIND.I32:
      case KIND.BOOL:
        this.i32.copyWithin(i, i + 1, count);
        return;
      case KIND.I64:
        this.big.copyWithin(i, i + 1, count);
        return;
      default:
        this.#stringsToChange().splice(i, 1);
    }
  }

  /**
   * A permuted column owned by `edit`: each entry of `order` is a row of this column or, if negative, a code for `given`.
   * Arrays of numbers come from the slab, which has space for `arrangedBytes`. Not for kind REF.
   */
  arranged(order: readonly number[], given: (code: number) => Datum, edit: number, slab: Slab): Vec {
    const count = order.length;
    const room = roomFor(count);
    const vec = new Vec(this.kind, edit);
    if (this.tags !== null) {
      const from = this.tags;
      const tags = slab.bytes(room);
      for (let i = 0; i < count; i++) if (order[i] >= 0) tags[i] = from[order[i]];
      vec.tags = tags;
    }
    // One loop per kind: a polymorphic loop takes several times as long.
    switch (this.kind) {
      case KIND.F64: {
        const from = this.f64;
        const into = slab.f64(room);
        for (let i = 0; i < count; i++) if (order[i] >= 0) into[i] = from[order[i]];
        vec.f64 = into;
        break;
      }
      case KIND.I64: {
        const from = this.big;
        const into = slab.big(room);
        for (let i = 0; i < count; i++) if (order[i] >= 0) into[i] = from[order[i]];
        vec.big = into;
        break;
      }
      case KIND.I32:
      case KIND.BOOL: {
        const from = this.i32;
        const into = slab.i32(room);
        for (let i = 0; i < count; i++) if (order[i] >= 0) into[i] = from[order[i]];
        vec.i32 = into;
        break;
      }
      default:
        vec.#takeTexts(this, order, given);
        return vec;
    }
    for (let i = 0; i < count; i++) if (order[i] < 0) vec.set(i, given(order[i]));
    return vec;
  }

  /** Bytes that `arranged` takes from the slab. */
  arrangedBytes(count: number): number {
    const room = roomFor(count);
    const tags = this.tags === null ? 0 : room;
    if (this.kind === KIND.I32 || this.kind === KIND.BOOL) return tags + 4 * room;
    return this.kind === KIND.F64 || this.kind === KIND.I64 ? tags + 8 * room : tags;
  }

  #takeTexts(from: Vec, order: readonly number[], given: (code: number) => Datum): void {
    const count = order.length;
    /** Texts of new rows by position. */
    let texts: string[] | null = null;
    for (let i = 0; i < count; i++) {
      if (order[i] >= 0) continue;
      const value = given(order[i]);
      if (typeof value === 'string') (texts ??= new Array<string>(count))[i] = value;
      else {
        if (value !== null && value !== undefined) violated(`a string for a text column, not ${typeof value}`);
        this.tags ??= new Uint8Array(roomFor(count));
        this.tags[i] = value === null ? TAG.NULL : TAG.ABSENT;
      }
    }
    if (texts === null && from.offsets !== null) {
      this.#takeBytes(from.offsets, from.heap!, order);
      return;
    }
    if (texts === null && from.#strings === null) {
      this.#takeCodes(from.#coded!, order);
      return;
    }
    const own = from.strings();
    const strings = texts ?? new Array<string>(count);
    for (let i = 0; i < count; i++) {
      if (order[i] >= 0) strings[i] = own[order[i]];
      else strings[i] ??= '';
    }
    this.#strings = strings;
  }

  /** Copies the bytes of these rows of another column; negative rows have none. */
  #takeBytes(offsets: Uint32Array, heap: Uint8Array, order: readonly number[]): void {
    const count = order.length;
    const own = new Uint32Array(count + 1);
    for (let i = 0; i < count; i++) own[i + 1] = own[i] + (order[i] < 0 ? 0 : offsets[order[i] + 1] - offsets[order[i]]);
    const bytes = new Uint8Array(own[count]);
    for (let i = 0; i < count;) {
      let end = i + 1;
      if (order[i] >= 0) {
        // Consecutive rows are copied at once.
        while (end < count && order[end] === order[end - 1] + 1) end++;
        bytes.set(heap.subarray(offsets[order[i]], offsets[order[end - 1] + 1]), own[i]);
      }
      i = end;
    }
    this.offsets = own;
    this.heap = bytes;
  }

  /** Copies the codes of these rows of another column; negative rows get the first, hidden by their tags. */
  #takeCodes({ codes, texts }: Coded, order: readonly number[]): void {
    const own = new Uint16Array(order.length);
    for (let i = 0; i < order.length; i++) if (order[i] >= 0) own[i] = codes[order[i]];
    this.#coded = { codes: own, texts };
  }

  /** A column with row `i` only. */
  single(i: number, edit: number): Vec {
    const tag = this.tag(i);
    if (this.kind === KIND.REF) return this.slice(i, i + 1, edit);
    if (this.kind < KIND.TEXT || this.kind > KIND.BIN) return this.#singleNumber(i, tag, edit);
    return Vec.ofStrings(this.kind, [tag === TAG.VALUE ? this.text(i) : ''], tag === TAG.VALUE ? null : new Uint8Array(8).fill(tag), edit);
  }

  #singleNumber(i: number, tag: number, edit: number): Vec {
    const one = new Vec(this.kind, edit);
    if (tag !== TAG.VALUE) one.tags = new Uint8Array(1).fill(tag);
    if (this.kind === KIND.F64) {
      one.f64 = new Float64Array(1);
      one.f64[0] = this.f64[i];
    } else if (this.kind === KIND.I64) {
      one.big = new BigInt64Array(1);
      one.big[0] = this.big[i];
    } else {
      one.i32 = new Int32Array(1);
      one.i32[0] = this.i32[i];
    }
    return one;
  }

  /** A copy of rows [from, to) owned by `edit`, with space to grow. */
  slice(from: number, to: number, edit: number): Vec {
    const copy = new Vec(this.kind, edit);
    const capacity = roomFor(to - from);
    if (this.tags !== null) {
      if (hasOtherThanValue(this.tags, from, to)) {
        copy.tags = new Uint8Array(capacity);
        copyCells(copy.tags, this.tags, from, to);
      }
    }
    switch (this.kind) {
      case KIND.REF:
        copy.refs = this.refs!.slice(from, to);
        copy.hashes = new Uint8Array(32 * capacity);
        copy.hashes.set(this.hashes!.subarray(32 * from, 32 * to));
        copy.f64 = new Float64Array(capacity);
        copyCells(copy.f64, this.f64, from, to);
        break;
      case KIND.F64:
        copy.f64 = new Float64Array(capacity);
        copyCells(copy.f64, this.f64, from, to);
        break;
      case KIND.I32:
      case KIND.BOOL:
        copy.i32 = new Int32Array(capacity);
        copyCells(copy.i32, this.i32, from, to);
        break;
      case KIND.I64:
        copy.big = new BigInt64Array(capacity);
        copy.big.set(this.big.subarray(from, to));
        break;
      default:
        if (this.#strings !== null || this.offsets === null) copy.#strings = this.strings().slice(from, to);
        else if (from === 0 && to === this.offsets.length - 1) {
          // Bytes are never changed in place.
          copy.offsets = this.offsets;
          copy.heap = this.heap;
        } else copy.#takeBytes(this.offsets, this.heap!, sequence(from, to));
    }
    return copy;
  }

  /** Number of texts in a text column. */
  get #texts(): number {
    if (this.#strings !== null) return this.#strings.length;
    return this.offsets === null ? this.strings().length : this.offsets.length - 1;
  }

  #capacity(): number {
    switch (this.kind) {
      case KIND.REF:
      case KIND.F64:
        return this.f64.length;
      case KIND.I32:
      case KIND.BOOL:
        return this.i32.length;
      case KIND.I64:
        return this.big.length;
      default:
        return this.tags === null ? roomFor(this.#texts) : this.tags.length;
    }
  }

  #grow(count: number): void {
    const capacity = roomFor(count + (count >> 1));
    if (this.tags !== null) this.tags = grown(this.tags, new Uint8Array(capacity));
    if (this.kind === KIND.F64 || this.kind === KIND.REF) this.f64 = grown(this.f64, new Float64Array(capacity));
    else if (this.kind === KIND.I32 || this.kind === KIND.BOOL) this.i32 = grown(this.i32, new Int32Array(capacity));
    else if (this.kind === KIND.I64) this.big = grown(this.big, new BigInt64Array(capacity));
    if (this.kind === KIND.REF) this.hashes = grown(this.hashes!, new Uint8Array(32 * capacity));
  }
}

/** The ends of the 64-bit range, Postgres's infinities of timestamps; the lowest but one is NaN. */
export const I64_INFINITY = 9223372036854775807n;
export const I64_MINUS_INFINITY = -9223372036854775808n;
export const I64_NAN = -9223372036854775807n;

/** A cell of kind F64 as a 64-bit integer; null for a fraction. */
export function wideNumber(value: number): bigint | null {
  if (Number.isInteger(value)) return BigInt(value);
  return value === Infinity ? I64_INFINITY : value === -Infinity ? I64_MINUS_INFINITY : value !== value ? I64_NAN : null;
}

/** Shorter texts are decoded here: a call into native code takes as long. */
const SHORT_BYTES = 24;
const ASCII = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));

function textOf(heap: Uint8Array, from: number, to: number, latin1: boolean): string {
  if (to - from <= SHORT_BYTES) {
    let text = '';
    let i = from;
    for (; i < to; i++) {
      const byte = heap[i];
      if (byte > 127) break;
      text += ASCII[byte];
    }
    if (i === to) return text;
  }
  // Buffer's own functions, on arrays that need not be Buffers.
  return (latin1 ? latin1Slice : utf8Slice).call(heap as Buffer, from, to);
}

function sequence(from: number, to: number): number[] {
  const out: number[] = [];
  for (let i = from; i < to; i++) out.push(i);
  return out;
}

/** Capacity of an array for `count` cells: whole words, at least one. */
export function roomFor(count: number): number {
  return Math.max(8, (count + 7) & ~7);
}

function grown<T extends Uint8Array | Float64Array | Int32Array | BigInt64Array>(from: T, into: T): T {
  (into as Uint8Array).set(from as Uint8Array);
  return into;
}

function hasOtherThanValue(tags: Uint8Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (tags[i] !== TAG.VALUE) return true;
  return false;
}

/** Copies cells [from, to) to the start of `into`. A whole column is copied without creating a view, which would cost more than the copy. */
function copyCells<T extends Uint8Array | Float64Array | Int32Array>(into: T, cells: T, from: number, to: number): void {
  if (from === 0 && cells.length <= into.length) into.set(cells);
  else into.set(cells.subarray(from, to));
}
