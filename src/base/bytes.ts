/** Byte writing and reading for log payloads: little-endian, varints for small numbers. */
import { SvcError } from './errors/svc-error.ts';

declare global {
  // Node's own string fast paths; stable since Node 4 but missing from the types.
  interface Buffer {
    latin1Slice(start?: number, end?: number): string;
    utf8Slice(start?: number, end?: number): string;
    latin1Write(value: string, offset: number, length?: number): number;
    utf8Write(value: string, offset: number, length?: number): number;
  }
}

/** Longer texts are written faster by Node's native writer. */
const SHORT = 32;

export class ByteWriter {
  #buffer: Buffer;
  #at = 0;

  constructor(sizeBytes = 256) {
    this.#buffer = Buffer.allocUnsafe(sizeBytes);
  }

  get length(): number {
    return this.#at;
  }

  #need(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#at + bytes));
    this.#buffer.copy(grown, 0, 0, this.#at);
    this.#buffer = grown;
  }

  u8(value: number): void {
    this.#need(1);
    this.#buffer[this.#at++] = value;
  }

  /** Unsigned LEB128 up to 2^53. */
  varint(value: number): void {
    this.#need(8);
    const buffer = this.#buffer;
    let at = this.#at;
    let rest = value;
    while (rest > 0x7fffffff) {
      buffer[at++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    // The rest fits 31 bits, where shifts work.
    for (let low = rest | 0; ; low >>>= 7) {
      if (low < 0x80) {
        buffer[at++] = low;
        break;
      }
      buffer[at++] = (low & 0x7f) | 0x80;
    }
    this.#at = at;
  }

  /** Differences between consecutive whole numbers, each within 32 bits: zigzag, LEB128. */
  differences(values: Float64Array | Int32Array, count: number): void {
    this.#need(5 * count);
    const buffer = this.#buffer;
    let at = this.#at;
    for (let i = 1; i < count; i++) {
      const difference = (values[i] - values[i - 1]) | 0;
      let low = (difference << 1) ^ (difference >> 31);
      while (low >>> 0 > 0x7f) {
        buffer[at++] = (low & 0x7f) | 0x80;
        low >>>= 7;
      }
      buffer[at++] = low;
    }
    this.#at = at;
  }

  f64(value: number): void {
    this.#need(8);
    this.#buffer.writeDoubleLE(value, this.#at);
    this.#at += 8;
  }

  i64(value: bigint): void {
    this.#need(8);
    this.#buffer.writeBigInt64LE(value, this.#at);
    this.#at += 8;
  }

  text(value: string): void {
    const most = value.length * 3;
    if (most < 0x80) {
      this.#need(most + 1);
      if (value.length <= SHORT && this.#ascii(value)) return;
      const written = this.#buffer.utf8Write(value, this.#at + 1);
      this.#buffer[this.#at] = written;
      this.#at += written + 1;
      return;
    }
    const size = Buffer.byteLength(value);
    this.varint(size);
    this.#need(size);
    this.#buffer.utf8Write(value, this.#at);
    this.#at += size;
  }

  /** A short ASCII text, without a call into native code; false, with nothing written, for any other. */
  #ascii(value: string): boolean {
    const buffer = this.#buffer;
    const { length } = value;
    const at = this.#at + 1;
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i);
      if (code > 127) return false;
      buffer[at + i] = code;
    }
    buffer[this.#at] = length;
    this.#at = at + length;
    return true;
  }

  /** One byte per character. */
  latin1(value: string): void {
    this.varint(value.length);
    this.#need(value.length);
    this.#buffer.latin1Write(value, this.#at);
    this.#at += value.length;
  }

  raw(bytes: Uint8Array): void {
    this.#need(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A view, valid until the next write. */
  view(): Uint8Array {
    return this.#buffer.subarray(0, this.#at);
  }

  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#at);
  }

  reset(): void {
    this.#at = 0;
  }
}

export class ByteReader {
  readonly #buffer: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  get done(): boolean {
    return this.#at >= this.#buffer.length;
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (at + bytes > this.#buffer.length) throw new SvcError('XX001', 'an event ends in the middle of a value');
    this.#at = at + bytes;
    return at;
  }

  /** Number of bytes read. */
  get at(): number {
    return this.#at;
  }

  /** Moves back to an earlier position. */
  seek(at: number): void {
    this.#at = at;
  }

  skip(bytes: number): void {
    this.#take(bytes);
  }

  u8(): number {
    return this.#buffer[this.#take(1)];
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.#buffer[this.#take(1)];
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  /** Reads what `ByteWriter.differences` wrote. */
  differences(first: number, into: Float64Array | Int32Array, count: number): void {
    let value = first;
    into[0] = first;
    for (let i = 1; i < count; i++) {
      const coded = this.varint();
      value += coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
      into[i] = value;
    }
  }

  f64(): number {
    return this.#buffer.readDoubleLE(this.#take(8));
  }

  i64(): bigint {
    return this.#buffer.readBigInt64LE(this.#take(8));
  }

  text(): string {
    const size = this.varint();
    const at = this.#take(size);
    return this.#buffer.utf8Slice(at, at + size);
  }

  latin1(): string {
    const size = this.varint();
    const at = this.#take(size);
    return this.#buffer.latin1Slice(at, at + size);
  }

  raw(size: number): Uint8Array {
    const at = this.#take(size);
    return this.#buffer.subarray(at, at + size);
  }
}
