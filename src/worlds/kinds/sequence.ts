/** CREATE SEQUENCE, and sequences of identity and serial columns. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber, scoped } from './kind.ts';
import { inSchema, type Reference, toRelation, toType } from './reference.ts';

export interface SequenceObject {
  what: 'sequence';
  number: number;
  schema: string;
  name: string;
  /** Oid of int2, int4 or int8. */
  type: number;
  /** Integers as text: they may exceed 2^53. */
  increment: string;
  min: string;
  max: string;
  start: string;
  cache: number;
  cycle: boolean;
  ownedBy: { table: number; column: number } | null;
}

export const SEQUENCE: Kind<SequenceObject> = {
  key: ({ number }) => `q${pad(number)}`,
  numberName: ({ schema, name }) => namedNumberName('sequence', schema, name),
  numbers: ownNumber,
  references,
  address: ({ number }) => ({ kind: 'sequence', number }),
  words: ({ name }) => `sequence ${name}`,
  path: ({ schema, name }) => `sequence:${scoped(schema, name)}`,
  scopedName: ({ schema, name }) => `relation\0${schema}\0${name}`,
};

function references({ schema, type, ownedBy }: SequenceObject): Reference[] {
  const out: Reference[] = [];
  if (ownedBy !== null) {
    const { table, column } = ownedBy;
    out.push({ to: 'column', table, column, how: 'part', called: 'its column' }, toRelation(table, { how: 'part', walked: 'drop' }));
  }
  // A sequence owned by a column is dropped with its table, not directly with the schema.
  out.push(inSchema(schema, ownedBy === null ? {} : { walked: 'merge' }), toType(type, { walked: 'neither' }));
  return out;
}
