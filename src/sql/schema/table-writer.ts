/**
 * What INSERT, UPDATE and DELETE write through. One writer a table and statement: it checks not-null, check,
 * unique and key constraints as rows arrive (what is deferred or needs the whole statement when it ends),
 * and gathers the changes; nothing is changed in the trees before the statement is done.
 */
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';
import type { Index } from './table.ts';

export type RowChecker = (row: readonly Value[]) => void;

export interface TableWriter {
  /** Whether BEFORE triggers look at rows that are to be inserted. */
  readonly proposes: boolean;
  /** The row as they leave it; null where they pass it over. To be asked before `conflict` and `insert`. */
  propose(row: readonly Value[]): readonly Value[] | null;
  /** The row (one value a column, coerced); 23502, 23505, 23514. Gives its key. */
  insert(row: readonly Value[]): Key;
  /** The same of a row whose key nobody asks for. */
  add(row: readonly Value[]): void;
  /** Key of the row that stands in the way of this one, or null. `null` looks at the key and every unique index. */
  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null;
  /** The row as the statement's own writes leave it; null where it is gone. */
  read(key: Key): Value[] | null;
  /** Whether this statement has written the row already. */
  written(key: Key): boolean;
  /** Columns by index, with their new values; the key changes where its columns do. Gives the new row, null where a trigger passed it over. `check` is asked of it before it is written. */
  update(key: Key, columns: readonly number[], values: readonly Value[], check?: RowChecker): readonly Value[] | null;
  /** The key that a row has after an update, in a writer to several tables. */
  keyAfter?(key: Key): Key;
  /**
   * Changes a row that nobody asks for afterwards: false, and nothing done, where `update` must do it. Neither list is kept, but
   * the columns of a statement are always the same list.
   */
  change(key: Key, columns: readonly number[], values: readonly Value[]): boolean;
  /** False where a trigger kept the row. */
  delete(key: Key): boolean;
}
