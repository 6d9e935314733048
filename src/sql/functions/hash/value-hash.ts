/** 64-bit hashes of values under a seed, as Postgres's hash functions of their types give them. Equal values have equal hashes. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { hashBytes, hashDouble, hashLong, hashNumeric, hashWord, timeCount } from '../../types/hash-bytes.ts';
import type { Interval } from '../../types/interval.ts';
import { bytesOf, familyOf, maskOf } from '../../types/ip-address.ts';
import { toNumeric } from '../../types/json-number.ts';
import { isJsonArray, isJsonNumber, type JsonNode, JsonObject } from '../../types/json-tree.ts';
import { treeOf } from '../../types/jsonb.ts';
import type { Numeric } from '../../types/numeric.ts';
import type { MultirangeValue, RangeValue } from '../../types/range-value.ts';
import type { RecordValue } from '../../types/record-value.ts';
import { linearMicros } from '../../types/time/interval-value.ts';
import type { TimeTz } from '../../types/timetz.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value, Whole } from '../../types/value.ts';

const MASK = 0xffffffffffffffffn;
const EMPTY = 1;
const LOWER_INC = 2;
const UPPER_INC = 4;
const LOWER_INF = 8;
const UPPER_INF = 16;
const JSON_ARRAY = 0x4000000040000000n;
const JSON_OBJECT = 0x2000000020000000n;

export type ValueHash = (value: Value, seed: bigint) => bigint;

const utf8: ValueHash = (value, seed) => hashBytes(Buffer.from(value as string, 'utf8'), seed);
const word: ValueHash = (value, seed) => hashWord(Number(value) | 0, seed);
const long: ValueHash = (value, seed) => hashLong(timeCount(value), seed);
const double: ValueHash = (value, seed) => hashDouble(value as number, seed);
const hex: ValueHash = (value, seed) => hashBytes(Buffer.from((value as string).replace(/[-:]/g, ''), 'hex'), seed);

const BY_TYPE: Readonly<Record<string, ValueHash>> = {
  bool: (value, seed) => hashWord(value === true ? 1 : 0, seed),
  char: (value, seed) => hashWord(value === '' ? 0 : ((value as string).charCodeAt(0) << 24) >> 24, seed),
  int2: word,
  int4: word,
  oid: word,
  xid: word,
  cid: word,
  date: (value, seed) => hashWord(value === Infinity ? 0x7fffffff : value === -Infinity ? -0x80000000 : Number(value) | 0, seed),
  int8: long,
  xid8: (value, seed) => hashLong(BigInt.asIntN(64, BigInt(value as Whole)), seed),
  money: long,
  timestamp: long,
  timestamptz: long,
  time: long,
  timetz: (value, seed) => {
    const { micros, offset } = value as TimeTz;
    return hashLong(BigInt(micros), seed) ^ hashWord(-offset | 0, seed);
  },
  interval: (value, seed) => hashLong(BigInt.asIntN(64, BigInt(linearMicros(value as Interval))), seed),
  float4: double,
  float8: double,
  numeric: (value, seed) => hashNumeric(value as Numeric, seed),
  text: utf8,
  varchar: utf8,
  name: utf8,
  bpchar: (value, seed) => utf8((value as string).replace(/ +$/, ''), seed),
  bytea: (value, seed) => hashBytes(Buffer.from(value as string, 'latin1'), seed),
  uuid: hex,
  macaddr: hex,
  macaddr8: hex,
  inet: address,
  cidr: address,
  tid: (value, seed) => {
    const [block, offset] = (value as string).slice(1, -1).split(',').map(Number);
    const bytes = Buffer.alloc(6);
    bytes.writeUInt16LE(block >>> 16, 0);
    bytes.writeUInt16LE(block & 0xffff, 2);
    bytes.writeUInt16LE(offset, 4);
    return hashBytes(bytes, seed);
  },
  pg_lsn: (value, seed) => {
    const [high, low] = (value as string).split('/').map((part) => BigInt(`0x${part}`));
    return hashLong(BigInt.asIntN(64, (high << 32n) | low), seed);
  },
  oidvector: (value, seed) => {
    const { elements } = value as ArrayValue;
    const bytes = Buffer.alloc(elements.length * 4);
    elements.forEach((each, i) => bytes.writeUInt32LE(each as number, i * 4));
    return hashBytes(bytes, seed);
  },
  jsonb: (value, seed) => hashTree(treeOf(value as string), seed),
  aclitem: (value, seed) => {
    const sum = aclSum(value as string);
    return seed === 0n ? BigInt(sum) : hashWord(sum | 0, seed);
  },
};

/** Privilege bits, with grant options sixteen above, as Postgres stores them. */
const ACL_LETTERS = 'arwdDxtXUCTcsA';

function aclSum(item: string): number {
  const [, grantee, privileges, grantor] = /^(\d*)=(.*)\/(\d+)$/.exec(item)!;
  let bits = 0;
  for (let i = 0; i < privileges.length; i++) {
    const at = ACL_LETTERS.indexOf(privileges[i]);
    if (at >= 0) bits += privileges[i + 1] === '*' ? 2 ** at + 2 ** (at + 16) : 2 ** at;
  }
  return (bits + Number(grantee) + Number(grantor)) >>> 0;
}

function address(value: Value, seed: bigint): bigint {
  const text = value as string;
  return hashBytes(Uint8Array.from([familyOf(text) === 4 ? 2 : 3, maskOf(text), ...bytesOf(text)]), seed);
}

/** Both halves rotated by one bit. */
function turned(hash: bigint): bigint {
  return ((hash << 1n) & 0xfffffffefffffffen) | ((hash >> 31n) & 0x100000001n);
}

function hashTree(root: JsonNode, seed: bigint): bigint {
  let hash = 0n;
  const scalar = (own: bigint): void => {
    hash = turned(hash) ^ own;
  };
  const visit = (node: JsonNode): void => {
    if (isJsonArray(node)) {
      hash ^= JSON_ARRAY;
      for (const each of node) visit(each);
    } else if (node instanceof JsonObject) {
      hash ^= JSON_OBJECT;
      node.keys.forEach((key, i) => {
        scalar(utf8(key, seed));
        visit(node.values[i]);
      });
    } else if (node === null) scalar((seed + 1n) & MASK);
    else if (typeof node === 'string') scalar(utf8(node, seed));
    else if (typeof node === 'boolean') scalar(seed === 0n ? (node ? 2n : 4n) : hashWord(node ? 1 : 0, seed));
    else if (isJsonNumber(node)) scalar(hashNumeric(toNumeric(node), seed));
  };
  if (isJsonArray(root) ? root.length === 0 : root instanceof JsonObject && root.keys.length === 0) return seed;
  // A scalar at the top is inside an array.
  if (!isJsonArray(root) && !(root instanceof JsonObject)) hash ^= JSON_ARRAY;
  visit(root);
  return hash;
}

function hashRange(range: RangeValue, bound: ValueHash, seed: bigint): bigint {
  const { empty, lower, upper, lowerInc, upperInc } = range;
  const flags = empty ? EMPTY : (lowerInc ? LOWER_INC : 0) | (upperInc ? UPPER_INC : 0) | (lower === null ? LOWER_INF : 0) | (upper === null ? UPPER_INF : 0);
  const first = turned(hashWord(flags, seed) ^ (lower === null ? 0n : bound(lower, seed)));
  return first ^ (upper === null ? 0n : bound(upper, seed));
}

/** 31 times the previous hash, plus the next one. */
function chained(first: bigint, hashes: Iterable<bigint>): bigint {
  let hash = first;
  for (const each of hashes) hash = (hash * 31n + each) & MASK;
  return hash;
}

/** The hash of a type; 42883 if it has none. */
export function hashOf(given: SqlType): ValueHash {
  const type = given.domain?.root ?? given;
  const known = BY_TYPE[type.name];
  if (known !== undefined) return known;
  if (type.range !== null) {
    const bound = hashOf(type.range.subtype);
    if (!type.range.multi) return (value, seed) => hashRange(value as RangeValue, bound, seed);
    return (value, seed) =>
      chained(
        1n,
        (value as MultirangeValue).ranges.map((range) => hashRange(range, bound, seed)),
      );
  }
  if (type.element !== null) {
    const element = hashOf(type.element);
    return (value, seed) =>
      chained(
        1n,
        (value as ArrayValue).elements.map((each) => (each === null ? 0n : element(each, seed))),
      );
  }
  if (type.category === 'C' || type.name === 'record') {
    return (value, seed) => {
      const { fields, types } = value as RecordValue;
      return chained(
        0n,
        fields.map((field, i) => (field === null ? 0n : hashOf(types[i])(field, seed))),
      );
    };
  }
  throw new SvcError('42883', `could not identify a hash function for type ${type.title}`);
}
