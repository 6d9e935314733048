/** The name of a type, as written. */
import type { Expression } from './expression.ts';

/** `int` is `pg_catalog.int4`, `varchar(3)` is `pg_catalog.varchar` with one modifier: SQL keywords are qualified, other names are as written. */
export interface TypeName {
  schema: string | null;
  /** For `%TYPE`: the parts of the column's name before the last are in `table`. */
  name: string;
  /** In parentheses after the name. An interval's first one is its field mask, as in pg_attribute. */
  typmods: Expression[];
  /** One per dimension: its written size, or -1. */
  arrayBounds: number[];
  setOf: boolean;
  /** `table.column%TYPE`: the names before the column; null for other types. */
  columnOf: string[] | null;
  at: number;
}
