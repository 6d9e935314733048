/** float4 and float8. NaN equals itself and is greater than all; -0 equals 0. */
import { formatFloat4, formatFloat8, parseFloat4, parseFloat8 } from './float-text.ts';
import { makeType } from './make-type.ts';
import type { Json, SqlType } from './type.ts';
import type { Value } from './value.ts';

export function compareFloats(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1;
}

const hashFloat = (value: Value): number => (value as number) + 0;
const compare = (a: Value, b: Value): number => compareFloats(a as number, b as number);

export const FLOAT4: SqlType = makeType({
  oid: 700,
  name: 'float4',
  title: 'real',
  category: 'N',
  length: 4,
  repr: 'f64',
  arrayOid: 1021,
  parse: parseFloat4,
  format: (value, env) => formatFloat4(value as number, env.extraFloatDigits),
  compare,
  hashKey: hashFloat,
  // The digits that Postgres prints, so that 0.1::real is 0.1 and not 0.10000000149011612.
  json: (value): Json => (Number.isFinite(value) ? Number(formatFloat4(value as number, 1)) : formatFloat4(value as number, 1)),
});

export const FLOAT8: SqlType = makeType({
  oid: 701,
  name: 'float8',
  title: 'double precision',
  category: 'N',
  preferred: true,
  length: 8,
  repr: 'f64',
  arrayOid: 1022,
  parse: parseFloat8,
  format: (value, env) => formatFloat8(value as number, env.extraFloatDigits),
  compare,
  hashKey: hashFloat,
  json: (value): Json => (Number.isFinite(value) ? (value as number) : formatFloat8(value as number, 1)),
});
