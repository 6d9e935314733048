/**
 * What an SQL value is while a statement runs. Which form a value has follows from its type alone:
 *
 *   boolean                          boolean
 *   int2 int4 oid reg* date          number (date: days since 2000-01-01; ±Infinity for infinity)
 *   int8 time timestamp timestamptz  number inside ±(2^53-1), bigint beyond (times: microseconds; timestamps
 *                                    since 2000-01-01 00:00 UTC, ±Infinity for infinity)
 *   float4 float8                    number
 *   numeric                          Numeric
 *   text varchar bpchar name "char"  string
 *   bytea                            string, one character (0–255) a byte
 *   uuid                             string, 36 lower-case characters
 *   json                             string, as given
 *   jsonb                            string, as Postgres prints it: equal documents have (but for 1.0 and 1.00) equal text
 *   enums                            string, the label
 *   interval                         Interval
 *   timetz                           TimeTz
 *   arrays                           ArrayValue
 *   record, composites               RecordValue
 *   ranges, multiranges              RangeValue, MultirangeValue
 *   vector, halfvec                  Float32Array
 *   sparsevec                        SparseVector
 *   tsvector, tsquery                TsVector, TsQuery
 *   point lseg line box path polygon circle  Geometry
 *   domains                          as the type that they are over
 *
 * `null` is SQL's null. Values are never changed in place. The rule for whole numbers (number inside the
 * safe range, bigint beyond, never a bigint inside it) makes `===` and `<` right across both.
 */
import type { ArrayValue } from './array-value.ts';
import type { Geometry } from './geometry.ts';
import type { Interval } from './interval.ts';
import type { Numeric } from './numeric.ts';
import type { MultirangeValue, RangeValue } from './range-value.ts';
import type { RecordValue } from './record-value.ts';
import type { SparseVector } from './sparsevec.ts';
import type { TimeTz } from './timetz.ts';
import type { TsQuery } from './tsquery-tree.ts';
import type { TsVector } from './tsvector.ts';

export type Value =
  | null
  | boolean
  | number
  | bigint
  | string
  | Numeric
  | Interval
  | TimeTz
  | ArrayValue
  | RecordValue
  | RangeValue
  | MultirangeValue
  | TsVector
  | TsQuery
  | Geometry
  | Float32Array
  | SparseVector;

/** A whole number: a `number` inside ±(2^53-1), a `bigint` beyond. */
export type Whole = number | bigint;

/** The canonical form of a whole number. */
export function whole(value: bigint): Whole {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}
