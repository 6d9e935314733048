/** A field of documents in a table, with the widest type seen so far. */
import { columnDefinitionKey } from './keys.ts';
import { type Kind, nothing, ownNumber } from './kind.ts';
import { toRelation } from './reference.ts';

/** Types of document fields; `unknown` while only nulls were seen. */
export type DocumentType = 'unknown' | 'boolean' | 'bigint' | 'double precision' | 'text' | 'jsonb';

/** Oids of the columns' types. */
export const FIELD_OIDS = { unknown: 25, boolean: 16, bigint: 20, 'double precision': 701, text: 25, jsonb: 3802 } satisfies Record<DocumentType, number>;

/** The narrowest type that can hold values of both. */
export function widestField(a: DocumentType, b: DocumentType): DocumentType {
  if (a === b || b === 'unknown') return a;
  if (a === 'unknown') return b;
  const numbers = (a === 'bigint' || a === 'double precision') && (b === 'bigint' || b === 'double precision');
  return numbers ? 'double precision' : 'jsonb';
}

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
