/** A few types, as plain as they can be, for tests of what lies below the real ones. */
import { SvcError } from '../../../src/base/errors/svc-error.ts';
import type { TypeLookup } from '../../../src/sql/schema/type-lookup.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { Interval } from '../../../src/sql/types/interval.ts';
import { makeType } from '../../../src/sql/types/make-type.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Repr, SqlType } from '../../../src/sql/types/type.ts';
import { type Value, whole } from '../../../src/sql/types/value.ts';

function make(
  oid: number,
  name: string,
  title: string,
  category: string,
  repr: Repr,
  parse: (text: string, typmod: number) => Value,
  more: Partial<SqlType> = {},
): SqlType {
  return makeType({ oid, name, title, category, length: -1, repr, arrayOid: 0, parse, format: (value) => String(value), ...more });
}

function integer(text: string, title: string, min: number, max: number): number {
  if (!/^[+-]?\d+$/.test(text.trim())) throw new SvcError('22P02', `invalid input syntax for type ${title}: "${text}"`);
  const value = Number(text);
  if (value < min || value > max) throw new SvcError('22003', `value "${text}" is out of range for type ${title}`);
  return value;
}

function numericText({ coefficient, scale }: Numeric): string {
  if (typeof coefficient === 'number' && !Number.isFinite(coefficient)) return String(coefficient);
  const negative = coefficient < 0;
  const digits = String(coefficient)
    .replace('-', '')
    .padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return negative ? `-${text}` : text;
}

export const INT2 = make(21, 'int2', 'smallint', 'N', 'i32', (text) => integer(text, 'smallint', -32768, 32767));
export const INT4 = make(23, 'int4', 'integer', 'N', 'i32', (text) => integer(text, 'integer', -2147483648, 2147483647), {
  json: (value) => value as number,
});
export const INT8 = make(
  20,
  'int8',
  'bigint',
  'N',
  'whole',
  (text) => {
    if (!/^[+-]?\d+$/.test(text)) throw new SvcError('22P02', `invalid input syntax for type bigint: "${text}"`);
    return whole(BigInt(text));
  },
  { json: (value) => Number(value) },
);
export const FLOAT8 = make(701, 'float8', 'double precision', 'N', 'f64', Number, { json: (value) => value as number });
export const BOOL = make(16, 'bool', 'boolean', 'B', 'bool', (text) => text === 't' || text === 'true', {
  format: (value) => (value === true ? 't' : 'f'),
  json: (value) => value as boolean,
});
export const TEXT = make(25, 'text', 'text', 'S', 'string', (text) => text);
export const VARCHAR = make(1043, 'varchar', 'character varying', 'S', 'string', (text, typmod) => {
  if (typmod >= 4 && text.length > typmod - 4) throw new SvcError('22P02', `value too long for type character varying(${typmod - 4})`);
  return text;
});
export const BYTEA = make(17, 'bytea', 'bytea', 'U', 'string', (text) => Buffer.from(text.slice(2), 'hex').latin1Slice(), {
  format: (value) => `\\x${Buffer.from(value as string, 'latin1').toString('hex')}`,
});
export const TIMESTAMP = make(1114, 'timestamp', 'timestamp without time zone', 'D', 'whole', (text) =>
  text === 'infinity' ? Infinity : text === '-infinity' ? -Infinity : whole(BigInt(text)),
);
export const NUMERIC = make(
  1700,
  'numeric',
  'numeric',
  'N',
  'numeric',
  (text) => {
    if (text === 'NaN' || text.endsWith('Infinity')) return new Numeric(Number(text), 0);
    const [head, tail = ''] = text.split('.');
    return new Numeric(whole(BigInt(head + tail)), tail.length);
  },
  {
    format: (value) => numericText(value as Numeric),
    compare: (a, b) => Number(numericText(a as Numeric)) - Number(numericText(b as Numeric)),
    hashKey: (value) => numericText(value as Numeric).replace(/\.?0+$/, ''),
  },
);
export const INTERVAL = make(
  1186,
  'interval',
  'interval',
  'T',
  'object',
  (text) => {
    const [months, days, micros] = text.split(' ').map(Number);
    return new Interval(months, days, micros);
  },
  {
    format: (value) => {
      const { months, days, micros } = value as Interval;
      return `${months} ${days} ${micros}`;
    },
  },
);
export const JSONB = make(3802, 'jsonb', 'jsonb', 'U', 'string', (text) => JSON.stringify(JSON.parse(text)), {
  json: (value) => JSON.parse(value as string),
  ordered: true,
});
export const POINT = make(600, 'point', 'point', 'G', 'object', (text) => text, { ordered: false });

function arrayOver(oid: number, element: SqlType): SqlType {
  return make(
    oid,
    `_${element.name}`,
    `${element.title}[]`,
    'A',
    'object',
    (text) => new ArrayValue((JSON.parse(text) as unknown[]).map((each) => (each === null ? null : element.parse(String(each), -1, undefined as never)))),
    {
      element,
      format: (value) => JSON.stringify((value as ArrayValue).elements.map((each) => (each === null ? null : element.format(each, undefined as never)))),
    },
  );
}
export const INT4_ARRAY = arrayOver(1007, INT4);

const ALL = [INT2, INT4, INT8, FLOAT8, BOOL, TEXT, VARCHAR, BYTEA, TIMESTAMP, NUMERIC, INTERVAL, JSONB, POINT, INT4_ARRAY];
const BY_OID = new Map(ALL.map((type) => [type.oid, type]));

export const TEST_TYPES: TypeLookup = {
  byOid: (oid) => BY_OID.get(oid) ?? null,
  arrayOf: (element) => arrayOver(element.arrayOid, element),
  domainTest: () => () => true,
  rangeOf: (subtype) => ({ range: subtype, multirange: subtype }),
  enumOf: (oid, arrayOid, name, labels) =>
    make(
      oid,
      name,
      name,
      'E',
      'string',
      (text) => {
        if (!labels.includes(text)) throw new SvcError('22P02', `invalid input value for enum ${name}: "${text}"`);
        return text;
      },
      { labels, arrayOid, compare: (a, b) => labels.indexOf(a as string) - labels.indexOf(b as string) },
    ),
};
