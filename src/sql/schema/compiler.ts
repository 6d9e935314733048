/** SQL text of definitions made runnable: the binder and the executor give this, the schema layer only calls it. */
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { Schema } from './schema.ts';
import type { SqlTable } from './table.ts';

export interface Compiler {
  /** The compiler that knows the functions of these definitions; left out where it does already. */
  within?(schema: Schema): Compiler;
  /** A condition over a row of the table (one value a column). */
  check(table: SqlTable, sql: string): (row: readonly Value[]) => boolean | null;
  /** An expression over a row of the table; `type` is what it must give (defaults are coerced to their column). */
  expression(table: SqlTable, sql: string, type: SqlType, typmod: number): (row: readonly Value[]) => Value;
  /** The text of a condition that is kept as a query of one item. */
  condition(sql: string): string;
  /** The text of an expression over the table, with columns renamed. */
  renamed(sql: string, table: string, names: ReadonlyMap<string, string>): string;
}
