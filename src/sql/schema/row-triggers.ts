/**
 * What fires while a statement writes rows, as writers know it: the session decides what that is and runs it. Rows are in
 * the order of the table's columns. A table for which nothing fires has none of this.
 */
import type { Key } from '../../tree/datum.ts';
import type { TriggerEvent } from '../../worlds/definition.ts';
import type { Value } from '../types/value.ts';
import type { SqlTable } from './table.ts';

type Row = readonly Value[];

export interface RowTriggers {
  readonly beforeInsert: boolean;
  readonly beforeUpdate: boolean;
  readonly beforeDelete: boolean;
  /** Name of the trigger that was called last. */
  readonly called: string;
  /** The row as it is to be, or null: it is passed over. `moving`: it comes from another partition. */
  inserting(row: Row, moving: boolean): Row | null;
  updating(old: Row, row: Row, columns: readonly number[]): Row | null;
  deleting(old: Row): boolean;
  /** `moving`: the row comes from another partition. */
  inserted(key: Key, row: Row, moving: boolean): void;
  /** `columns`: those that the statement sets. `fresh`: the statement has inserted the row itself. */
  updated(key: Key, old: Row, row: Row, columns: readonly number[], fresh: boolean): void;
  /** `moving`: it goes to another partition. */
  deleted(key: Key, old: Row, fresh: boolean, moving: boolean): void;
}

/** Triggers of one statement. */
export interface StatementHooks {
  /** Nothing fires for what the statement has written. */
  readonly idle: boolean;
  /** What fires for rows of a table; null where nothing does. */
  rows(table: SqlTable): RowTriggers | null;
  /** The statement is about to do this to the table (or view) that it names; `columns`: those that it sets. */
  begin(table: SqlTable, events: readonly TriggerEvent[], columns?: readonly number[] | null): void;
  /** All rows are written, but for what foreign keys do; said again after they did. */
  ended(): void;
}
