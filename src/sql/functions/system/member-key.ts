/** Row keys in a table with descendants: the row's table, and its key there. Not callable by name. */
import type { ScalarFunction } from '../define.ts';

/** As schema/hierarchy.ts reads it. */
export const MEMBER_KEY: ScalarFunction = {
  kind: 'scalar',
  name: 'member key',
  args: ['oid', 'any'],
  returns: 'text',
  doc: 'Key of a row among those of all tables below one',
  impl: (table: number, key: number | bigint | string) => (typeof key === 'string' ? `${table}:t${key}` : `${table}:n${key}`),
};

export const MEMBER_OF_KEY: ScalarFunction = {
  kind: 'scalar',
  name: 'member of key',
  args: ['text'],
  returns: 'oid',
  doc: 'The table that such a key names',
  impl: (key: string) => Number(key.slice(0, key.indexOf(':'))),
};
