/** Types that tests of arrays, records and JSON put inside: no more of each than those tests need. */
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import { arrayType } from '../../../src/sql/types/array-type.ts';
import { enumType } from '../../../src/sql/types/enum-type.ts';
import { JSON_TYPE } from '../../../src/sql/types/json.ts';
import { JSONB } from '../../../src/sql/types/jsonb.ts';
import { compareNumerics, numberKey, numericFromText, numericText } from '../../../src/sql/types/json-number.ts';
import { compareUtf8 } from '../../../src/sql/types/json-string.ts';
import { makeType } from '../../../src/sql/types/make-type.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import { RECORD, recordType } from '../../../src/sql/types/record-type.ts';
import { type Environment, STORED } from '../../../src/sql/types/environment.ts';
import type { SqlType } from '../../../src/sql/types/type.ts';
import { type Whole, whole } from '../../../src/sql/types/value.ts';

export const ENV: Environment = {
  timeZone: 'UTC',
  dateStyle: 'ISO',
  dateOrder: 'MDY',
  intervalStyle: 'postgres',
  extraFloatDigits: 1,
  byteaOutput: 'hex',
  arrayNulls: true,
  quotesAll: false,
  abbreviations: STORED.abbreviations,
  transactionStart: 0,
  statementStart: 0,
  clock: () => 0,
  random: () => 0.5,
  seedRandom: () => {},
  randomBytes: (count) => new Uint8Array(count),
  setting: () => undefined,
  setSetting: () => {},
};

function integer(name: string, title: string, oid: number, arrayOid: number, length: number): SqlType {
  const bits = BigInt(length * 8 - 1);
  return makeType({
    oid,
    name,
    title,
    category: 'N',
    length,
    repr: length === 8 ? 'whole' : 'i32',
    arrayOid,
    parse: (text) => {
      if (!/^\s*[+-]?\d+\s*$/.test(text)) throw new SvcError('22P02', `invalid input syntax for type ${title}: "${text}"`);
      const value = BigInt(text.trim().replace('+', ''));
      if (value >= 1n << bits || value < -(1n << bits)) throw new SvcError('22003', `value "${text}" is out of range for type ${title}`);
      return whole(value);
    },
    format: String,
    json: (value) => Number(value as Whole),
  });
}

export const INT2 = integer('int2', 'smallint', 21, 1005, 2);
export const INT4 = integer('int4', 'integer', 23, 1007, 4);
export const INT8 = integer('int8', 'bigint', 20, 1016, 8);

export const TEXT = makeType({
  oid: 25,
  name: 'text',
  title: 'text',
  category: 'S',
  length: -1,
  repr: 'string',
  arrayOid: 1009,
  parse: (text) => text,
  format: (value) => value as string,
  compare: (a, b) => compareUtf8(a as string, b as string),
});

export const BOOL = makeType({
  oid: 16,
  name: 'bool',
  title: 'boolean',
  category: 'B',
  length: 1,
  repr: 'bool',
  arrayOid: 1000,
  parse: (text) => {
    const word = text.trim().toLowerCase();
    if (['t', 'true', 'on', '1', 'yes', 'y'].includes(word)) return true;
    if (['f', 'false', 'off', '0', 'no', 'n'].includes(word)) return false;
    throw new SvcError('22P02', `invalid input syntax for type boolean: "${text}"`);
  },
  format: (value) => (value === true ? 't' : 'f'),
  json: (value) => value as boolean,
});

export const FLOAT8 = makeType({
  oid: 701,
  name: 'float8',
  title: 'double precision',
  category: 'N',
  length: 8,
  repr: 'f64',
  arrayOid: 1022,
  parse: (text) => {
    const value = text.trim() === '' ? NaN : Number(text);
    if (Number.isNaN(value) && text.trim().toLowerCase() !== 'nan') throw new SvcError('22P02', `invalid input syntax for type double precision: "${text}"`);
    return value;
  },
  format: (value) => {
    const [digits, exponent] = (value as number).toExponential().split('e');
    const power = Number(exponent);
    if (!(power < -4 || power >= 15)) return String(value);
    return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
  },
  compare: (a, b) => {
    const x = a as number;
    const y = b as number;
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y));
    return x < y ? -1 : x > y ? 1 : 0;
  },
  json: (value) => value as number,
});

export const NUMERIC = makeType({
  oid: 1700,
  name: 'numeric',
  title: 'numeric',
  category: 'N',
  length: -1,
  repr: 'numeric',
  arrayOid: 1231,
  parse: (text) => {
    if (/^(nan|[+-]?infinity)$/i.test(text)) return new Numeric(/nan/i.test(text) ? NaN : text.startsWith('-') ? -Infinity : Infinity, 0);
    if (!/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) throw new SvcError('22P02', `invalid input syntax for type numeric: "${text}"`);
    return numericFromText(text.trim());
  },
  format: (value) => numericText(value as Numeric),
  compare: (a, b) => compareNumerics(a as Numeric, b as Numeric),
  hashKey: (value) => numberKey(value as Numeric),
});

/** Kept as text in ISO form, which is all that JSON asks of it. */
function moment(name: string, title: string, oid: number, arrayOid: number): SqlType {
  return makeType({ oid, name, title, category: 'D', length: 8, repr: 'whole', arrayOid, parse: (text) => text, format: (value) => value as string });
}

export const DATE = moment('date', 'date', 1082, 1182);
export const TIMESTAMP = moment('timestamp', 'timestamp without time zone', 1114, 1115);
export const TIMESTAMPTZ = moment('timestamptz', 'timestamp with time zone', 1184, 1185);

export const MOOD = enumType(90_001, 90_002, 'mood', ['sad', 'ok', 'happy']);
export const PAIR = recordType(
  [
    { name: 'a', type: INT4, typmod: -1 },
    { name: 'b', type: TEXT, typmod: -1 },
  ],
  { oid: 90_003, arrayOid: 90_004, name: 'pair' },
);

/** What the oracle runs first, so that it knows the types above. */
export const PLAIN_TYPES_SQL = `create type mood as enum ('sad', 'ok', 'happy'); create type pair as (a int4, b text); set timezone = 'UTC'`;

const types = new Map<string, SqlType>();
for (const type of [INT2, INT4, INT8, TEXT, BOOL, FLOAT8, NUMERIC, DATE, TIMESTAMP, TIMESTAMPTZ, JSON_TYPE, JSONB, MOOD, PAIR, RECORD]) {
  types.set(type.name, type);
  types.set(`_${type.name}`, arrayType(type, type.arrayOid));
}

/** A type by its pg_type name. */
export function typeNamed(name: string): SqlType {
  const type = types.get(name);
  if (type === undefined) throw new Error(`no type ${name}`);
  return type;
}
