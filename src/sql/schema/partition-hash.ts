/**
 * Routing of rows in tables partitioned by hash. The hash is Postgres's, with the seed of partition bounds, so that dumped rows fit
 * their partitions. It must never change, since it determines where rows are stored.
 *
 *   row ──each key's hash, 64 bits──► combined ──modulo──► remainder
 *
 * Types whose values Postgres hashes in another representation (enums, composites, arrays …) are hashed by their text.
 */
import { STORED } from '../types/environment.ts';
import { hashBytes, hashDouble, hashLong, hashNumeric, hashWord, timeCount } from '../types/hash-bytes.ts';
import type { Numeric } from '../types/numeric.ts';
import { storedText } from '../types/stored-text.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

const SEED = 0x7a5b22367996dcfdn;
const MASK = 0xffffffffffffffffn;

/** Hash of a non-null value, as Postgres's hash function of its type gives it with the partition seed. */
function hashValue(type: SqlType, value: Value): bigint {
  const root = type.domain?.root ?? type;
  switch (root.name) {
    case 'bool':
      return hashWord(value === true ? 1 : 0, SEED);
    case 'int2':
    case 'int4':
    case 'oid':
      return hashWord(Number(value) | 0, SEED);
    case 'date':
      return hashWord(value === Infinity ? 0x7fffffff : value === -Infinity ? -0x80000000 : Number(value) | 0, SEED);
    case 'int8':
    case 'timestamp':
    case 'timestamptz':
    case 'time':
      return hashLong(timeCount(value), SEED);
    case 'float4':
    case 'float8':
      return hashDouble(value as number, SEED);
    case 'numeric':
      return hashNumeric(value as Numeric, SEED);
    case 'uuid':
      return hashBytes(Buffer.from((value as string).replaceAll('-', ''), 'hex'), SEED);
    case 'bytea':
      return hashBytes(Buffer.from(value as string, 'latin1'), SEED);
    case 'bpchar':
      return hashBytes(Buffer.from((value as string).replace(/ +$/, ''), 'utf8'), SEED);
    default: {
      if (typeof value === 'string') return hashBytes(Buffer.from(value, 'utf8'), SEED);
      // Equal values have one key, but possibly several texts.
      const key = root.hashable ? root.hashKey(value) : storedText(root, value, STORED);
      return hashBytes(Buffer.from(String(key), 'utf8'), SEED);
    }
  }
}

/** Of a row's partition key; nulls do not contribute. */
export function partitionHash(types: readonly SqlType[], values: readonly Value[]): bigint {
  let hash = 0n;
  for (let i = 0; i < types.length; i++) {
    if (values[i] === null) continue;
    hash = (hash ^ (hashValue(types[i], values[i]) + 0x49a0f4dd15e5a8e3n + (hash << 54n) + (hash >> 7n))) & MASK;
  }
  return hash;
}
