/**
 * A plan made executable. Compiled once and run any number of times; each run has a context of its own and
 * gives a cursor.
 */
import type { OutputColumn, Plan } from '../plan/logical.ts';
import { YIELD, type Batch, type Cursor, type Yield } from './batch.ts';
import { Compilation } from './compilation.ts';
import type { ExecContext } from './context.ts';

export interface Executable {
  readonly columns: readonly OutputColumn[];
  run(context: ExecContext): Cursor;
  /** The generated functions, for tests and for reading. */
  code(): string[];
}

export function compile(plan: Plan): Executable {
  const c = new Compilation();
  const rows = c.rows(plan);
  return {
    columns: plan.columns,
    run(context) {
      const run = c.newRun(context);
      const batches = rows.open(run);
      let fresh = false;
      return {
        next(): Batch | Yield | null {
          if (fresh) {
            fresh = false;
            context.checkCancel();
            run.newSlice();
          }
          const next = batches.next();
          if (next.done === true) return null;
          if (next.value === YIELD) fresh = true;
          return next.value;
        },
        close: () => void batches.return(undefined),
      };
    },
    code: () => c.pipelines.map((p) => p.code()),
  };
}
