/** CHECK of a table. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable, ownNumber } from './kind.ts';
import { ofTable, toColumns } from './reference.ts';

export interface CheckObject {
  what: 'check';
  number: number;
  table: number;
  name: string;
  condition: string;
  /** Numbers of the columns that it reads. */
  columns: number[];
  /** NOT VALID: existing rows were not checked. */
  notValid?: true;
  /** Number of parents that have it; omitted for none. */
  inherited?: number;
  notLocal?: true;
  noInherit?: true;
}

export const CHECK: Kind<CheckObject> = {
  key: ({ table, number }) => `k${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('check', String(table), name),
  numbers: ownNumber,
  references: ({ table, columns }) => [ofTable(table), ...toColumns(table, columns)],
  address: ({ table, name }) => ({ kind: 'constraint', table, name }),
  codeHolder: ofItsTable,
  words: ({ name }) => `constraint ${name}`,
  path: ({ table, name }, names) => `constraint:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `constraint\0${table}\0${name}`,
  affects: { checked: (check) => check },
};
