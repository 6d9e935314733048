/** CREATE TYPE … AS (…). */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, scoped } from './kind.ts';
import { inSchema, toType } from './reference.ts';

export interface CompositeObject {
  what: 'composite';
  number: number;
  array: number;
  schema: string;
  name: string;
  /** Highest attnum ever assigned. Cells keep fields by attnum, so they stay readable when attributes are added and dropped. */
  attnums: number;
  attributes: { attnum: number; name: string; type: number; typmod: number }[];
}

export const COMPOSITE: Kind<CompositeObject> = {
  key: ({ number }) => `p${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('composite', schema, name),
  numbers: ({ number, array }) => [number, array],
  furtherNames: ({ schema, name, array }) => (array === 0 ? [] : [[namedNumberName('composite array', schema, name), array]]),
  references: ({ number, schema, attributes }) => [
    inSchema(schema),
    ...attributes.map(({ attnum, type }) => toType(type, { by: { kind: 'attribute', composite: number, attnum } })),
  ],
  address: ({ number }) => ({ kind: 'type', number }),
  words: ({ name }) => `type ${name}`,
  path: ({ schema, name }) => `type:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `type\0${schema}\0${name}`,
};
