/** A field of documents in a table, with the widest type seen so far. */
import { columnDefinitionKey } from './keys.ts';
import { type Kind, nothing, ownNumber } from './kind.ts';
import { toRelation } from './reference.ts';

/** Types of document fields; `unknown` while only nulls were seen. */
export type DocumentType = 'unknown' | 'boolean' | 'bigint' | 'double precision' | 'text' | 'jsonb';

export interface ColumnObject {
  what: 'column';
  number: number;
  table: number;
  name: string;
  type: DocumentType;
}

export const DOCUMENT_COLUMN: Kind<ColumnObject> = {
  key: ({ table, number }) => columnDefinitionKey(table, number),
  numberName: ({ table, name }) => `${table}\0${name}`,
  numbers: ownNumber,
  references: ({ table }) => [toRelation(table, { how: 'part', walked: 'neither' })],
  words: ({ name }) => `column ${name}`,
  path: ({ table, name }, names) => `column:${names.table(table)}.${name}`,
  scopedName: nothing,
};
