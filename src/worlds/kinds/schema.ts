/** CREATE SCHEMA. */
import { namedNumberName, schemaKey } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';

export interface SchemaObject {
  what: 'schema';
  number: number;
  name: string;
}

export const SCHEMA: Kind<SchemaObject> = {
  key: ({ number }) => schemaKey(number),
  numberName: ({ name }) => namedNumberName('schema', '', name),
  numbers: ownNumber,
  references: () => [],
  address: ({ number }) => ({ kind: 'schema', number }),
  words: ({ name }) => `schema ${name}`,
  path: ({ name }) => `schema:${name}`,
  scopedName: ({ name }) => `schema\0${name}`,
};
