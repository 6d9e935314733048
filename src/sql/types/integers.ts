/** int2, int4 and int8. */
import { makeType } from './make-type.ts';
import { parseInteger } from './integer-text.ts';
import type { SqlType } from './type.ts';
import type { Value, Whole } from './value.ts';
import { INT8_MAX, INT8_MIN } from './whole.ts';

const compareNumbers = (a: Value, b: Value): number => (a as number) - (b as number);

export const INT2: SqlType = makeType({
  oid: 21,
  name: 'int2',
  title: 'smallint',
  category: 'N',
  length: 2,
  repr: 'i32',
  arrayOid: 1005,
  parse: (text) => parseInteger(text, 'smallint', -32768, 32767),
  format: String,
  compare: compareNumbers,
  json: (value) => value as number,
});

export const INT4: SqlType = makeType({
  oid: 23,
  name: 'int4',
  title: 'integer',
  category: 'N',
  length: 4,
  repr: 'i32',
  arrayOid: 1007,
  parse: (text) => parseInteger(text, 'integer', -2147483648, 2147483647),
  format: String,
  compare: compareNumbers,
  json: (value) => value as number,
});

export const INT8: SqlType = makeType({
  oid: 20,
  name: 'int8',
  title: 'bigint',
  category: 'N',
  length: 8,
  repr: 'whole',
  arrayOid: 1016,
  parse: (text) => parseInteger(text, 'bigint', INT8_MIN, INT8_MAX),
  format: String,
  compare: (a, b) => ((a as Whole) < (b as Whole) ? -1 : (a as Whole) > (b as Whole) ? 1 : 0),
  json: (value) => (typeof value === 'bigint' ? String(value) : (value as number)),
});
