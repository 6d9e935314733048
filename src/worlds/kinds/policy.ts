/** CREATE POLICY. Texts are queries with one select item over the table, so that renames rewrite them like views. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable, ownNumber } from './kind.ts';
import { ofTable, toRole, toUsed } from './reference.ts';

export interface PolicyObject {
  what: 'policy';
  number: number;
  table: number;
  name: string;
  permissive: boolean;
  command: 'all' | 'select' | 'insert' | 'update' | 'delete';
  /** Oids of roles; 0 is PUBLIC. */
  roles: number[];
  using: string | null;
  check: string | null;
  /** Numbers of the relations, functions and types named in the texts, with their columns. */
  uses: { object: number; columns: number[] }[];
}

export const POLICY: Kind<PolicyObject> = {
  key: ({ table, number }) => `y${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('policy', String(table), name),
  numbers: ownNumber,
  references: ({ table, uses, roles }) => [ofTable(table), ...toUsed(uses), ...roles.map(toRole)],
  address: ({ table, name }) => ({ kind: 'policy', table, name }),
  codeHolder: ofItsTable,
  words: ({ name }) => `policy ${name}`,
  path: ({ table, name }, names) => `policy:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `policy\0${table}\0${name}`,
};
