/** CREATE RULE. Texts qualify relations with their schemas; renames rewrite them like views. */
import { namedNumberName, pad } from './keys.ts';
import { type Kind, ofItsTable, ownNumber } from './kind.ts';
import { onRelation, toUsed } from './reference.ts';

export interface RuleObject {
  what: 'rule';
  number: number;
  /** Number of its table or view. */
  table: number;
  name: string;
  event: 'insert' | 'update' | 'delete';
  instead: boolean;
  /** SQL text over the rows OLD and NEW. */
  where: string | null;
  /** One statement each; empty: NOTHING. */
  actions: string[];
  /** Numbers of the relations and functions named in the texts, with their columns. */
  uses: { object: number; columns: number[] }[];
  /** session_replication_role in which it applies; omitted: origin and local. */
  fires?: 'always' | 'replica' | 'never';
}

export const RULE: Kind<RuleObject> = {
  key: ({ table, number }) => `ur${pad(table)}${pad(number)}`,
  numberName: ({ table, name }) => namedNumberName('rule', String(table), name),
  numbers: ownNumber,
  references: ({ table, uses }) => [onRelation(table), ...toUsed(uses)],
  address: ({ table, name }) => ({ kind: 'rule', table, name }),
  codeHolder: ofItsTable,
  words: ({ name }) => `rule ${name}`,
  path: ({ table, name }, names) => `rule:${names.table(table)}.${name}`,
  scopedName: ({ table, name }) => `rule\0${table}\0${name}`,
};
