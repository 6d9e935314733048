/**
 * Order-preserving encoding of cells as byte strings (one character per byte), so that a B+tree of byte strings
 * serves any mix of columns and directions. Each code is self-delimiting: a key of several columns is the concatenation
 * of their codes, and keys with equal leading columns are adjacent.
 *
 *   bool          1 byte
 *   i32           4 bytes, big-endian, sign bit flipped
 *   i64           8 bytes, the same; ±Infinity (timestamps) as the ends of the range
 *   f64           8 bytes of the double; all bits flipped for negatives, the sign bit for others; NaN last
 *   text          UTF-8 and a zero byte (text holds none)
 *   bin           bytes, a zero as 00 FF, ended by 00 00
 *   raw           bytes that are already encoded
 */
import { assert } from '../base/assert.ts';
import type { Datum } from '../tree/datum.ts';
import { wideNumber } from '../tree/vec.ts';
import { keyText, utf8Key } from './catalog.ts';
import type { KeyCode } from './definition.ts';

const { fromCharCode } = String;
const scratch = new DataView(new ArrayBuffer(8));

/** Code of a cell that is neither null nor absent. */
export function encodeCell(value: Datum, code: KeyCode): string {
  switch (code) {
    case 'bool':
      return value === true ? '\x01' : '\x00';
    case 'i32': {
      const n = (value as number) ^ 0x80000000;
      return fromCharCode(n >>> 24, (n >>> 16) & 0xff, (n >>> 8) & 0xff, n & 0xff);
    }
    case 'i64':
      return typeof value === 'number' && Number.isSafeInteger(value)
        ? encodeSafe(value)
        : encodeBig(typeof value === 'bigint' ? value : wideNumber(value as number)!);
    case 'f64': {
      scratch.setFloat64(0, value === 0 ? 0 : (value as number));
      const hi = scratch.getUint32(0);
      const negative = hi >>> 31 === 1 && value === value;
      return words(negative ? ~hi : hi | 0x80000000, negative ? ~scratch.getUint32(4) : scratch.getUint32(4));
    }
    case 'text':
      return `${utf8Key(value as string)}\0`;
    case 'bin':
      return `${(value as string).includes('\0') ? (value as string).replaceAll('\0', '\0\xff') : (value as string)}\0\0`;
    case 'raw':
    case 'list':
      return value as string;
  }
}

/** A whole number within ±2^53 in 8 bytes. */
export function encodeSafe(value: number): string {
  const hi = Math.floor(value / 4294967296);
  return words(hi ^ 0x80000000, value - hi * 4294967296);
}

function encodeBig(value: bigint): string {
  scratch.setBigInt64(0, value);
  return words(scratch.getUint32(0) ^ 0x80000000, scratch.getUint32(4));
}

function words(hi: number, lo: number): string {
  return fromCharCode(
    (hi >>> 24) & 0xff,
    (hi >>> 16) & 0xff,
    (hi >>> 8) & 0xff,
    hi & 0xff,
    (lo >>> 24) & 0xff,
    (lo >>> 16) & 0xff,
    (lo >>> 8) & 0xff,
    lo & 0xff,
  );
}

/** All bits flipped: the reverse order. */
export function complement(code: string): string {
  if (code.length <= 16) {
    let out = '';
    for (let i = 0; i < code.length; i++) out += fromCharCode(code.charCodeAt(i) ^ 0xff);
    return out;
  }
  const bytes = Buffer.from(code, 'latin1');
  for (let i = 0; i < bytes.length; i++) bytes[i] ^= 0xff;
  return bytes.latin1Slice();
}

/** One nullable column of a key: a marker sorts nulls first or last. */
export function encodeKeyPart(value: Datum, code: KeyCode, descending: boolean, nullsFirst: boolean): string {
  if (value === null || value === undefined) return nullsFirst ? '\x00' : '\x02';
  const bytes = encodeCell(value, code);
  return `\x01${descending ? complement(bytes) : bytes}`;
}

export interface Decoded {
  value: Datum;
  /** Offset of the next column. */
  end: number;
}

/** Decodes the cell at `at` of a key; `raw` is not self-delimiting and is refused. */
export function decodeCell(key: string, at: number, code: KeyCode): Decoded {
  switch (code) {
    case 'bool':
      return { value: key.charCodeAt(at) === 1, end: at + 1 };
    case 'i32':
      return { value: (word(key, at) ^ 0x80000000) | 0, end: at + 4 };
    case 'i64': {
      const hi = (word(key, at) ^ 0x80000000) | 0;
      const value = hi * 4294967296 + word(key, at + 4);
      if (Number.isSafeInteger(value)) return { value, end: at + 8 };
      const big = (BigInt(hi) << 32n) | BigInt(word(key, at + 4));
      return { value: big, end: at + 8 };
    }
    case 'f64': {
      const hi = word(key, at);
      const lo = word(key, at + 4);
      const negative = hi >>> 31 === 0;
      scratch.setUint32(0, negative ? ~hi : hi ^ 0x80000000);
      scratch.setUint32(4, negative ? ~lo : lo);
      return { value: scratch.getFloat64(0), end: at + 8 };
    }
    case 'text': {
      const end = key.indexOf('\0', at);
      return { value: keyText(key.slice(at, end)), end: end + 1 };
    }
    case 'bin': {
      let end = at;
      for (;;) {
        end = key.indexOf('\0', end);
        if (key.charCodeAt(end + 1) !== 0xff) break;
        end += 2;
      }
      return { value: key.slice(at, end).replaceAll('\0\xff', '\0'), end: end + 2 };
    }
    case 'list':
    case 'raw':
      assert(false, 'a code of its own knows where it ends');
  }
}

function word(key: string, at: number): number {
  return ((key.charCodeAt(at) << 24) | (key.charCodeAt(at + 1) << 16) | (key.charCodeAt(at + 2) << 8) | key.charCodeAt(at + 3)) >>> 0;
}
