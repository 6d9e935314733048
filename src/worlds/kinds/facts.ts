/**
 * Properties of an object, or (`attnum` above 0) of a column, that affect no query result and are only shown by the catalogs.
 * For an index, `collations` has one entry per column.
 */
import { factsKey } from './keys.ts';
import { type Kind, noNumbers, nothing, titleOf } from './kind.ts';
import { onObject, type Reference, toColumns } from './reference.ts';

export interface FactsObject {
  what: 'facts';
  object: number;
  attnum: number;
  /** WITH (…), `name=value` each. */
  options?: string[];
  unlogged?: true;
  /** DISABLE TRIGGER ALL of a table: its foreign keys and those referencing it are not enforced. */
  unenforced?: true;
  /** REPLICA IDENTITY of a table, or that an index is it. */
  replica?: 'f' | 'n' | 'i';
  /** CLUSTER ON of an index. */
  clustered?: true;
  statistics?: number;
  storage?: 'p' | 'e' | 'm' | 'x';
  compression?: 'p' | 'l';
  collation?: string;
  collations?: (string | null)[];
  /** INCLUDE columns of a primary key. */
  include?: number[];
}

export const FACTS: Kind<FactsObject> = {
  key: ({ object, attnum }) => factsKey(object, attnum),
  numberName: nothing,
  numbers: noNumbers,
  references,
  words: () => 'storage parameters',
  path: ({ object, attnum }, names) => `storage:${names.object(object, attnum)}`,
  title: ({ object, attnum }, names) => `storage parameters of ${titleOf(names, object, attnum)}`,
  scopedName: nothing,
  note: true,
};

/** The collation belongs to the object: DROP COLLATION searches for it. */
function references({ object, attnum, collation, collations, include }: FactsObject): Reference[] {
  const out = [onObject(object, attnum), ...toColumns(object, include ?? [], { walked: 'neither' })];
  for (const name of [collation, ...(collations ?? [])]) if (name != null) out.push({ to: 'collation', name, how: 'needs', walked: 'drop' });
  return out;
}
