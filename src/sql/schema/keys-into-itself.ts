/**
 * Foreign keys of a table, or of its partitions, that may reference rows of the same statement: in the table itself, a partition of
 * it or a table above it.
 */
import type { Schema } from './schema.ts';
import type { ForeignKey, SqlTable } from './table.ts';

export function keysIntoItself(schema: Schema, table: SqlTable): ForeignKey[] {
  const below = [table];
  for (const each of below) if (each.inheritance?.partitionBy != null) below.push(...schema.children(each.number));
  const numbers = new Set(below.map(({ number }) => number));
  for (let up = table.inheritance?.parents ?? []; up.length > 0; up = up.flatMap((number) => schema.tables.get(number)?.inheritance?.parents ?? [])) {
    for (const number of up) numbers.add(number);
  }
  return below.flatMap(({ foreignKeys }) => foreignKeys).filter(({ target }) => numbers.has(target));
}
