/**
 * What INSERT, UPDATE and DELETE write through. One writer a table and statement: it checks not-null, check,
 * unique and key constraints as rows arrive (what is deferred or needs the whole statement when it ends),
 * and gathers the changes; nothing is changed in the trees before the statement is done.
 */
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';
import type { Index } from './table.ts';

export interface TableWriter {
  /** The row (one value a column, coerced); 23502, 23505, 23514. Gives its key. */
  insert(row: readonly Value[]): Key;
  /** Key of the row that stands in the way of this one, or null. `null` looks at the key and every unique index. */
  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null;
  /** The row as the statement's own writes leave it; null where it is gone. */
  read(key: Key): Value[] | null;
  /** Whether this statement has written the row already. */
  written(key: Key): boolean;
  /** Columns by index, with their new values; the key changes where its columns do. Gives the new row. */
  update(key: Key, columns: readonly number[], values: readonly Value[]): readonly Value[];
  /**
   * Changes a row that nobody asks for afterwards: false, and nothing done, where `update` must do it. Keys come in their
   * order. Neither list is kept.
   */
  change(key: Key, columns: readonly number[], values: readonly Value[]): boolean;
  delete(key: Key): void;
}
