/** A table of documents, without a schema of its own. */
import { type Kind, ownNumber } from './kind.ts';
import { tableDefinitionKey } from './keys.ts';
import { inSchema } from './reference.ts';

export interface TableObject {
  what: 'table';
  number: number;
  name: string;
  document: true;
}

export const DOCUMENT_TABLE: Kind<TableObject> = {
  key: ({ number }) => tableDefinitionKey(number),
  numberName: ({ name }) => name,
  numbers: ownNumber,
  references: () => [inSchema('public')],
  address: ({ number }) => ({ kind: 'table', number }),
  words: ({ name }) => `table ${name}`,
  path: ({ name }) => `table:${name}`,
  scopedName: ({ name }) => `relation\0public\0${name}`,
};
