/**
 * Postgres's hash_bytes_extended (after Bob Jenkins's lookup3) over bytes, words, numbers. The lower 32 bits under seed 0 are its
 * hash functions without a seed. Rows of hash-partitioned tables are stored by these hashes.
 */
import { isSpecial, type Numeric } from './numeric.ts';
import type { Value } from './value.ts';

const MASK = 0xffffffffffffffffn;

class State {
  a: number;
  b: number;
  c: number;

  constructor(length: number, seed: bigint) {
    this.a = this.b = this.c = (0x9e3779b9 + length + 3923095) | 0;
    if (seed === 0n) return;
    this.a = (this.a + Number(seed >> 32n)) | 0;
    this.b = (this.b + Number(seed & 0xffffffffn)) | 0;
    this.mix();
  }

  mix(): void {
    let { a, b, c } = this;
    // prettier-ignore
    {
      a = (a - c) | 0; a ^= rotate(c, 4); c = (c + b) | 0;
      b = (b - a) | 0; b ^= rotate(a, 6); a = (a + c) | 0;
      c = (c - b) | 0; c ^= rotate(b, 8); b = (b + a) | 0;
      a = (a - c) | 0; a ^= rotate(c, 16); c = (c + b) | 0;
      b = (b - a) | 0; b ^= rotate(a, 19); a = (a + c) | 0;
      c = (c - b) | 0; c ^= rotate(b, 4); b = (b + a) | 0;
    }
    this.a = a;
    this.b = b;
    this.c = c;
  }

  final(): bigint {
    let { a, b, c } = this;
    // prettier-ignore
    {
      c ^= b; c = (c - rotate(b, 14)) | 0;
      a ^= c; a = (a - rotate(c, 11)) | 0;
      b ^= a; b = (b - rotate(a, 25)) | 0;
      c ^= b; c = (c - rotate(b, 16)) | 0;
      a ^= c; a = (a - rotate(c, 4)) | 0;
      b ^= a; b = (b - rotate(a, 14)) | 0;
      c ^= b; c = (c - rotate(b, 24)) | 0;
    }
    return (BigInt(b >>> 0) << 32n) | BigInt(c >>> 0);
  }
}

function rotate(x: number, by: number): number {
  return (x << by) | (x >>> (32 - by));
}

/** Of a 32-bit number. */
export function hashWord(word: number, seed: bigint): bigint {
  const state = new State(4, seed);
  state.a = (state.a + word) | 0;
  return state.final();
}

export function hashBytes(bytes: Uint8Array, seed: bigint): bigint {
  const state = new State(bytes.length, seed);
  const byte = (at: number): number => bytes[at] ?? 0;
  const word = (at: number): number => byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
  let at = 0;
  let left = bytes.length;
  for (; left >= 12; at += 12, left -= 12) {
    state.a = (state.a + word(at)) | 0;
    state.b = (state.b + word(at + 4)) | 0;
    state.c = (state.c + word(at + 8)) | 0;
    state.mix();
  }
  // Bytes past the end are zero; the lowest byte of the last word holds the length.
  state.a = (state.a + word(at)) | 0;
  state.b = (state.b + word(at + 4)) | 0;
  state.c = (state.c + (word(at + 8) << 8)) | 0;
  return state.final();
}

/** Of a 64-bit number; one that fits an int4 is hashed as that. */
export function hashLong(value: bigint, seed: bigint): bigint {
  const low = Number(value & 0xffffffffn);
  const high = Number((value >> 32n) & 0xffffffffn);
  return hashWord(low ^ (value >= 0n ? high : ~high), seed);
}

/** Both zeros are equal. */
export function hashDouble(value: number, seed: bigint): bigint {
  if (value === 0) return seed;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return hashBytes(bytes, seed);
}

/** The base-10000 digits that Postgres stores, without zeros at either end, and the weight of the first. */
export function hashNumeric(value: Numeric, seed: bigint): bigint {
  if (isSpecial(value)) return seed;
  let coefficient = BigInt(value.coefficient);
  if (coefficient === 0n) return (seed - 1n) & MASK;
  if (coefficient < 0n) coefficient = -coefficient;
  // The point is between two base-10000 digits.
  const pad = (4 - (value.scale % 4)) % 4;
  const text = (coefficient * 10n ** BigInt(pad)).toString();
  const fraction = (value.scale + pad) / 4;
  const whole = text.padStart(Math.ceil(text.length / 4) * 4, '0');
  const digits = whole.match(/.{4}/g)!.map(Number);
  let weight = digits.length - fraction - 1;
  while (digits[0] === 0) {
    digits.shift();
    weight--;
  }
  while (digits[digits.length - 1] === 0) digits.pop();
  const bytes = Buffer.alloc(digits.length * 2);
  digits.forEach((digit, i) => bytes.writeInt16LE(digit, i * 2));
  return (hashBytes(bytes, seed) ^ BigInt.asUintN(64, BigInt(weight))) & MASK;
}

const INFINITE_TIME = 0x7fffffffffffffffn;

/** Postgres's 64-bit representation of a whole number or a moment. */
export function timeCount(value: Value): bigint {
  if (value === Infinity) return INFINITE_TIME;
  if (value === -Infinity) return -INFINITE_TIME - 1n;
  return BigInt(value as number | bigint);
}
