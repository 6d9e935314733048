/**
 * Functions of information_schema behind the length, precision and scale columns of its views (information_schema.sql of Postgres
 * 15). Schema caches of clients call them. NULL if the type has no such property.
 */
import { columnsOf } from '../../types/record-type.ts';
import type { RecordValue } from '../../types/record-value.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, SqlFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

const [INT8, INT2, INT4, TEXT, FLOAT4, FLOAT8, BPCHAR, VARCHAR] = [20, 21, 23, 25, 700, 701, 1042, 1043];
const [DATE, TIME, TIMESTAMP, TIMESTAMPTZ, INTERVAL, TIMETZ, BIT, VARBIT, NUMERIC] = [1082, 1083, 1114, 1184, 1186, 1266, 1560, 1562, 1700];
/** Bits of binary number types. */
const BITS: Readonly<Record<number, number | undefined>> = { [INT2]: 16, [INT4]: 32, [INT8]: 64, [FLOAT4]: 24, [FLOAT8]: 53 };
const UTF8_BYTES_MAX = 4;

function charMaxLength(type: number, typmod: number): number | null {
  if (typmod === -1) return null;
  if (type === BPCHAR || type === VARCHAR) return typmod - 4;
  return type === BIT || type === VARBIT ? typmod : null;
}

function charOctetLength(type: number, typmod: number): number | null {
  if (type !== TEXT && type !== BPCHAR && type !== VARCHAR) return null;
  return typmod === -1 ? 2 ** 30 : UTF8_BYTES_MAX * (charMaxLength(type, typmod) ?? 0);
}

function numericPrecision(type: number, typmod: number): number | null {
  if (type === NUMERIC) return typmod === -1 ? null : ((typmod - 4) >> 16) & 65535;
  return BITS[type] ?? null;
}

function numericScale(type: number, typmod: number): number | null {
  if (type === INT2 || type === INT4 || type === INT8) return 0;
  return type === NUMERIC && typmod !== -1 ? (typmod - 4) & 65535 : null;
}

function datetimePrecision(type: number, typmod: number): number | null {
  switch (type) {
    case DATE:
      return 0;
    case TIME:
    case TIMESTAMP:
    case TIMESTAMPTZ:
    case TIMETZ:
      return typmod < 0 ? 6 : typmod;
    case INTERVAL:
      return typmod < 0 || (typmod & 65535) === 65535 ? 6 : typmod & 65535;
    default:
      return null;
  }
}

/** `DAY TO SECOND(3)`. */
function intervalType(call: Call, type: number, typmod: number): string | null {
  if (type !== INTERVAL) return null;
  const { rows } = systemOf(call).queryRows(`SELECT pg_catalog.format_type(${INTERVAL}, ${typmod})`);
  const fields = /^interval[()0-9]* (.+)$/.exec(String(rows[0][0]));
  return fields === null ? null : fields[1].toUpperCase();
}

/** A field of a catalog row. */
function field(call: Call, at: number, { fields }: RecordValue, name: string): Value {
  const columns = columnsOf(call.argTypes[at]);
  return fields[columns?.findIndex((column) => column.name === name) ?? -1] ?? null;
}

/** For a column of a domain type the base type's property. */
function below(column: string, ofDomain: string): (call: Call, attribute: RecordValue, type: RecordValue) => Value {
  return (call, attribute, type) => (field(call, 1, type, 'typtype') === 'd' ? field(call, 1, type, ofDomain) : field(call, 0, attribute, column));
}

function indexPosition(call: Call, index: number, column: number): number | null {
  const { rows } = systemOf(call).queryRows(
    `SELECT p.n FROM pg_catalog.pg_index i, information_schema._pg_expandarray(i.indkey) p WHERE i.indexrelid = ${index} AND p.x = ${column}`,
  );
  return rows.length === 0 ? null : (rows[0][0] as number);
}

const ofType = (name: string, doc: string, impl: (type: number, typmod: number) => number | null): SqlFunction => ({
  kind: 'scalar',
  name,
  schema: 'information_schema',
  args: ['oid', 'int4'],
  returns: 'int4',
  doc,
  volatility: 'immutable',
  impl,
});

const ofRow = (name: string, returns: string, doc: string, impl: ReturnType<typeof below>): SqlFunction => ({
  kind: 'scalar',
  name,
  schema: 'information_schema',
  args: ['record', 'record'],
  returns,
  doc,
  volatility: 'immutable',
  needsCall: true,
  impl,
});

export const standardTypeFunctions: FunctionModule = {
  functions: [
    ofRow('_pg_truetypid', 'oid', 'Type of a column; of a domain the type below it.', below('atttypid', 'typbasetype')),
    ofRow('_pg_truetypmod', 'int4', 'Modifier of the type of a column; of a domain that of the type below it.', below('atttypmod', 'typtypmod')),
    ofType('_pg_char_max_length', 'Characters or bits that a type may have.', charMaxLength),
    ofType('_pg_char_octet_length', 'Bytes that a type of characters may have.', charOctetLength),
    ofType('_pg_numeric_precision', 'Digits or bits of a type of numbers.', numericPrecision),
    ofType('_pg_numeric_precision_radix', 'Base in which the precision counts.', (type) => (type === NUMERIC ? 10 : BITS[type] === undefined ? null : 2)),
    ofType('_pg_numeric_scale', 'Digits behind the point.', numericScale),
    ofType('_pg_datetime_precision', 'Digits of fractions of seconds.', datetimePrecision),
    {
      kind: 'scalar',
      name: '_pg_interval_type',
      schema: 'information_schema',
      args: ['oid', 'int4'],
      returns: 'text',
      doc: 'Fields of an interval.',
      volatility: 'immutable',
      needsCall: true,
      impl: intervalType,
    },
    {
      kind: 'scalar',
      name: '_pg_index_position',
      schema: 'information_schema',
      args: ['oid', 'int2'],
      returns: 'int4',
      doc: 'Place of a column in an index, from 1.',
      volatility: 'stable',
      needsCall: true,
      impl: indexPosition,
    },
  ],
};
