/** The optimizer's view of the data: counts from trees and small samples. */
import type { Access, Plan } from '../logical.ts';
import type { Index, SqlTable } from '../../schema/table.ts';
import type { Value } from '../../types/value.ts';
import type { Bound } from '../bound.ts';

export interface Statistics {
  rows(table: SqlTable): number;
  /** Estimated number of distinct values of a column. */
  distinct(table: SqlTable, column: number): number;
  /** The same of several columns together. */
  together?(table: SqlTable, columns: readonly number[]): number;
  /** Rows that an access path reads, if its bounds are constants and the tree can count them; otherwise null. */
  accessRows(table: SqlTable, access: Access): number | null;
  /** The share of sampled rows whose value in the column passes; nulls do not. null if unknown. */
  share?(table: SqlTable, column: number, passes: (value: Value) => boolean): number | null;
  /** The definition of a common table of a WITH around or in the plan. */
  common?(number: number): Plan | undefined;
  /** Condition of a partial index over columns given by their ids, or null if it does not bind. */
  condition?(table: SqlTable, index: Index, columnId: (column: number) => number): Bound | null;
  /** The same for the expression of an index column. */
  expression?(table: SqlTable, index: Index, at: number, columnId: (column: number) => number): Bound | null;
}

export const NO_STATISTICS: Statistics = {
  rows: () => 1000,
  distinct: () => 100,
  accessRows: () => null,
};
