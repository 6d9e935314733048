/** A table of a publication. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ownNumber } from './kind.ts';
import { inText, ofTable, toColumns, toNumbered } from './reference.ts';

export interface PublicationTableObject {
  what: 'publication table';
  number: number;
  publication: number;
  table: number;
  /** Column numbers, by attnum; null: all. */
  columns: number[] | null;
  /** SQL text. */
  where: string | null;
}

export const PUBLICATION_TABLE: Kind<PublicationTableObject> = {
  key: ({ table, number }) => `ut${pad(table)}${pad(number)}`,
  numberName: ({ publication, table }) => namedNumberName('publication table', String(publication), String(table)),
  numbers: ownNumber,
  references: ({ publication, table, columns, where }) => [
    ofTable(table),
    // DROP PUBLICATION removes its members silently.
    toNumbered('publication', publication, { how: 'part', walked: 'merge', called: 'its publication' }),
    ...toColumns(table, columns ?? [], { how: 'needs' }),
    ...inText(table, where),
  ],
  address: ({ number }) => ({ kind: 'publication table', number }),
  words: () => 'a table of a publication',
  path: ({ publication, table }, names) => `publication table:${names.object(publication).replace(/^publication:/, '')}.${names.table(table)}`,
  scopedName: ({ publication, table }) => `publication table\0${publication}\0${table}`,
};
