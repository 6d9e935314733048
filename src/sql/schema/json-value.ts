/** JSON fields of records as column values, for `put`. */
import { STORED } from '../types/environment.ts';
import { ExactNumber, exactJsonText, plainNumber } from '../../base/exact-json.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Json } from '../../commands/contract.ts';
import { checkDomain } from '../types/domain-type.ts';
import { columnsOf, type RecordColumn } from '../types/record-type.ts';
import { RecordValue } from '../types/record-value.ts';
import { ArrayValue } from '../types/array-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { OID } from './oids.ts';

/** 22P02, 22003, 22001 … with the type's message. */
export function valueOfJson(json: Json, type: SqlType, typmod: number): Value {
  if (json === null) {
    checkDomain(type, null, STORED);
    return null;
  }
  if (type.domain !== null) {
    const value = valueOfJson(json, type.domain.base, type.domain.typmod);
    type.domain.check(value, STORED);
    return value;
  }
  const value = parsed(json, type, typmod);
  return value === null ? null : type.coerce(value, typmod, false);
}

function parsed(json: Json, type: SqlType, typmod: number): Value {
  if (type.oid === OID.json || type.oid === OID.jsonb) return type.parse(exactJsonText(json), -1, STORED);
  switch (typeof json) {
    case 'string':
      return type.parse(json, typmod, STORED);
    case 'boolean':
      if (type.oid === OID.bool) return json;
      break;
    case 'number':
      if (type.category === 'N') return type.parse(String(json), typmod, STORED);
      break;
    default:
      if (json instanceof ExactNumber && type.category === 'N') return type.parse(numberText(json, type), typmod, STORED);
      if (Array.isArray(json) && type.element !== null) return arrayOf(json, type.element, typmod);
      if (!Array.isArray(json) && !(json instanceof ExactNumber) && columnsOf(type) !== null)
        return recordOf(json as { [key: string]: Json }, columnsOf(type)!);
  }
  const shown = exactJsonText(json);
  throw new SvcError('22P02', `invalid input syntax for type ${type.title}: ${shown.length <= 80 ? shown : `${shown.slice(0, 80)}…`}`);
}

/** `5.0` is an integer as well. */
export function numberText(value: ExactNumber, type: SqlType): string {
  const isInteger = type.oid === OID.int2 || type.oid === OID.int4 || type.oid === OID.int8;
  const plain = isInteger ? plainNumber(value) : null;
  return plain === null ? value.text : String(plain);
}

/** Missing fields are null; unknown ones are refused. */
function recordOf(json: { [key: string]: Json }, columns: readonly RecordColumn[]): Value {
  const surplus = Object.keys(json).find((key) => !columns.some(({ name }) => name === key));
  if (surplus !== undefined) throw new SvcError('42703', `the composite type has no attribute "${surplus}"`);
  return new RecordValue(
    columns.map(({ name, type, typmod }) => valueOfJson(Object.hasOwn(json, name) ? json[name] : null, type, typmod)),
    columns.map(({ type }) => type),
  );
}

function arrayOf(json: Json[], element: SqlType, typmod: number): Value {
  const lengths: number[] = [];
  for (let level: Json = json; Array.isArray(level) && level.length > 0; level = level[0]) lengths.push(level.length);
  const elements: Value[] = [];
  const walk = (level: Json, depth: number): void => {
    if (depth === lengths.length) {
      if (Array.isArray(level)) throw new SvcError('22P02', 'nested arrays must have sub-arrays with matching dimensions');
      elements.push(valueOfJson(level, element, typmod));
      return;
    }
    if (!Array.isArray(level) || level.length !== lengths[depth]) throw new SvcError('22P02', 'nested arrays must have sub-arrays with matching dimensions');
    for (const each of level) walk(each, depth + 1);
  };
  if (json.length > 0) walk(json, 0);
  return new ArrayValue(elements, lengths);
}
