/** Converts JSON values for `$1 …` to the types of the statement's parameters. */
import { ExactNumber, exactJsonText } from '../../base/exact-json.ts';
import type { ArgumentNames } from '../bind/binder.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { numberText } from '../schema/json-value.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

/** Parsed values, of the types that the statement was prepared with. */
export interface TypedParameters {
  readonly types: readonly SqlType[];
  readonly values: readonly Value[];
  /** The argument names, if the statement is in a function. */
  readonly names?: ArgumentNames;
}
export type Parameters = readonly unknown[] | TypedParameters;

export function areTyped(params: Parameters): params is TypedParameters {
  return !Array.isArray(params);
}

/** 08P01: values and parameters do not match. */
export function unnamedParameters(given: number, needed: number): SvcError {
  return new SvcError('08P01', `the statement needs ${needed} parameters, ${given} were given`, { hint: 'Give one value in `params` for each $n.' });
}

export function parameterValues(given: readonly unknown[], types: readonly SqlType[], env: Environment): Value[] {
  if (given.length !== types.length) throw unnamedParameters(given.length, types.length);
  return types.map((type, i) => parameterValue(given[i], type, env, i + 1));
}

function parameterValue(value: unknown, type: SqlType, env: Environment, number: number): Value {
  if (value === null || value === undefined) return null;
  if (type.name === 'json' || type.name === 'jsonb') return type.parse(typeof value === 'string' ? value : exactJsonText(value), -1, env);
  if (value instanceof ExactNumber) return type.parse(numberText(value, type), -1, env);
  switch (typeof value) {
    case 'string':
      return type.parse(mustBeText(value), -1, env);
    case 'number':
    case 'bigint':
    case 'boolean':
      return type.parse(String(value), -1, env);
    default:
      if (Array.isArray(value) && type.element !== null) return type.parse(mustBeText(arrayText(value)), -1, env);
      if (type.category === 'S') return exactJsonText(value);
      throw new SvcError('22023', `params[${number - 1}] is an object, but $${number} has type ${type.title}`);
  }
}

/** SQL texts cannot contain NUL. */
function mustBeText(text: string): string {
  if (text.includes('\0')) throw new SvcError('22021', 'invalid byte sequence for encoding "UTF8": 0x00');
  return text;
}

/** A JSON array in Postgres's array syntax. */
function arrayText(values: readonly unknown[]): string {
  const item = (value: unknown): string => {
    if (value === null || value === undefined) return 'NULL';
    if (Array.isArray(value)) return arrayText(value);
    const text = typeof value === 'object' && !(value instanceof ExactNumber) ? exactJsonText(value) : String(value as string | number | boolean | ExactNumber);
    return `"${text.replace(/["\\]/g, '\\$&')}"`;
  };
  return `{${values.map(item).join(',')}}`;
}
