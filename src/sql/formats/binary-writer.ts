/** A growing buffer for Postgres's wire formats: big-endian, lengths in front and patched in afterwards. */

const TWO_32 = 4294967296;
const SHORT_LENGTH = 40;

/** Values of lower-case hex digits by character code. */
const DIGITS = new Uint8Array(128);
for (let digit = 0; digit < 16; digit++) DIGITS[digit.toString(16).charCodeAt(0)] = digit;

export class BinaryWriter {
  #bytes: Buffer;
  #size = 0;

  constructor(sizeBytes = 1024) {
    this.#bytes = Buffer.allocUnsafe(sizeBytes);
  }

  get size(): number {
    return this.#size;
  }

  #need(count: number): void {
    const size = this.#size + count;
    if (size <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, size));
    this.#bytes.copy(grown, 0, 0, this.#size);
    this.#bytes = grown;
  }

  int8(value: number): void {
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

  /** UTF-8, without a length. */
  text(value: string): void {
    const { length } = value;
    this.#need(length * 3);
    const bytes = this.#bytes;
    const start = this.#size;
    // A call to the engine costs more than a short ASCII text.
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
    this.#size = start + bytes.utf8Write(value, start);
  }

  /** One byte a character, without a length. */
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

  raw(bytes: Uint8Array): void {
    this.#need(bytes.length);
    this.#bytes.set(bytes, this.#size);
    this.#size += bytes.length;
  }

  /** Leaves room for a length; give the place to `endLength`. */
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

  /** Starts anew. */
  clear(): void {
    this.#size = 0;
  }

  /** A copy of what was written; the writer starts anew. */
  take(): Uint8Array {
    const bytes = Uint8Array.prototype.slice.call(this.#bytes, 0, this.#size);
    this.#size = 0;
    return bytes;
  }
}
