/**
 * Keys as bytes in one array: the codes of `memcomparable.ts` for building and sorting very many keys. One string per key
 * would be concatenated from parts and flattened on first use.
 */
import { assert } from '../base/assert.ts';
import type { Datum } from '../tree/datum.ts';
import type { KeyCode } from './definition.ts';
import { encodeCell } from './memcomparable.ts';

const FIRST_BYTES = 4096;
/** Shorter texts are written here: a call into native code takes as long. */
const SHORT_TEXT = 48;

function writeWord(into: Buffer, at: number, word: number): number {
  into[at] = word >>> 24;
  into[at + 1] = word >>> 16;
  into[at + 2] = word >>> 8;
  into[at + 3] = word;
  return at + 4;
}

/** A whole number within ±2^53 in 8 bytes, like `encodeSafe`; returns the end. */
export function writeSafe(into: Buffer, at: number, value: number): number {
  const high = Math.floor(value / 4294967296);
  return writeWord(into, writeWord(into, at, high ^ 0x80000000), value - high * 4294967296);
}

export class KeyBytes {
  #bytes = Buffer.allocUnsafeSlow(FIRST_BYTES);
  length = 0;

  get bytes(): Buffer {
    return this.#bytes;
  }

  #reserve(more: number): void {
    const wanted = this.length + more;
    if (wanted <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(wanted, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.length));
    this.#bytes = grown;
  }

  /** One nullable column of a key, like `encodeKeyPart`. */
  part(value: Datum, code: KeyCode, descending: boolean, nullsFirst: boolean): void {
    if (value === null || value === undefined) {
      this.#byte(nullsFirst ? 0 : 2);
      return;
    }
    this.#byte(1);
    const start = this.length;
    if (code === 'i32') this.#word((value as number) ^ 0x80000000);
    else if (code === 'text') this.#text(value as string);
    else if (code === 'i64' && typeof value === 'number' && Number.isSafeInteger(value)) this.safe(value);
    else this.coded(encodeCell(value, code));
    if (descending) for (let i = start; i < this.length; i++) this.#bytes[i] ^= 0xff;
  }

  /** A whole number within ±2^53 in 8 bytes. */
  safe(value: number): void {
    this.#reserve(8);
    this.length = writeSafe(this.#bytes, this.length, value);
  }

  /** The bytes of a string, one per character. */
  coded(code: string): void {
    this.#reserve(code.length);
    const bytes = this.#bytes;
    let at = this.length;
    if (code.length > SHORT_TEXT) at += bytes.latin1Write(code, at);
    else for (let i = 0; i < code.length; i++) bytes[at++] = code.charCodeAt(i);
    this.length = at;
  }

  #byte(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.length++] = byte;
  }

  #word(word: number): void {
    this.#reserve(4);
    this.length = writeWord(this.#bytes, this.length, word);
  }

  /** UTF-8 followed by a zero. */
  #text(text: string): void {
    this.#reserve(3 * text.length + 1);
    const bytes = this.#bytes;
    let at = this.length;
    let i = 0;
    if (text.length <= SHORT_TEXT) {
      for (; i < text.length; i++) {
        const code = text.charCodeAt(i);
        if (code > 127) break;
        bytes[at++] = code;
      }
    }
    if (i < text.length) at = this.length + bytes.utf8Write(text, this.length);
    bytes[at++] = 0;
    this.length = at;
  }
}

const DIGITS = 65_536;
/** Fewer keys are compared directly. */
const FEW = 4096;

/**
 * Collects index keys in row order and sorts them. The six bytes after the common prefix are radix-sorted as three digits;
 * keys are compared only where those are equal.
 */
export class KeysToSort {
  readonly keys = new KeyBytes();
  count = 0;
  #ends = new Uint32Array(1024);

  /** Ends the current key. */
  end(): void {
    if (this.count === this.#ends.length) {
      const grown = new Uint32Array(this.count * 2);
      grown.set(this.#ends);
      this.#ends = grown;
    }
    assert(this.keys.length < 2 ** 32, 'keys of less than 4 GiB');
    this.#ends[this.count++] = this.keys.length;
  }

  /** Whether the last two keys are equal. */
  endsTwice(): boolean {
    return this.#compare(this.count - 2, this.count - 1, 0) === 0;
  }

  /** Drops the keys after the first `count`. */
  cutTo(count: number): void {
    this.count = count;
    this.keys.length = this.#start(count);
  }

  #start(i: number): number {
    return i === 0 ? 0 : this.#ends[i - 1];
  }

  /** Appends the key to what `into` has. */
  copy(i: number, into: Buffer, at: number): number {
    const { bytes } = this.keys;
    const end = this.#ends[i];
    let to = at;
    for (let from = this.#start(i); from < end; from++) into[to++] = bytes[from];
    return to;
  }

  size(i: number): number {
    return this.#ends[i] - this.#start(i);
  }

  /** Compares two keys whose first `from` bytes are equal. */
  #compare(a: number, b: number, from: number): number {
    const { bytes } = this.keys;
    let [x, y] = [this.#start(a) + from, this.#start(b) + from];
    const [xEnd, yEnd] = [this.#ends[a], this.#ends[b]];
    while (x < xEnd && y < yEnd) {
      const difference = bytes[x++] - bytes[y++];
      if (difference !== 0) return difference;
    }
    return xEnd - x - (yEnd - y);
  }

  /** Length of the common prefix; -1 if the keys are sorted already. */
  #common(): number {
    const { bytes } = this.keys;
    let common = this.size(0);
    let sorted = true;
    for (let i = 1; i < this.count; i++) {
      if (sorted && this.#compare(i - 1, i, 0) > 0) sorted = false;
      const start = this.#start(i);
      if (this.size(i) < common) common = this.size(i);
      for (let c = 0; c < common; c++) if (bytes[start + c] !== bytes[c]) common = c;
    }
    return sorted ? -1 : common;
  }

  /** Indexes of the keys in sorted order, stable; null if sorted already. */
  *order(): Generator<void, Uint32Array | null> {
    const { count } = this;
    if (count < 2) return null;
    const common = this.#common();
    if (common < 0) return null;
    if (count < FEW) return Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => this.#compare(a, b, common) || a - b);
    yield;
    const { bytes } = this.keys;
    const digits: Uint16Array[] = [];
    for (let d = 0; d < 3; d++) {
      const column = new Uint16Array(count);
      for (let i = 0; i < count; i++) {
        const at = this.#start(i) + common + 2 * d;
        const end = this.#ends[i];
        column[i] = at + 1 < end ? bytes[at] * 256 + bytes[at + 1] : at < end ? bytes[at] * 256 : 0;
      }
      digits.push(column);
    }
    yield;
    let order = new Uint32Array(count);
    let next = new Uint32Array(count);
    for (let i = 0; i < count; i++) order[i] = i;
    for (let d = 2; d >= 0; d--) {
      const digit = digits[d];
      const places = new Uint32Array(DIGITS + 1);
      for (let i = 0; i < count; i++) places[digit[i] + 1]++;
      for (let i = 0; i < DIGITS; i++) places[i + 1] += places[i];
      for (let i = 0; i < count; i++) {
        const at = order[i];
        next[places[digit[at]]++] = at;
      }
      [order, next] = [next, order];
      yield;
    }
    const [high, middle, low] = digits;
    for (let from = 0; from < count;) {
      const first = order[from];
      let to = from + 1;
      let sorted = true;
      for (; to < count; to++) {
        const at = order[to];
        if (high[at] !== high[first] || middle[at] !== middle[first] || low[at] !== low[first]) break;
        if (sorted && this.#compare(order[to - 1], at, common) > 0) sorted = false;
      }
      if (!sorted) order.subarray(from, to).sort((a, b) => this.#compare(a, b, common) || a - b);
      from = to;
    }
    return order;
  }
}
