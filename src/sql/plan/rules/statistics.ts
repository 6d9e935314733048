/** What the optimizer may know of the data: counts of trees and small samples of them. */
import type { Access, Plan } from '../logical.ts';
import type { Index, SqlTable } from '../../schema/table.ts';
import type { Value } from '../../types/value.ts';
import type { Bound } from '../bound.ts';

export interface Statistics {
  rows(table: SqlTable): number;
  /** Estimated number of different values of a column. */
  distinct(table: SqlTable, column: number): number;
  /** The same of several columns taken together. */
  together?(table: SqlTable, columns: readonly number[]): number;
  /** Rows that an access reads, where its bounds are constants and the tree can tell; else null. */
  accessRows(table: SqlTable, access: Access): number | null;
  /** Share of a sample of the table's rows whose value in the column passes; nulls do not. null where nothing is known. */
  share?(table: SqlTable, column: number, passes: (value: Value) => boolean): number | null;
  /** What a common table of a WITH around or in the plan is defined as. */
  common?(number: number): Plan | undefined;
  /** Condition of a partial index over columns given by their ids, or null where it cannot be bound. */
  condition?(table: SqlTable, index: Index, columnId: (column: number) => number): Bound | null;
  /** The same of the expression in the place of an index's column. */
  expression?(table: SqlTable, index: Index, at: number, columnId: (column: number) => number): Bound | null;
}

export const NO_STATISTICS: Statistics = {
  rows: () => 1000,
  distinct: () => 100,
  accessRows: () => null,
};
