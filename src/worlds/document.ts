/** Converts documents between JSON records and cells, without loss. */
import { decimalText, ExactNumber, parseExactJson, plainNumber, positionalText } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { setField } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import type { Json, Row } from '../commands/contract.ts';
import { type Datum, KIND, type Kind } from '../tree/datum.ts';
import { adapt, type Leaf } from '../tree/node.ts';
import type { Table } from './catalog.ts';
import type { DocumentType } from './definition.ts';
import type { TypedTables } from './typed-tables.ts';

export function typeOf(value: Json): DocumentType {
  switch (typeof value) {
    case 'boolean':
      return 'boolean';
    case 'number':
      return Number.isSafeInteger(value) ? 'bigint' : 'double precision';
    case 'string':
      return 'text';
    default:
      return value === null ? 'unknown' : 'jsonb';
  }
}

/**
 * A field's value as it is stored: a number that a double holds is one (1.50 is 1.5), so that its column has a type of numbers; any other is
 * kept in a column of JSON, digit for digit.
 */
export function fieldValue(value: Json): Json {
  return value instanceof ExactNumber ? (plainNumber(value) ?? value) : value;
}

/** A field's value as a cell of the column's kind. */
export function toDatum(value: Json, kind: Kind, field: string): Datum {
  if (value === null) return null;
  const type = typeOf(value);
  if (typeof value === 'number') checkNumber(value, field);
  if (typeof value === 'string') checkText(value, field);
  if (kind === KIND.JSON) return canonicalJson(value, field, 0);
  if (type === 'jsonb') throw new SvcError('XX000', `field ${field} needs a jsonb column`);
  return Object.is(value, -0) ? 0 : (value as Datum);
}

function checkNumber(value: number, field: string): void {
  if (!Number.isFinite(value)) throw new SvcError('22003', `field ${field} is not a finite number`);
  // From 1e21 on a number is written with an exponent: it was meant as a double.
  if (Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 1e21) {
    throw new SvcError('22003', `the integer ${value} in field ${field} is beyond ±(2^53 − 1) and would be rounded`, { hint: 'Send it as a string.' });
  }
}

function checkText(value: string, field: string): void {
  if (value.includes('\0')) throw new SvcError('22P02', `field ${field} holds the character \\u0000, which cannot be stored`);
  if (!value.isWellFormed()) throw new SvcError('22P02', `field ${field} holds half a surrogate pair, which is not valid text`);
}

/** As jsonb writes it, so that a value written by SQL is the same cell. */
function writtenNumber(value: number | ExactNumber, field: string): string {
  if (typeof value === 'number') {
    checkNumber(value, field);
    return JSON.stringify(value);
  }
  const text = positionalText(value.text);
  if (text === null) throw new SvcError('22003', `the number ${value.text.slice(0, 40)} overflows numeric format`);
  return text;
}

/** JSON text with sorted keys, so that equal values have equal text. */
export function canonicalJson(value: Json, field: string, depth: number, numberText = writtenNumber): string {
  if (depth > LIMITS.jsonDepthMax) {
    throw new SvcError('54001', `field ${field} is nested deeper than ${LIMITS.jsonDepthMax} levels`, { hint: 'Flatten the value, or store it as text.' });
  }
  if (value === undefined) throw new SvcError('22P02', `field ${field} holds a value that is not JSON`);
  if (typeof value === 'number') return numberText(value, field);
  if (typeof value === 'string') {
    checkText(value, field);
    return JSON.stringify(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, field, depth + 1, numberText)).join(',')}]`;
  if (typeof value !== 'object') throw new SvcError('22P02', `field ${field} holds a value that is not JSON`);
  if (value instanceof ExactNumber) return numberText(value, field);
  const keys = Object.keys(value).sort();
  const parts: string[] = [];
  for (const key of keys) {
    // As in JSON, a property that is undefined is left out.
    if (value[key] === undefined) continue;
    checkText(key, field);
    parts.push(`${JSON.stringify(key)}:${canonicalJson(value[key], field, depth + 1, numberText)}`);
  }
  return `{${parts.join(',')}}`;
}

const comparableNumber = (number: number | ExactNumber): string => decimalText(typeof number === 'number' ? String(number) : number.text);

/** JSON text in which equal numbers have equal text: 1.50 and 1.5. Of a value that is wanted (22003 as for one that is put). */
export function comparableJson(value: Json, field: string): string {
  return canonicalJson(value, field, 0, (number) => {
    if (typeof number === 'number') checkNumber(number, field);
    return comparableNumber(number);
  });
}

/** The same of a value that is stored: SQL may have written a double that `put` would refuse. */
export function comparableCell(value: Json, field: string): string {
  return canonicalJson(value, field, 0, comparableNumber);
}

/** What is no number is a text in JSON. */
const NO_NUMBERS: ReadonlySet<string> = new Set(['NaN', 'Infinity', '-Infinity']);

/** The double that is shown as the value: a number of the same digits, or NaN and the infinities as text; null if there is none. */
export function doubleShownAs(value: Json): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return NO_NUMBERS.has(value) ? Number(value) : null;
  if (!(value instanceof ExactNumber)) return null;
  const number = Number(value.text);
  return Number.isFinite(number) && decimalText(String(number)) === decimalText(value.text) ? number : null;
}

/** Refuses what cannot be the value of a field, as `toDatum` does: 22003, 22P02, 54001. */
export function checkField(value: Json, field: string): void {
  if (typeof value === 'number') checkNumber(value, field);
  else if (typeof value === 'string') checkText(value, field);
  else if (typeof value === 'object' && value !== null) canonicalJson(value, field, 0);
}

/** The JSON value of a cell, as it was put. */
export function toJson(value: Datum, kind: Kind): Json {
  if (kind === KIND.JSON && typeof value === 'string') return parseExactJson(value) as Json;
  // What SQL wrote: an integer beyond 2^53 keeps its digits, and JSON has no number that is none.
  if (typeof value === 'bigint') return new ExactNumber(String(value)) as unknown as Json;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value as Json;
}

/** The row at `i` as a record, without `id`. */
export function rowRecord(typed: Pick<TypedTables, 'record'>, table: Table, leaf: Leaf, i: number): Row {
  if (table.relation !== null) return typed.record(table, leaf, i);
  const row: Row = {};
  const { columns } = table;
  for (let c = 0; c < columns.length; c++) {
    const vec = leaf.col(columns[c].number);
    if (vec === null) continue;
    const value = vec.get(i);
    if (value !== undefined) setField(row, columns[c].name, toJson(value, vec.kind));
  }
  return row;
}

/** A value for comparing cells of different kinds. */
export function comparable(value: Datum, kind: Kind): Datum {
  return adapt(value, kind, KIND.JSON);
}
