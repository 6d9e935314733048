/**
 * A tool's input as models' interfaces take it: `type`, `description`, `enum`, `properties`, `required`, `items`, and `anyOf` of
 * different types. Lengths, bounds and patterns are checked here and named by the error, and are not listed: several interfaces refuse
 * them, and each costs tokens in every session.
 */
import type { TSchema } from 'typebox';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly patternProperties?: unknown;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Any value. Not all of them take `{}`. */
const ANY = ['string', 'number', 'boolean', 'object', 'null'].map((type) => ({ type }));

export function listedSchema(schema: TSchema): object {
  const { description, ...rest } = listed(schema as Schema) as { description?: string };
  const text = description === undefined || description === '' ? {} : { description };
  return { ...rest, ...text };
}

function listed(schema: Schema): object {
  const { description } = schema;
  return { ...shape(schema), ...(description === undefined || description === '' ? {} : { description }) };
}

function shape(schema: Schema): object {
  const { type, anyOf, properties, items, required = [] } = schema;
  if (schema.const !== undefined) return { type: typeof schema.const, enum: [schema.const] };
  if (schema.enum !== undefined) return { type: type ?? typeof schema.enum[0], enum: schema.enum };
  if (anyOf !== undefined) {
    if (anyOf.every((each) => each.const !== undefined)) return { type: typeof anyOf[0].const, enum: anyOf.map((each) => each.const) };
    return { anyOf: anyOf.map(listed) };
  }
  if (type === 'array') return { type, items: items === undefined || Object.keys(items).length === 0 ? { anyOf: ANY } : shape(items) };
  if (type === 'object') {
    if (properties === undefined) return { type };
    const inner = Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, listed(each)]));
    const closed = schema.additionalProperties === false ? { additionalProperties: false } : {};
    return {
      type,
      ...(Object.keys(inner).length === 0 && schema.additionalProperties !== false ? {} : { properties: inner }),
      ...(required.length === 0 ? {} : { required }),
      ...closed,
    };
  }
  return type === undefined ? { anyOf: ANY } : { type };
}
