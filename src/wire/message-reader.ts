/**
 * Parses frontend messages from a stream of bytes: `next` advances to the following whole message, and the getters read its
 * body within its bounds. Messages past 64 MB are dropped as they come and reported as DROPPED once they have passed.
 *
 *     push(chunk) ─→ [ … | type | length | body … | next message … ]
 *                                        at↑     ↑limit
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { utf8Text } from '../sql/types/bytes-text.ts';
import { decodeBytes } from '../sql/types/encodings.ts';
import { WIRE_LIMITS } from './protocol.ts';
import { admitInput, inputLeft, LARGE_INPUT_BYTES } from './unread-input.ts';

/** In place of a type: a message was skipped because it was too large, or memory was short; `dropped` is its type. */
export const DROPPED = -1;

/** The framing cannot be trusted any more: the connection must end. */
export class BrokenFraming extends SvcError {}

const EMPTY = Buffer.alloc(0);
const KEPT_BYTES = 8192;

export class MessageReader {
  /** Number of the encoding of texts; null: UTF-8. */
  encoding: number | null = null;
  #bytes: Buffer = EMPTY;
  #start = 0;
  #end = 0;
  /** `#bytes` belongs to this reader and can be appended to. */
  #own = false;
  /** Reused for the short rest of input: a statement that waits for a lock has its Sync after it. */
  #spare: Buffer = EMPTY;
  #skip = 0;
  #dropping = 0;
  dropped = 0;
  /** Not too large itself: all connections' messages together were. */
  droppedForRoom = false;
  /** Bytes of `#bytes` counted in the total of all connections; 0: small, or not owned. */
  #counted = 0;
  #at = 0;
  #limit = 0;
  readonly #bytesMax: number;

  constructor(bytesMax: number = WIRE_LIMITS.messageBytesMax) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes received and not yet read. */
  get waiting(): number {
    return this.#end - this.#start;
  }

  /** Adds the first `count` bytes of a chunk, which must not change until their messages have been read, or `keep` was called. */
  push(chunk: Buffer, count: number = chunk.length): void {
    let from = 0;
    if (this.#skip > 0) {
      from = Math.min(this.#skip, count);
      this.#skip -= from;
      if (from === count) return;
    }
    if (this.#start === this.#end) {
      this.release();
      this.#bytes = chunk;
      this.#own = false;
      this.#start = from;
      this.#end = count;
      return;
    }
    const length = count - from;
    const kept = this.#end - this.#start;
    if (!this.#own || this.#bytes.length - this.#end < length) {
      const fits = this.#own && this.#bytes.length >= kept + length && this.#start > this.#bytes.length >> 1;
      const size = fits ? this.#bytes.length : Math.max(KEPT_BYTES, (kept + length) * 2);
      if (size >= LARGE_INPUT_BYTES && !this.#admit(size, kept)) return this.push(chunk.subarray(from, count));
      const bytes = fits ? this.#bytes : Buffer.allocUnsafeSlow(size);
      this.#bytes.copy(bytes, 0, this.#start, this.#end);
      this.#bytes = bytes;
      this.#own = true;
      this.#start = 0;
      this.#end = kept;
    }
    chunk.copy(this.#bytes, this.#end, from, count);
    this.#end += length;
  }

  /** Whether a large buffer is allowed. If not, an incomplete message is dropped; a complete one stays. */
  #admit(size: number, kept: number): boolean {
    if (admitInput(size, this.#counted)) {
      this.#counted = size;
      return true;
    }
    const total = kept < 5 ? 0 : this.#bytes.readInt32BE(this.#start + 1) + 1;
    if (kept >= total) return true;
    this.#dropping = this.#bytes[this.#start];
    this.droppedForRoom = true;
    this.#skip = total - kept;
    this.#start = this.#end = 0;
    this.release();
    return false;
  }

  /** Releases a large buffer once nothing in it is unread. */
  release(): void {
    if (this.#counted === 0) return;
    inputLeft(this.#counted);
    this.#counted = 0;
    this.#bytes = EMPTY;
    this.#own = false;
    this.#start = this.#end = 0;
  }

  /** Copies unread bytes, so that the last chunk may change. */
  keep(): void {
    if (this.#own || this.#start === this.#end) return;
    const kept = this.#end - this.#start;
    let bytes = this.#spare;
    if (bytes.length < kept) {
      bytes = Buffer.allocUnsafeSlow(Math.max(KEPT_BYTES, kept));
      if (kept <= KEPT_BYTES) this.#spare = bytes;
    }
    bytes.set(this.#bytes.subarray(this.#start, this.#end));
    this.#bytes = bytes;
    this.#own = true;
    this.#start = 0;
    this.#end = kept;
  }

  /** Type of the next message, DROPPED, or 0 if it is incomplete. */
  next(): number {
    if (this.#dropping !== 0) {
      if (this.#skip > 0) return 0;
      this.dropped = this.#dropping;
      this.#dropping = 0;
      return DROPPED;
    }
    const start = this.#start;
    const there = this.#end - start;
    if (there < 5) {
      if (there === 0) this.release();
      return 0;
    }
    const bytes = this.#bytes;
    const length = (bytes[start + 1] << 24) | (bytes[start + 2] << 16) | (bytes[start + 3] << 8) | bytes[start + 4];
    if (length < 4 || length > WIRE_LIMITS.messageBytesAbsurd) throw new BrokenFraming('08P01', 'invalid message length');
    if (length - 4 > this.#bytesMax) {
      const total = length + 1;
      this.#dropping = bytes[start];
      this.droppedForRoom = false;
      this.#start += Math.min(there, total);
      this.#skip = Math.max(0, total - there);
      return this.next();
    }
    if (there <= length) return 0;
    this.#at = start + 5;
    this.#limit = start + 1 + length;
    this.#start = this.#limit;
    return bytes[start];
  }

  /** Body length of a connection's first packet, which has no type; null if it is incomplete. `most` bounds its length. */
  nextStartup(most: number): number | null {
    if (this.waiting < 4) return null;
    const length = this.#bytes.readInt32BE(this.#start);
    if (length < 8 || length > most) throw new BrokenFraming('08P01', 'invalid length of startup packet');
    if (this.waiting < length) return null;
    this.#at = this.#start + 4;
    this.#limit = this.#start + length;
    this.#start = this.#limit;
    return length - 4;
  }

  /** First unread byte, or -1. */
  peek(): number {
    return this.waiting === 0 ? -1 : this.#bytes[this.#start];
  }

  /** All unread bytes, for another reader. */
  rest(): Buffer {
    const bytes = this.#bytes.subarray(this.#start, this.#end);
    this.#start = this.#end;
    return bytes;
  }

  // --- the body

  get left(): number {
    return this.#limit - this.#at;
  }

  #need(count: number): number {
    const at = this.#at;
    if (count < 0 || at + count > this.#limit) throw new SvcError('08P01', 'insufficient data left in message');
    this.#at = at + count;
    return at;
  }

  byte(): number {
    return this.#bytes[this.#need(1)];
  }

  int16(): number {
    const at = this.#need(2);
    return ((this.#bytes[at] << 24) >> 16) | this.#bytes[at + 1];
  }

  uint16(): number {
    const at = this.#need(2);
    return (this.#bytes[at] << 8) | this.#bytes[at + 1];
  }

  int32(): number {
    const at = this.#need(4);
    const bytes = this.#bytes;
    return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  }

  /** Text up to a zero byte. */
  text(): string {
    const bytes = this.#bytes;
    const from = this.#at;
    if (from < this.#limit && bytes[from] === 0) {
      this.#at = from + 1;
      return '';
    }
    // Names are short: a call into native code would take longer.
    let short = '';
    for (let i = from; i < this.#limit && i < from + SHORT; i++) {
      const byte = bytes[i];
      if (byte === 0) {
        this.#at = i + 1;
        return short;
      }
      if (byte > 127) break;
      short += ASCII[byte];
    }
    const end = bytes.indexOf(0, from);
    if (end < 0 || end >= this.#limit) throw new SvcError('08P01', 'invalid string in message');
    this.#at = end + 1;
    return this.#decoded(from, end);
  }

  #decoded(from: number, to: number): string {
    return this.encoding === null ? decodeUtf8(this.#bytes, from, to) : decodeBytes(this.#bytes.latin1Slice(from, to), this.encoding);
  }

  /** Like `text`, if it is probably this one: returning the same string speeds up table lookups. */
  textLike(likely: string): string {
    const bytes = this.#bytes;
    const from = this.#at;
    const end = from + likely.length;
    if (end >= this.#limit || bytes[end] !== 0) return this.text();
    for (let i = from; i < end; i++) if (bytes[i] !== likely.charCodeAt(i - from) || bytes[i] > 127) return this.text();
    this.#at = end + 1;
    return likely;
  }

  /** Text of `count` bytes. */
  textOf(count: number): string {
    const at = this.#need(count);
    // Numbers and other short ASCII: cheaper than a call into native code.
    if (count <= SHORT) {
      const bytes = this.#bytes;
      let text = '';
      let i = at;
      for (; i < at + count; i++) {
        const byte = bytes[i];
        if (byte > 127 || byte === 0) break;
        text += ASCII[byte];
      }
      if (i === at + count) return text;
    }
    return this.#decoded(at, at + count);
  }

  /** A view of the next bytes, valid for this message. */
  bytesOf(count: number): Buffer {
    const at = this.#need(count);
    return this.#bytes.subarray(at, at + count);
  }

  /** Copies the next bytes into `target`. */
  copyTo(target: Buffer, at: number, count: number): void {
    const from = this.#need(count);
    this.#bytes.copy(target, at, from, from + count);
  }

  skip(count: number): void {
    this.#need(count);
  }

  /** 08P01 if the body has more bytes. */
  end(): void {
    if (this.#at !== this.#limit) throw new SvcError('08P01', 'invalid message format');
  }
}

const SHORT = 12;
const ASCII = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte));

/** 22021 if the bytes are not UTF-8 or contain a zero. */
export function decodeUtf8(bytes: Buffer, start: number, end: number): string {
  const text = bytes.utf8Slice(start, end);
  if (text.includes('\ufffd') || text.includes('\0')) return utf8Text(bytes.latin1Slice(start, end));
  return text;
}
