/** CREATE TYPE with input and output functions: a base type. Without them it is a shell type, which cannot be used yet. */
import { FIRST_OWN_OID } from '../../base/first-own-oid.ts';
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItself, scoped } from './kind.ts';
import { inSchema, type Reference, toNumbered, toType } from './reference.ts';

export interface BaseObject {
  what: 'base';
  number: number;
  /** 0 for a shell. */
  array: number;
  schema: string;
  name: string;
  /** null: a shell. */
  made: BaseTypeParts | null;
}
export interface BaseTypeParts {
  /** Oid of the system type read by the input function, which represents the values. */
  over: number;
  /** Oid of the system type whose text the output function returns. */
  shown: number;
  /** Oids of functions; 0: none. */
  input: number;
  output: number;
  receive: number;
  send: number;
  analyze: number;
  /** As in pg_type. */
  length: number;
  byValue: boolean;
  align: string;
  storage: string;
  category: string;
  preferred: boolean;
  delimiter: string;
  collatable: boolean;
  /** Text of a value. */
  default: string | null;
}

export const BASE: Kind<BaseObject> = {
  key: ({ number }) => `ub${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('base', schema, name),
  numbers: ({ number, array }) => (array === 0 ? [number] : [number, array]),
  furtherNames: ({ schema, name, array }) => (array === 0 ? [] : [[namedNumberName('base array', schema, name), array]]),
  references,
  address: ({ number }) => ({ kind: 'type', number }),
  codeHolder: ofItself,
  words: ({ name }) => `type ${name}`,
  path: ({ schema, name }) => `type:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `type\0${schema}\0${name}`,
};

function references({ schema, made }: BaseObject): Reference[] {
  const out = [inSchema(schema)];
  if (made === null) return out;
  for (const oid of [made.input, made.output, made.receive, made.send, made.analyze]) {
    if (oid >= FIRST_OWN_OID) out.push(toNumbered('routine', oid, { walked: 'drop' }));
  }
  out.push(toType(made.over, { walked: 'neither' }), toType(made.shown, { walked: 'neither' }));
  return out;
}
