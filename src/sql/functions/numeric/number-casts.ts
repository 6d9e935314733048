/**
 * Casts between numbers, oids and bool. A cast that pg_cast calls binary is a function here if the run-time form changes: an oid is
 * unsigned, an int4 is not.
 */
import { REGISTERED } from '../../types/registered.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { parseFloat4 } from '../../types/float-text.ts';
import type { Numeric } from '../../types/numeric.ts';
import { isSpecial } from '../../types/numeric.ts';
import { formatNumeric, fromFloat, fromWhole, toFloat8, toInt2, toInt4, toInt8 } from '../../types/numeric-text.ts';
import { whole, type Whole } from '../../types/value.ts';
import { int8 } from '../../types/whole.ts';
import type { CastContext, FunctionModule, SqlCast } from '../define.ts';
import { floatOverflow, floatUnderflow, isInfinite } from './float-arithmetic.ts';
import { int2OutOfRange, int4OutOfRange, toSmall } from './integer-arithmetic.ts';

/** The nearest whole number, half to even; NaN and infinities as they are. */
export function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  // JS rounds a half up.
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

function floatToInt2(value: number): number {
  const rounded = roundHalfEven(value);
  if (!(rounded >= -32768 && rounded <= 32767)) int2OutOfRange();
  return rounded + 0;
}

function floatToInt4(value: number): number {
  const rounded = roundHalfEven(value);
  if (!(rounded >= -2147483648 && rounded <= 2147483647)) int4OutOfRange();
  return rounded + 0;
}

export function floatToInt8(value: number): Whole {
  const rounded = roundHalfEven(value);
  if (rounded <= 9007199254740991 && rounded >= -9007199254740991) return rounded + 0;
  if (!(rounded >= -9223372036854775808 && rounded < 9223372036854775808)) throw new SvcError('22003', 'bigint out of range');
  return whole(BigInt(rounded));
}

export function float8ToFloat4(value: number): number {
  const narrow = Math.fround(value);
  if (isInfinite(narrow) && !isInfinite(value)) floatOverflow();
  if (narrow === 0 && value !== 0) floatUnderflow();
  return narrow;
}

function int8ToInt4(value: Whole): number {
  if (value > 2147483647 || value < -2147483648) int4OutOfRange();
  return value as number;
}

function int8ToInt2(value: Whole): number {
  if (value > 32767 || value < -32768) int2OutOfRange();
  return value as number;
}

function int8ToOid(value: Whole): number {
  if (value < 0 || value > 4294967295) throw new SvcError('22003', 'OID out of range');
  return value as number;
}

/** Through 53 bits with a sticky last bit, so that rounding twice equals rounding once. */
function int8ToFloat4(value: Whole): number {
  if (typeof value === 'number') return Math.fround(value);
  const high = value >> 10n;
  return Math.fround(Number((value & 1023n) === 0n ? high : high | 1n)) * 1024;
}

function numericToFloat4(value: Numeric): number {
  return isSpecial(value) ? (value.coefficient as number) : parseFloat4(formatNumeric(value));
}

/** Big-endian bytes. */
function toBytes(value: Whole, length: number): string {
  let rest = BigInt.asUintN(length * 8, BigInt(value));
  let bytes = '';
  for (let i = 0; i < length; i++) {
    bytes = String.fromCharCode(Number(rest & 255n)) + bytes;
    rest >>= 8n;
  }
  return bytes;
}

function fromBytes(bytes: string, length: number): bigint {
  let value = 0n;
  for (let i = 0; i < bytes.length; i++) value = (value << 8n) | BigInt(bytes.charCodeAt(i));
  return BigInt.asIntN(length * 8, value);
}

const cast = (from: string, to: string, context: CastContext, impl: NonNullable<SqlCast['impl']>): SqlCast => ({ from, to, context, method: 'function', impl });
const binary = (from: string, to: string, context: CastContext): SqlCast => ({ from, to, context, method: 'binary' });

/** Pairs of reg… types for the same objects. */
const KINDRED: [string, string][] = [
  ['regproc', 'regprocedure'],
  ['regprocedure', 'regproc'],
  ['regoper', 'regoperator'],
  ['regoperator', 'regoper'],
];

const toUnsigned = (value: number): number => value >>> 0;
const toSigned = (value: number): number => value | 0;
const identity = (value: number): number => value;

export const numberCasts: FunctionModule = {
  casts: [
    cast('int2', 'int4', 'implicit', identity),
    cast('int2', 'int8', 'implicit', identity),
    cast('int2', 'float4', 'implicit', identity),
    cast('int2', 'float8', 'implicit', identity),
    cast('int2', 'numeric', 'implicit', fromWhole),
    cast('int4', 'int2', 'assignment', toSmall),
    cast('int4', 'int8', 'implicit', identity),
    cast('int4', 'float4', 'implicit', (value: number) => Math.fround(value)),
    cast('int4', 'float8', 'implicit', identity),
    cast('int4', 'numeric', 'implicit', fromWhole),
    cast('int4', 'bool', 'explicit', (value: number) => value !== 0),
    cast('bool', 'int4', 'explicit', (value: boolean) => (value ? 1 : 0)),
    cast('int8', 'int2', 'assignment', int8ToInt2),
    cast('int8', 'int4', 'assignment', int8ToInt4),
    cast('int8', 'float4', 'implicit', int8ToFloat4),
    cast('int8', 'float8', 'implicit', Number),
    cast('int8', 'numeric', 'implicit', fromWhole),
    cast('float4', 'int2', 'assignment', floatToInt2),
    cast('float4', 'int4', 'assignment', floatToInt4),
    cast('float4', 'int8', 'assignment', floatToInt8),
    cast('float4', 'float8', 'implicit', identity),
    cast('float4', 'numeric', 'assignment', (value: number) => fromFloat(value, 6)),
    cast('float8', 'int2', 'assignment', floatToInt2),
    cast('float8', 'int4', 'assignment', floatToInt4),
    cast('float8', 'int8', 'assignment', floatToInt8),
    cast('float8', 'float4', 'assignment', float8ToFloat4),
    cast('float8', 'numeric', 'assignment', (value: number) => fromFloat(value, 15)),
    cast('numeric', 'int2', 'assignment', toInt2),
    cast('numeric', 'int4', 'assignment', toInt4),
    cast('numeric', 'int8', 'assignment', toInt8),
    cast('numeric', 'float4', 'implicit', numericToFloat4),
    cast('numeric', 'float8', 'implicit', toFloat8),
    cast('xid8', 'xid', 'explicit', (value: Whole) => Number(BigInt.asUintN(32, BigInt(value)))),
    cast('int2', 'bytea', 'explicit', (value: number) => toBytes(value, 2)),
    cast('int4', 'bytea', 'explicit', (value: number) => toBytes(value, 4)),
    cast('int8', 'bytea', 'explicit', (value: Whole) => toBytes(value, 8)),
    cast('bytea', 'int2', 'explicit', (bytes: string) => (bytes.length > 2 ? int2OutOfRange() : Number(fromBytes(bytes, 2)))),
    cast('bytea', 'int4', 'explicit', (bytes: string) => (bytes.length > 4 ? int4OutOfRange() : Number(fromBytes(bytes, 4)))),
    cast('bytea', 'int8', 'explicit', (bytes: string) => (bytes.length > 8 ? int8(1n << 63n) : whole(fromBytes(bytes, 8)))),
    ...['oid', ...REGISTERED].flatMap((type) => [
      cast('int2', type, 'implicit', toUnsigned),
      cast('int4', type, 'implicit', toUnsigned),
      cast('int8', type, 'implicit', int8ToOid),
      cast(type, 'int4', 'assignment', toSigned),
      cast(type, 'int8', 'assignment', identity),
    ]),
    ...REGISTERED.flatMap((type) => [binary('oid', type, 'implicit'), binary(type, 'oid', 'implicit')]),
    ...KINDRED.map(([from, to]) => binary(from, to, 'implicit')),
  ],
};
