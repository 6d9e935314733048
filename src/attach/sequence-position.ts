/** Where a sequence of `main` is to be, so that it gives no key that the source gave. */
import { quoteIdentifier, quoteNames } from '../base/quote-identifier.ts';
import type { SourceSequence } from './source-types.ts';

/** A table of the source, as it is read or as it is kept: their names of the table's own name differ. */
export interface SequenceTable {
  readonly oid: number;
  readonly schema: string;
  readonly columns: readonly { readonly name: string; readonly attnum: number }[];
}

/**
 * An SQL expression: the last value that the sequence gave in the source; of one that the role may not read, the last key of its column in
 * `main`, which is null in an empty table. Null: it gave none, or neither is known.
 */
export function positionOf<T extends SequenceTable>(
  { last, readable, owner, increment }: SourceSequence,
  tables: readonly T[],
  nameOf: (table: T) => string,
): string | null {
  if (last !== null) return last;
  const table = tables.find(({ oid }) => oid === owner?.table);
  const column = table?.columns.find(({ attnum }) => attnum === owner?.attnum);
  if (readable || table === undefined || column === undefined) return null;
  return `SELECT ${goesDown({ increment }) ? 'min' : 'max'}(${quoteIdentifier(column.name)}) FROM ${quoteNames([table.schema, nameOf(table)])}`;
}

export function goesDown({ increment }: Pick<SourceSequence, 'increment'>): boolean {
  return increment.startsWith('-');
}
