/**
 * A growing buffer for Postgres's wire formats: big-endian, with length prefixes that are patched in afterwards; and for values as
 * text, whose digits are written into the buffer without an intermediate string.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

const TWO_32 = 4294967296;
const SHORT_LENGTH = 40;
/** A result of at most this size is copied when it is taken; the buffer is kept. */
const KEPT_BYTES = 4096;
/** After a result of this size, room for another is allocated at once. */
const LARGE_BYTES = 16 * 1024;
const LARGE_ROOM = 96 * 1024;
const BILLION = 1_000_000_000;
/** Longer texts are measured before they are written. */
const LONG_LENGTH = 16 * 1024;
/** Larger buffers are not doubled. */
const HUGE_BYTES = 16 * 1024 * 1024;
/** As in Postgres, no message and no value is larger. */
const BYTES_MAX = 0x3fffffff;

/** Values of lower-case hex digits by character code. */
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

function digitCount(value: number): number {
  let count = 1;
  for (let power = 10; value >= power; power *= 10) count++;
  return count;
}

export class BinaryWriter {
  #bytes: Buffer;
  #size = 0;

  constructor(sizeBytes = 1024) {
    this.#bytes = Buffer.allocUnsafeSlow(sizeBytes);
  }

  get length(): number {
    return this.#size;
  }

  #need(count: number): void {
    const size = this.#size + count;
    if (size > this.#bytes.length) this.#grow(size);
  }

  #grow(size: number): void {
    if (size > BYTES_MAX) {
      throw new SvcError('54000', 'out of memory', {
        detail: `Cannot enlarge a buffer of ${this.#size} bytes by ${size - this.#size} more bytes: a message may have ${BYTES_MAX}.`,
        hint: 'Read it in parts, for example with substr.',
      });
    }
    const { length } = this.#bytes;
    const grown = Buffer.allocUnsafeSlow(Math.max(size < HUGE_BYTES ? length * 2 : Math.min(BYTES_MAX, length + (length >> 2)), size));
    this.#bytes.copy(grown, 0, 0, this.#size);
    this.#bytes = grown;
  }

  /** Makes room for what is written in parts. 54000. */
  reserve(count: number): void {
    this.#need(count);
  }

  byte(value: number): void {
    this.#need(1);
    this.#bytes[this.#size++] = value;
  }

  int16(value: number): void {
    this.#need(2);
    const at = this.#size;
    this.#bytes[at] = value >> 8;
    this.#bytes[at + 1] = value;
    this.#size = at + 2;
  }

  /** Signed or unsigned. */
  int32(value: number): void {
    this.#need(4);
    this.#put32(this.#size, value);
    this.#size += 4;
  }

  int64(value: number | bigint): void {
    this.#need(8);
    if (typeof value === 'bigint') {
      this.#bytes.writeBigUInt64BE(BigInt.asUintN(64, value), this.#size);
    } else {
      const high = Math.floor(value / TWO_32);
      this.#put32(this.#size, high);
      this.#put32(this.#size + 4, value - high * TWO_32);
    }
    this.#size += 8;
  }

  float32(value: number): void {
    this.#need(4);
    this.#size = this.#bytes.writeFloatBE(value, this.#size);
  }

  float64(value: number): void {
    this.#need(8);
    this.#size = this.#bytes.writeDoubleBE(value, this.#size);
  }

  /** UTF-8, or the client encoding; without a length. */
  utf8(value: string): void {
    const { length } = value;
    this.#need(length <= LONG_LENGTH ? length * 4 : this.bytesIn(value));
    const bytes = this.#bytes;
    const start = this.#size;
    // A call into the runtime costs more than a short ASCII text.
    if (length <= SHORT_LENGTH) {
      let i = 0;
      for (; i < length; i++) {
        const unit = value.charCodeAt(i);
        if (unit > 127) break;
        bytes[start + i] = unit;
      }
      if (i === length) {
        this.#size = start + length;
        return;
      }
    }
    this.#size = start + this.encodeInto(bytes, value, start);
  }

  /** Room for a long text; reserving four times its length would be too much. */
  protected bytesIn(value: string): number {
    return Buffer.byteLength(value);
  }

  /** Encodes a long or non-ASCII text; there is room for four bytes per unit. Gives the number of bytes. */
  protected encodeInto(bytes: Buffer, value: string, at: number): number {
    return bytes.utf8Write(value, at);
  }

  /** A short ASCII text without marked characters; false, and nothing written, for any other. */
  plain(value: string, marked: Uint8Array): boolean {
    const { length } = value;
    if (length > SHORT_LENGTH) return false;
    this.#need(length);
    const bytes = this.#bytes;
    const start = this.#size;
    for (let i = 0; i < length; i++) {
      const unit = value.charCodeAt(i);
      if (unit > 127 || marked[unit] !== 0) return false;
      bytes[start + i] = unit;
    }
    this.#size = start + length;
    return true;
  }

  /** A safe whole number in decimal. */
  digits(value: number): void {
    this.#need(17);
    let rest = value;
    if (rest < 0) {
      this.#bytes[this.#size++] = 45;
      rest = -rest;
    }
    if (rest < BILLION) {
      this.#fill(rest, digitCount(rest));
      return;
    }
    const high = Math.floor(rest / BILLION);
    this.#fill(high, digitCount(high));
    this.#fill(rest - high * BILLION, 9);
  }

  /** `coefficient` / 10^`scale`, both whole and safe, with as many digits after the point. */
  decimal(coefficient: number, scale: number): void {
    if (scale === 0) return this.digits(coefficient);
    this.#need(20 + scale);
    let rest = coefficient;
    if (rest < 0) {
      this.#bytes[this.#size++] = 45;
      rest = -rest;
    }
    const power = 10 ** scale;
    let integer = Math.floor(rest / power);
    // The quotient may have been rounded up.
    if (integer * power > rest) integer--;
    this.digits(integer);
    this.#bytes[this.#size++] = 46;
    this.#fill(rest - integer * power, scale);
  }

  /** `2024-02-29`, of a year from 1 to 9999. */
  isoDate(year: number, month: number, day: number): void {
    this.#need(10);
    const bytes = this.#bytes;
    const at = this.#size;
    const century = (year / 100) | 0;
    this.#two(at, century);
    this.#two(at + 2, year - century * 100);
    bytes[at + 4] = 45;
    this.#two(at + 5, month);
    bytes[at + 7] = 45;
    this.#two(at + 8, day);
    this.#size = at + 10;
  }

  /** `12:34:56.789`, of microseconds. */
  isoTime(micros: number): void {
    this.#need(15);
    const seconds = (micros / 1_000_000) | 0;
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    const bytes = this.#bytes;
    const at = this.#size;
    this.#two(at, hours);
    bytes[at + 2] = 58;
    this.#two(at + 3, minutes - hours * 60);
    bytes[at + 5] = 58;
    this.#two(at + 6, seconds - minutes * 60);
    this.#size = at + 8;
    let rest = micros - seconds * 1_000_000;
    if (rest === 0) return;
    let count = 6;
    while (rest % 10 === 0) {
      rest /= 10;
      count--;
    }
    this.#bytes[this.#size++] = 46;
    this.#fill(rest, count);
  }

  /** Two digits at a position with room. */
  #two(at: number, value: number): void {
    const bytes = this.#bytes;
    const tens = (value / 10) | 0;
    bytes[at] = 48 + tens;
    bytes[at + 1] = 48 + value - tens * 10;
  }

  /** `count` digits; there is room. Below 2^31 unless there are more than nine. */
  #fill(value: number, count: number): void {
    const bytes = this.#bytes;
    const start = this.#size;
    let at = start + count;
    this.#size = at;
    let rest = value;
    while (rest >= BILLION) {
      const next = Math.floor(rest / 10);
      bytes[--at] = 48 + rest - next * 10;
      rest = next;
    }
    for (let low = rest | 0; at > start;) {
      const next = (low / 10) | 0;
      bytes[--at] = 48 + low - next * 10;
      low = next;
    }
  }

  /** One byte per character, without a length. */
  latin1(value: string): void {
    this.#need(value.length);
    this.#size += this.#bytes.latin1Write(value, this.#size);
  }

  /** Bytes of a uuid of 36 lower-case characters. */
  uuid(value: string): void {
    this.#need(16);
    const bytes = this.#bytes;
    let size = this.#size;
    for (let i = 0; i < 36; i += 2) {
      if (i === 8 || i === 13 || i === 18 || i === 23) i++;
      bytes[size++] = (DIGITS[value.charCodeAt(i)] << 4) | DIGITS[value.charCodeAt(i + 1)];
    }
    this.#size = size;
  }

  bytes(bytes: Uint8Array): void {
    this.#need(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Reserves room for a length; pass the position to `endLength`. */
  beginLength(): number {
    this.#need(4);
    const at = this.#size;
    this.#size += 4;
    return at;
  }

  /** Sets the length to what was written since. */
  endLength(at: number): void {
    this.#put32(at, this.#size - at - 4);
  }

  /** As `endLength`, for a length that includes itself. */
  endMessage(at: number): void {
    this.#put32(at, this.#size - at);
  }

  #put32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }

  /** A view, valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  /** The buffer itself, of which `length` bytes are written; replaced by a write. */
  get filled(): Buffer {
    return this.#bytes;
  }

  /** Removes the first bytes. */
  shift(count: number): void {
    if (count > 0 && count < this.#size) this.#bytes.copyWithin(0, count, this.#size);
    this.#size -= count;
  }

  /** Resets the writer. */
  clear(): void {
    this.#size = 0;
  }

  /** Truncates to an earlier size. */
  rewind(size: number): void {
    this.#size = size;
  }

  /** What was written, owned by the caller; resets the writer. */
  take(): Buffer {
    const size = this.#size;
    this.#size = 0;
    if (size <= KEPT_BYTES) {
      const copy = Buffer.allocUnsafe(size);
      this.#bytes.copy(copy, 0, 0, size);
      return copy;
    }
    const full = this.#bytes.subarray(0, size);
    this.#bytes = this.#spare ?? Buffer.allocUnsafeSlow(size > LARGE_BYTES ? LARGE_ROOM : KEPT_BYTES);
    this.#spare = null;
    return full;
  }
  #spare: Buffer | null = null;

  /** Returns a taken buffer for reuse: the pages of a new one would have to be faulted in first. */
  recycle(taken: Buffer): void {
    const { buffer } = taken;
    if (buffer.byteLength >= LARGE_ROOM && buffer.byteLength <= 4 * LARGE_ROOM) this.#spare = Buffer.from(buffer);
  }
}
