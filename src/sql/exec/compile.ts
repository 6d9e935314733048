/** Compiles a plan to an executable, once for any number of runs; each run has its own context and gives a cursor. */
import { LONG_CALL } from './long-call.ts';
import type { OutputColumn, Plan } from '../plan/logical.ts';
import { inputsOf } from '../plan/rules/walk.ts';
import { YIELD, type Batch, type Cursor, type Yield } from './batch.ts';
import { Compilation } from './compilation.ts';
import type { ExecContext } from './context.ts';
import { withinStack } from './emitter.ts';
import type { Run } from './run.ts';
import { batchBytes } from './spill-codec.ts';

export interface AnalyzedCursor extends Cursor {
  /** The caller keeps the batch: its rows count towards the statement's memory; 53200. */
  hold(batch: Batch): void;
  /** Rows that a plan node has given so far, if the plan was compiled for EXPLAIN ANALYZE. */
  rowsOf(plan: Plan): number | undefined;
  /** The part of these that was not read, since zone maps excluded them. */
  skippedOf(plan: Plan): number | undefined;
}

export interface Executable {
  readonly columns: readonly OutputColumn[];
  run(context: ExecContext): AnalyzedCursor;
  /** The generated functions, for tests and inspection. */
  code(): string[];
}

export interface CompileOptions {
  /** Counts the rows of each node, for EXPLAIN ANALYZE. */
  readonly analyze?: boolean;
}

/** The cursor of one row, looked up by key or written: it has no intermediate state to clean up. */
class OneRow implements AnalyzedCursor {
  readonly #one: (run: Run) => Batch | null;
  readonly #run: Run;
  readonly #c: Compilation;
  #done = false;

  /** Opened if the row cannot be read at once. */
  readonly #inSteps: (() => AnalyzedCursor) | null;
  #opened: AnalyzedCursor | null = null;

  constructor(one: (run: Run) => Batch | null, run: Run, c: Compilation, inSteps: (() => AnalyzedCursor) | null = null) {
    this.#inSteps = inSteps;
    this.#one = one;
    this.#run = run;
    this.#c = c;
  }

  next(): Batch | Yield | null {
    if (this.#opened !== null) return this.#opened.next();
    if (this.#done) return null;
    this.#done = true;
    try {
      return this.#one(this.#run);
    } catch (error) {
      if (error !== LONG_CALL || this.#inSteps === null) throw error;
      this.#opened = this.#inSteps();
    } finally {
      this.#run.close();
    }
    return this.#opened.next();
  }

  close(): void {
    this.#done = true;
    this.#opened?.close();
  }

  hold(batch: Batch): void {
    this.#opened?.hold(batch);
  }

  rowsOf(node: Plan): number | undefined {
    if (this.#opened !== null) return this.#opened.rowsOf(node);
    return rowsCounted(this.#c, this.#run, node);
  }

  skippedOf(): undefined {
    return undefined;
  }
}

function rowsCounted(c: Compilation, run: Run, node: Plan): number | undefined {
  const state = c.counted.get(node);
  if (state === undefined) return undefined;
  const { rows, never } = run.states[state] as { rows: number; never?: boolean };
  return never === true ? undefined : rows;
}

/** By number: code for other tables would be compiled for columns of other kinds. */
function tablesRead(plan: Plan): string {
  const numbers: number[] = [];
  const stack: Plan[] = [plan];
  for (let p = stack.pop(); p !== undefined; p = stack.pop()) {
    if (p.op === 'scan') numbers.push(p.table.number);
    stack.push(...inputsOf(p));
  }
  return numbers.join();
}

export function compile(plan: Plan, options: CompileOptions = {}): Executable {
  const c = new Compilation(options.analyze === true, tablesRead(plan));
  const rows = withinStack(() => c.rows(plan));
  return {
    columns: plan.columns,
    run(context) {
      const once = rows.one ?? rows.unlessLong;
      if (once === undefined) return opened(context);
      return new OneRow(once, c.newRun(context, true), c, rows.one === undefined ? () => opened(context) : null);
    },
    code: () => c.pipelines.map((p) => p.code()),
  };

  function opened(context: ExecContext): AnalyzedCursor {
    const run = c.newRun(context);
    const batches = rows.open(run);
    let fresh = false;
    return {
      next(): Batch | Yield | null {
        if (fresh) {
          fresh = false;
          try {
            context.checkCancel();
          } catch (error) {
            batches.return(undefined);
            run.close();
            throw error;
          }
          run.newSlice();
        }
        let next: IteratorResult<Batch | Yield, void>;
        try {
          next = batches.next();
        } catch (error) {
          run.close();
          throw error;
        }
        if (next.done === true) {
          run.close();
          return null;
        }
        if (next.value === YIELD) fresh = true;
        return next.value;
      },
      close() {
        batches.return(undefined);
        run.close();
      },
      hold: (batch) => run.hold(batchBytes(batch)),
      rowsOf: (node) => rowsCounted(c, run, node),
      skippedOf(node) {
        const state = c.counted.get(node);
        return state === undefined ? undefined : (run.states[state] as { skipped?: number }).skipped;
      },
    };
  }
}
