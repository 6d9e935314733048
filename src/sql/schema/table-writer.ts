/**
 * The interface for INSERT, UPDATE and DELETE. One writer per table and statement: it checks not-null, check, unique and key
 * constraints as rows arrive (deferred ones, and those over the whole statement, at its end), and collects the changes; trees are
 * not changed before the statement is done.
 */
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';
import type { Index } from './table.ts';

export type RowChecker = (row: readonly Value[]) => void;

export interface TableWriter {
  /** Whether BEFORE triggers exist for inserted rows. */
  readonly proposes: boolean;
  /** The row after BEFORE triggers; null if they skip it. Called before `conflict` and `insert`. */
  propose(row: readonly Value[]): readonly Value[] | null;
  /** The row (one coerced value per column); 23502, 23505, 23514. Gives its key. */
  insert(row: readonly Value[]): Key;
  /** The same without returning the key. */
  add(row: readonly Value[]): void;
  /** Key of the row that conflicts with this one, or null. `null` checks the key and every unique index. */
  conflict(row: readonly Value[], arbiter: Index | 'key' | null): Key | null;
  /** The current version of the row, including the statement's own writes; null if it was deleted. */
  read(key: Key): Value[] | null;
  /** Whether this statement has written the row already. */
  written(key: Key): boolean;
  /**
   * Columns by index, with their new values; the key changes if its columns do. Gives the new row, null if a trigger skipped it.
   * `check` is called before it is written.
   */
  update(key: Key, columns: readonly number[], values: readonly Value[], check?: RowChecker): readonly Value[] | null;
  /** The key of a row after an update, in a writer to several tables. */
  keyAfter?(key: Key): Key;
  /**
   * Changes a row without returning it: false, without effect, if `update` has to do it. Neither list is retained, but a statement
   * always passes the same list of columns.
   */
  change(key: Key, columns: readonly number[], values: readonly Value[]): boolean;
  /** False if a trigger prevented it. */
  delete(key: Key): boolean;
}
