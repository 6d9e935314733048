/** The functions behind hash indexes and partitions, `hashint4` and similar, with Postgres's values. */
import type { SqlType } from '../../types/type.ts';
import { whole, type Value, type Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { hashOf, type ValueHash } from './value-hash.ts';

/** Names with and without a seed, and the type. */
const NAMES: readonly (readonly [string, string, string])[] = [
  ['hash_aclitem', 'hash_aclitem_extended', 'aclitem'],
  ['hash_array', 'hash_array_extended', 'anyarray'],
  ['hash_multirange', 'hash_multirange_extended', 'anymultirange'],
  ['hash_numeric', 'hash_numeric_extended', 'numeric'],
  ['hash_range', 'hash_range_extended', 'anyrange'],
  ['hash_record', 'hash_record_extended', 'record'],
  ['hashbpchar', 'hashbpcharextended', 'bpchar'],
  ['hashchar', 'hashcharextended', 'char'],
  ['hashfloat4', 'hashfloat4extended', 'float4'],
  ['hashfloat8', 'hashfloat8extended', 'float8'],
  ['hashinet', 'hashinetextended', 'inet'],
  ['hashint2', 'hashint2extended', 'int2'],
  ['hashint4', 'hashint4extended', 'int4'],
  ['hashint8', 'hashint8extended', 'int8'],
  ['hashmacaddr', 'hashmacaddrextended', 'macaddr'],
  ['hashmacaddr8', 'hashmacaddr8extended', 'macaddr8'],
  ['hashname', 'hashnameextended', 'name'],
  ['hashoid', 'hashoidextended', 'oid'],
  ['hashoidvector', 'hashoidvectorextended', 'oidvector'],
  ['hashtext', 'hashtextextended', 'text'],
  ['hashtid', 'hashtidextended', 'tid'],
  ['interval_hash', 'interval_hash_extended', 'interval'],
  ['jsonb_hash', 'jsonb_hash_extended', 'jsonb'],
  ['pg_lsn_hash', 'pg_lsn_hash_extended', 'pg_lsn'],
  ['time_hash', 'time_hash_extended', 'time'],
  ['timestamp_hash', 'timestamp_hash_extended', 'timestamp'],
  ['timetz_hash', 'timetz_hash_extended', 'timetz'],
  ['uuid_hash', 'uuid_hash_extended', 'uuid'],
];

const hashes = new WeakMap<SqlType, ValueHash>();

function hashFor(type: SqlType): ValueHash {
  const known = hashes.get(type);
  if (known !== undefined) return known;
  const made = hashOf(type);
  hashes.set(type, made);
  return made;
}

function plain({ argTypes }: Call, value: Value): number {
  return Number(BigInt.asIntN(32, hashFor(argTypes[0])(value, 0n)));
}

function seeded({ argTypes }: Call, value: Value, seed: Whole): Whole {
  return whole(BigInt.asIntN(64, hashFor(argTypes[0])(value, BigInt.asUintN(64, BigInt(seed)))));
}

export const HASH_FUNCTIONS: FunctionModule = {
  behind: NAMES.flatMap(([name, extended, type]): ScalarFunction[] => [
    { kind: 'scalar', name, args: [type], returns: 'int4', needsCall: true, doc: 'Hash of a value.', impl: plain },
    { kind: 'scalar', name: extended, args: [type, 'int8'], returns: 'int8', needsCall: true, doc: 'Hash of a value under a seed.', impl: seeded },
  ]),
};
