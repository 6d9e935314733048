/**
 * Row triggers as table writers see them: the session decides which fire and runs them. Rows are in the order of the table's
 * columns. A table without triggers has no such object.
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
  /** Name of the last trigger that was called. */
  readonly called: string;
  /** The row to insert, or null to skip it. `moving`: it comes from another partition. */
  inserting(row: Row, moving: boolean): Row | null;
  updating(old: Row, row: Row, columns: readonly number[]): Row | null;
  deleting(old: Row): boolean;
  /** `moving`: the row comes from another partition. */
  inserted(key: Key, row: Row, moving: boolean): void;
  /** `columns`: those that the statement sets. `fresh`: the statement itself has inserted the row. */
  updated(key: Key, old: Row, row: Row, columns: readonly number[], fresh: boolean): void;
  /** `moving`: it goes to another partition. */
  deleted(key: Key, old: Row, fresh: boolean, moving: boolean): void;
}

/** Triggers of one statement. */
export interface StatementHooks {
  /** No trigger fires for what the statement has written. */
  readonly idle: boolean;
  /** The triggers for rows of a table; null if there are none. */
  rows(table: SqlTable): RowTriggers | null;
  /** Called before the statement writes to the table (or view) that it names; `columns`: those that it sets. */
  begin(table: SqlTable, events: readonly TriggerEvent[], columns?: readonly number[] | null): void;
  /** All rows are written, except by foreign keys; called again after those. */
  ended(): void;
}
