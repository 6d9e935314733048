/**
 * Where a row goes in a table that is partitioned by hash. The hash is Postgres's (hash_bytes_extended, after Bob Jenkins's
 * lookup3, seeded as partition bounds are), so that rows of a dump belong where it says. It must never change: rows lie
 * where it put them.
 *
 *   row ──each key's hash, 64 bits──► combined ──modulo──► remainder
 *
 * Types whose values Postgres hashes in a form that is not kept here (enums, composites, arrays …) are hashed by their text.
 */
import { STORED } from '../types/environment.ts';
import { Numeric, isSpecial } from '../types/numeric.ts';
import { storedText } from '../types/stored-text.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const SEED = 0x7a5b22367996dcfdn;
const SEED_HIGH = Number(SEED >> 32n);
const SEED_LOW = Number(SEED & 0xffffffffn);
const MASK = 0xffffffffffffffffn;

class State {
  a: number;
  b: number;
  c: number;

  constructor(length: number) {
    this.a = this.b = this.c = (0x9e3779b9 + length + 3923095) | 0;
    this.a = (this.a + SEED_HIGH) | 0;
    this.b = (this.b + SEED_LOW) | 0;
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

function hashWord(word: number): bigint {
  const state = new State(4);
  state.a = (state.a + word) | 0;
  return state.final();
}

function hashBytes(bytes: Buffer): bigint {
  const state = new State(bytes.length);
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
  // Bytes behind the end are zero; the lowest byte of the last word is the length's.
  state.a = (state.a + word(at)) | 0;
  state.b = (state.b + word(at + 4)) | 0;
  state.c = (state.c + (word(at + 8) << 8)) | 0;
  return state.final();
}

function hashLong(value: bigint): bigint {
  const low = Number(value & 0xffffffffn);
  const high = Number((value >> 32n) & 0xffffffffn);
  return hashWord(low ^ (value >= 0n ? high : ~high));
}

function hashDouble(value: number): bigint {
  if (value === 0) return SEED;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return hashBytes(bytes);
}

/** The digits to base 10000 that Postgres keeps, without zeros at either end, and the weight of the first. */
function hashNumeric(value: Numeric): bigint {
  if (isSpecial(value)) return SEED;
  let coefficient = BigInt(value.coefficient);
  if (coefficient === 0n) return (SEED - 1n) & MASK;
  if (coefficient < 0n) coefficient = -coefficient;
  // The point stands between two digits to base 10000.
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
  return (hashBytes(bytes) ^ BigInt.asUintN(64, BigInt(weight))) & MASK;
}

const INFINITE_TIME = 0x7fffffffffffffffn;

function longOf(value: Value): bigint {
  if (value === Infinity) return INFINITE_TIME;
  if (value === -Infinity) return -INFINITE_TIME - 1n;
  return BigInt(value as number | bigint);
}

/** Hash of a value that is not null, as Postgres's hash function of its type gives it with the seed of partitions. */
function hashValue(type: SqlType, value: Value): bigint {
  const root = type.domain?.root ?? type;
  switch (root.name) {
    case 'bool':
      return hashWord(value === true ? 1 : 0);
    case 'int2':
    case 'int4':
    case 'oid':
      return hashWord(Number(value) | 0);
    case 'date':
      return hashWord(value === Infinity ? 0x7fffffff : value === -Infinity ? -0x80000000 : Number(value) | 0);
    case 'int8':
    case 'timestamp':
    case 'timestamptz':
    case 'time':
      return hashLong(longOf(value));
    case 'float4':
    case 'float8':
      return hashDouble(value as number);
    case 'numeric':
      return hashNumeric(value as Numeric);
    case 'uuid':
      return hashBytes(Buffer.from((value as string).replaceAll('-', ''), 'hex'));
    case 'bytea':
      return hashBytes(Buffer.from(value as string, 'latin1'));
    case 'bpchar':
      return hashBytes(Buffer.from((value as string).replace(/ +$/, ''), 'utf8'));
    default: {
      if (typeof value === 'string') return hashBytes(Buffer.from(value, 'utf8'));
      // Equal values have one key, but may have several texts.
      const key = root.hashable ? root.hashKey(value) : storedText(root, value, STORED);
      return hashBytes(Buffer.from(String(key), 'utf8'));
    }
  }
}

/** Of a row's partition key; nulls count for nothing. */
export function partitionHash(types: readonly SqlType[], values: readonly Value[]): bigint {
  let hash = 0n;
  for (let i = 0; i < types.length; i++) {
    if (values[i] === null) continue;
    hash = (hash ^ (hashValue(types[i], values[i]) + 0x49a0f4dd15e5a8e3n + (hash << 54n) + (hash >> 7n))) & MASK;
  }
  return hash;
}
