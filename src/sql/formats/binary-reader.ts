/** Bounds-checked reading of Postgres's wire formats, big-endian. 08P01 for missing bytes. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { utf8Text } from '../types/bytes-text.ts';
import { whole, type Whole } from '../types/value.ts';

export class BinaryReader {
  readonly #bytes: Buffer;
  #at: number;
  #end: number;

  constructor(bytes: Uint8Array, start = 0, end: number = bytes.length) {
    this.#bytes = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#at = start;
    this.#end = end;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  #take(count: number): number {
    const at = this.#at;
    if (at + count > this.#end) throw new SvcError('08P01', 'insufficient data left in message');
    this.#at = at + count;
    return at;
  }

  /** One byte. Postgres's message for a missing one differs from that for wider values. */
  byte(): number {
    if (this.#at >= this.#end) throw new SvcError('08P01', 'no data left in message');
    return this.#bytes[this.#at++];
  }

  uint8(): number {
    return this.#bytes[this.#take(1)];
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2));
  }

  uint16(): number {
    return this.#bytes.readUInt16BE(this.#take(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4));
  }

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#take(4));
  }

  int64(): Whole {
    const at = this.#take(8);
    const high = this.#bytes.readInt32BE(at);
    // Inside ±2^53, of which -2^53 itself is a bigint.
    if (high >= -0x20_0000 && high < 0x20_0000) {
      const value = high * 4294967296 + this.#bytes.readUInt32BE(at + 4);
      if (value > -9007199254740992) return value;
    }
    return whole(this.#bytes.readBigInt64BE(at));
  }

  uint64(): Whole {
    return whole(this.#bytes.readBigUInt64BE(this.#take(8)));
  }

  float32(): number {
    return this.#bytes.readFloatBE(this.#take(4));
  }

  float64(): number {
    return this.#bytes.readDoubleBE(this.#take(8));
  }

  /** The rest as UTF-8; 22021 if it is invalid or contains a zero byte. */
  text(): string {
    const at = this.#take(this.remaining);
    const text = this.#bytes.utf8Slice(at, this.#end);
    return text.includes('\ufffd') || text.includes('\0') ? utf8Text(this.#bytes.latin1Slice(at, this.#end)) : text;
  }

  /** Up to a zero byte, which is consumed, too. */
  zeroEnded(): string {
    const zero = this.#bytes.indexOf(0, this.#at);
    if (zero < 0 || zero >= this.#end) throw new SvcError('08P01', 'invalid string in message');
    const text = this.#bytes.utf8Slice(this.#at, zero);
    this.#at = zero + 1;
    return text;
  }

  /** Bytes as one character each. */
  latin1(count: number = this.remaining): string {
    const at = this.#take(count);
    return this.#bytes.latin1Slice(at, at + count);
  }

  hex(count: number): string {
    const at = this.#take(count);
    return this.#bytes.toString('hex', at, at + count);
  }

  /** Limits the rest to the next bytes; the result is for `leave`. */
  enter(count: number): number {
    const end = this.#end;
    if (this.#at + count > end) throw new SvcError('08P01', 'insufficient data left in message');
    this.#end = this.#at + count;
    return end;
  }

  leave(end: number): void {
    this.#at = this.#end;
    this.#end = end;
  }
}
