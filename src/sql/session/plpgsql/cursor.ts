/** A cursor variable's declaration: the query of a bound cursor. */
import type { Fragment } from '../../plpgsql/syntax.ts';
import type { SqlType } from '../../types/type.ts';

export interface OpenCursor {
  readonly query: Fragment;
  readonly args: readonly { readonly name: string; readonly type: SqlType; readonly typmod: number }[];
  readonly scroll: boolean | null;
}
