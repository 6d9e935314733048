/** ALTER TABLE … ROW LEVEL SECURITY; a table without this row has none. */
import { rowSecurityKey } from './keys.ts';
import { type Kind, noNumbers, nothing } from './kind.ts';
import { ofTable } from './reference.ts';

export interface RowSecurityObject {
  what: 'row security';
  table: number;
  enabled: boolean;
  forced: boolean;
}

export const ROW_SECURITY: Kind<RowSecurityObject> = {
  key: ({ table }) => rowSecurityKey(table),
  numberName: nothing,
  numbers: noNumbers,
  references: ({ table }) => [ofTable(table)],
  words: () => 'row security',
  path: ({ table }, names) => `row security:${names.table(table)}`,
  title: ({ table }, names) => `row security of table ${names.table(table)}`,
  scopedName: nothing,
};
