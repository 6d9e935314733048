/**
 * Rows between pipelines: one plain array per column, null for SQL's null. A cursor gives non-empty batches; YIELD in between means
 * that the time slice is over and that the caller should let the event loop run first.
 */
import type { Value } from '../types/value.ts';

export const YIELD: unique symbol = Symbol('yield');
export type Yield = typeof YIELD;

export interface Batch {
  count: number;
  columns: Value[][];
}

export type Batches = Generator<Batch | Yield, void>;
export type Steps = Generator<Yield, void>;

/** Target number of rows of a batch that is filled row by row. */
export const BATCH_ROWS = 1024;

export function emptyBatch(width: number): Batch {
  const columns: Value[][] = [];
  for (let i = 0; i < width; i++) columns.push([]);
  return { count: 0, columns };
}

export interface Cursor {
  /** A batch of rows, YIELD, or null at the end. */
  next(): Batch | Yield | null;
  /** Ends early: nothing more is read. */
  close(): void;
}
