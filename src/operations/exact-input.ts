/**
 * Numbers that a double cannot hold, in the input of an operation or tool. Where any JSON is taken (records, conditions, parameters) they
 * stay as they were written; where the schema wants a number they become one, or are refused. Nothing is rounded.
 */
import type { TSchema } from 'typebox';
import { ExactNumber, plainNumber } from '../base/exact-json.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { setField } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

export function withPlainNumbers(schema: TSchema, value: unknown): unknown {
  return plain(schema as Schema, value, '');
}

function plain(schema: Schema, value: unknown, field: string): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof ExactNumber) return isAny(schema) ? value : numberOf(value, schema, field);
  if (schema.anyOf !== undefined) return plain(schema.anyOf.find((each) => fits(each, value)) ?? {}, value, field);
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : value.map((item) => plain(items, item, field));
  }
  const { properties, patternProperties } = schema;
  const others = patternProperties === undefined ? undefined : Object.values(patternProperties)[0];
  if (properties === undefined && (others === undefined || isAny(others))) return value;
  for (const [name, item] of Object.entries(value)) {
    const own = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : others;
    if (own === undefined) continue;
    const made = plain(own, item, field === '' ? name : `${field}.${name}`);
    if (made !== item) setField(value as Record<string, unknown>, name, made);
  }
  return value;
}

function isAny(schema: Schema): boolean {
  return schema.type === undefined && schema.const === undefined && schema.anyOf === undefined;
}

function fits(schema: Schema, value: object): boolean {
  return schema.type === (Array.isArray(value) ? 'array' : 'object');
}

/** The schema then judges it: where it wants a text, it says so. A vector's numbers are doubles. */
function numberOf(value: ExactNumber, schema: Schema, field: string): number {
  const number = plainNumber(value);
  if (number !== null) return number;
  const isOfNumbers = schema.type === undefined || schema.type === 'integer' || schema.type === 'number';
  if (!isOfNumbers || (schema.type === 'number' && Number.isFinite(Number(value.text)))) return Number(value.text);
  throw new SvcError('22003', `${field}: the number ${value.text.slice(0, 40)} is beyond what this field holds`, {
    hint: 'Integers go to ±(2^53 − 1) here.',
  });
}

/** The input of an operation that keeps plain JSON, such as metadata: numbers that a double cannot hold are refused. */
export function plainJson<T>(value: T, field = '', depth = 0): T {
  if (value instanceof ExactNumber) return numberOf(value, {}, field) as T;
  // What is deeper is refused by the operation.
  if (typeof value !== 'object' || value === null || depth > LIMITS.jsonDepthMax + 8) return value;
  for (const [name, item] of Object.entries(value)) {
    const made = plainJson(item as unknown, field === '' ? name : `${field}.${name}`, depth + 1);
    if (made !== item) setField(value as Record<string, unknown>, name, made);
  }
  return value;
}
