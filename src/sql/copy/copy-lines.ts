/**
 * Splits COPY's input into lines, from chunks of any size.
 *
 *     take(bytes) ─→ buffer: │ lines found by scan() │ part of a line │ free │
 *                                                     ↑ kept by release()
 *
 * Each byte is examined once, independent of the chunks: the state of the scan (position, quotes) is kept. At most one partial line is
 * buffered between chunks.
 *
 * Rules (Postgres's CopyReadLineText): the first line's end, \n, \r or \r\n, applies to all lines, another one is an error. In text
 * a backslash escapes the next character, even a line end; in csv a quoted field may contain line ends. `\.` alone on a line ends
 * the data. In csv it does so too, as up to version 17: older clients send it.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { CopyOptions } from './copy-options.ts';

/** Bits of a line. */
export const LINE = {
  /** A backslash in text, a quote in csv. */
  marked: 1,
  /** Bytes above 127. */
  high: 2,
  /** A zero byte. */
  zero: 4,
} as const;

const KIND = { plain: 0, newline: 1, carriageReturn: 2, backslash: 3, zero: 4, high: 5, quote: 6 } as const;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const BACKSLASH = 92;
const PERIOD = 46;

type LineEnd = 'unknown' | '\n' | '\r' | '\r\n';

export class CopyLines {
  /** Lines found: ranges of `bytes` without line ends, their numbers from 1, and their bits. */
  count = 0;
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly numbers: number[] = [];
  readonly bits: number[] = [];
  bytes: Buffer = Buffer.allocUnsafe(1 << 16);
  /** `\.` was read: the rest is ignored. */
  ended = false;
  /** The error that stopped the scan, after the found lines; its line. */
  failure: SvcError | null = null;
  /** Number of the line that is being read. */
  line = 1;
  readonly #csv: boolean;
  readonly #quote: number;
  readonly #escape: number;
  readonly #kinds = new Uint8Array(256);
  #size = 0;
  #at = 0;
  #lineStart = 0;
  #lineBits = 0;
  #lineEnd: LineEnd = 'unknown';
  #inQuote = false;
  #escaped = false;

  constructor(options: CopyOptions) {
    this.#csv = options.format === 'csv';
    this.#quote = this.#csv ? options.quote.charCodeAt(0) : -1;
    // If both are one character, doubled quotes close and open: no state is needed.
    this.#escape = this.#csv && options.escape !== options.quote ? options.escape.charCodeAt(0) : -1;
    this.#kinds.fill(KIND.high, 128);
    this.#kinds[0] = KIND.zero;
    this.#kinds[BACKSLASH] = KIND.backslash;
    if (this.#csv) {
      this.#kinds[this.#quote] = KIND.quote;
      this.#kinds[options.escape.charCodeAt(0)] = KIND.quote;
    }
    this.#kinds[NEWLINE] = KIND.newline;
    this.#kinds[CARRIAGE_RETURN] = KIND.carriageReturn;
  }

  take(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (size > this.bytes.length) {
      const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, size));
      this.bytes.copy(grown, 0, 0, this.#size);
      this.bytes = grown;
    }
    this.bytes.set(chunk, this.#size);
    this.#size = size;
  }

  /** Finds lines in the buffered input; `final` makes the rest the last line. */
  scan(final: boolean): void {
    if (this.ended || this.failure !== null) return;
    if (this.#csv) this.#scanCsv(final);
    else this.#scanText(final);
    if (final && !this.ended && this.failure === null && this.#lineStart < this.#size) this.#found(this.#size, this.#size);
  }

  /** Bytes of the line that has not ended yet. */
  get pendingBytes(): number {
    return this.#size - this.#lineStart;
  }

  /** Removes the found lines. */
  release(): void {
    this.count = 0;
    const start = this.#lineStart;
    if (start === 0) return;
    this.bytes.copyWithin(0, start, this.#size);
    this.#size -= start;
    this.#at -= start;
    this.#lineStart = 0;
  }

  #found(end: number, next: number): void {
    const n = this.count++;
    this.starts[n] = this.#lineStart;
    this.ends[n] = end;
    this.numbers[n] = this.line++;
    this.bits[n] = this.#lineBits;
    this.#lineStart = this.#at = next;
    this.#lineBits = 0;
    this.#inQuote = false;
    this.#escaped = false;
  }

  #scanText(final: boolean): void {
    const { bytes } = this;
    const kinds = this.#kinds;
    const size = this.#size;
    let at = this.#at;
    let bits = this.#lineBits;
    for (;;) {
      while (at < size && kinds[bytes[at]] === 0) at++;
      if (at >= size) break;
      const kind = kinds[bytes[at]];
      if (kind === KIND.high) {
        bits |= LINE.high;
        at++;
      } else if (kind === KIND.newline || kind === KIND.carriageReturn) {
        this.#lineBits = bits;
        const next = this.#lineEndAt(at, final);
        if (next < 0) break;
        this.#found(at, next);
        at = next;
        bits = 0;
      } else if (kind === KIND.backslash) {
        if (at + 1 >= size && !final) break;
        bits |= LINE.marked;
        const next = at + 1 < size ? bytes[at + 1] : 0;
        if (next === PERIOD) {
          this.#at = at;
          this.#lineBits = bits;
          this.#endMarker(at, final);
          return;
        }
        if (next >= 128) bits |= LINE.high;
        else if (next === 0 && at + 1 < size) bits |= LINE.zero;
        at = at + 2 < size ? at + 2 : size;
      } else {
        bits |= LINE.zero;
        at++;
      }
    }
    this.#at = at;
    this.#lineBits = bits;
  }

  #scanCsv(final: boolean): void {
    const { bytes } = this;
    const kinds = this.#kinds;
    const size = this.#size;
    const quote = this.#quote;
    const escape = this.#escape;
    let at = this.#at;
    for (;;) {
      // Never reads past the end: one such read would make all later ones slower.
      if (at < size && kinds[bytes[at]] === 0) {
        this.#escaped = false;
        do at++;
        while (at < size && kinds[bytes[at]] === 0);
      }
      if (at >= size) break;
      const byte = bytes[at];
      const kind = kinds[byte];
      if ((kind === KIND.newline || kind === KIND.carriageReturn) && !this.#inQuote) {
        const next = this.#lineEndAt(at, final);
        if (next < 0) break;
        this.#found(at, next);
        at = next;
        continue;
      }
      if (byte === BACKSLASH && at === this.#lineStart && !this.#inQuote) {
        if (at + 1 >= size && !final) break;
        if (at + 1 < size && bytes[at + 1] === PERIOD) {
          if (at + 2 >= size && !final) break;
          this.#at = at;
          this.#endMarker(at, final);
          if (this.ended || this.failure !== null || this.#at < 0) {
            this.#at = at;
            return;
          }
        }
      }
      // An escape counts only inside quotes, and not after another one.
      if (this.#inQuote && byte === escape) this.#escaped = !this.#escaped;
      if (byte === quote && !this.#escaped) this.#inQuote = !this.#inQuote;
      if (byte !== escape) this.#escaped = false;
      if (kind === KIND.quote) this.#lineBits |= LINE.marked;
      else if (kind === KIND.high) this.#lineBits |= LINE.high;
      else if (kind === KIND.zero) this.#lineBits |= LINE.zero;
      else if (byte === (this.#lineEnd === '\n' ? NEWLINE : CARRIAGE_RETURN)) this.line++;
      at++;
    }
    this.#at = at;
  }

  /** Start of the next line; -1 if it depends on the next chunk, or if the line end differs from the first line's. */
  #lineEndAt(at: number, final: boolean): number {
    const { bytes } = this;
    if (bytes[at] === NEWLINE) {
      if (this.#lineEnd !== '\n') {
        if (this.#lineEnd !== 'unknown') return this.#fail('newline', '\\n');
        this.#lineEnd = '\n';
      }
      return at + 1;
    }
    if (this.#lineEnd === '\n') return this.#fail('carriage return', '\\r');
    if (this.#lineEnd === '\r') return at + 1;
    if (at + 1 >= this.#size && !final) return -1;
    if (at + 1 < this.#size && bytes[at + 1] === NEWLINE) {
      this.#lineEnd = '\r\n';
      return at + 2;
    }
    if (this.#lineEnd === '\r\n') return this.#fail('carriage return', '\\r');
    this.#lineEnd = '\r';
    return at + 1;
  }

  #fail(what: string, escape: string): -1 {
    this.failure = this.#csv
      ? new SvcError('22P04', `unquoted ${what} found in data`, { hint: `Use quoted CSV field to represent ${what}.` })
      : new SvcError('22P04', `literal ${what} found in data`, { hint: `Use "${escape}" to represent ${what}.` });
    return -1;
  }

  /** At `\.`: ends the data, fails, waits (`#at` -1 in csv), or in csv treats it as data. */
  #endMarker(at: number, final: boolean): void {
    const { bytes } = this;
    const size = this.#size;
    let next = at + 2;
    if (this.#lineEnd === '\r\n') {
      if (next >= size && !final) return this.#wait();
      const byte = next < size ? bytes[next] : 0;
      if (byte === NEWLINE) return this.#notMarker('end-of-copy marker does not match previous newline style');
      if (byte !== CARRIAGE_RETURN) return this.#notMarker('end-of-copy marker is not alone on its line');
      next++;
    }
    if (next >= size && !final) return this.#wait();
    const byte = next < size ? bytes[next] : 0;
    if (byte !== CARRIAGE_RETURN && byte !== NEWLINE) {
      return this.#notMarker('end-of-copy marker is not alone on its line');
    }
    if (this.#lineEnd !== 'unknown' && byte !== (this.#lineEnd === '\r' ? CARRIAGE_RETURN : NEWLINE)) {
      this.failure = new SvcError('22P04', 'end-of-copy marker does not match previous newline style');
    } else if (at > this.#lineStart) {
      this.failure = new SvcError('22P04', 'end-of-copy marker is not alone on its line');
    } else {
      this.ended = true;
    }
  }

  #wait(): void {
    if (this.#csv) this.#at = -1;
  }

  #notMarker(message: string): void {
    if (!this.#csv) this.failure = new SvcError('22P04', message);
  }
}
