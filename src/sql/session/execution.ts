/**
 * One run of a prepared query or write: batches of rows until null, then `finish`, which hands the changes to the transaction and
 * gives the command tag. The caller lets the event loop run at each YIELD (`SqlSession.pause`) and may pause while it holds the
 * transaction's state (`SqlSession.hold`).
 */
import type { Batch, Yield } from '../exec/batch.ts';
import { YIELD } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { Wanted } from '../exec/context.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { commitAhead, LARGE_ROWS, sliced } from './large-commit.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import { StatementSteps } from './statement-steps.ts';
import type { Transaction } from './transaction.ts';
import { triggersOf } from './triggers/statement-triggers.ts';

/** Trigger calls between two yields. */
const SOME_CALLS = 256;

export class Execution {
  readonly prepared: Prepared;
  /** Rows returned so far. */
  count = 0;
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #steps: StatementSteps;
  /** Runs inside a function: its writes are committed with the calling statement. */
  readonly #inside: boolean;

  /** `wanted`: the reader takes its rows some at a time, and no more are computed than it wants. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[], wanted?: Wanted) {
    this.prepared = prepared;
    this.#session = session;
    this.#inside = session.functionDepth > 0;
    const counts = prepared.writes !== null && prepared.columns.length === 0;
    this.#transaction = this.#inside ? session.nestedTransaction() : session.startStatement(prepared.byKeys, counts);
    if (!counts) session.recordDeferredReads();
    this.#steps = new StatementSteps(session, this.#transaction, prepared, params, wanted);
  }

  get cursor(): AnalyzedCursor {
    return this.#steps.cursor;
  }

  next(): Batch | Yield | null {
    const { authors } = this.#steps;
    return authors === null ? this.#batch() : this.#session.code.during(authors, () => this.#batch());
  }

  #batch(): Batch | Yield | null {
    for (;;) {
      const batch = this.#next();
      if (batch === YIELD) return batch;
      if (batch !== null) {
        if (!this.#steps.returnsRows) continue;
        this.count += batch.count;
        return batch;
      }
      if (this.#steps.isLast) return null;
      this.#endStep();
      this.#end = null;
      this.#written = false;
      this.#steps.advance();
    }
  }

  #next(): Batch | Yield | null {
    if (this.#end === null) {
      const batch = this.cursor.next();
      if (batch !== null) return batch;
      const { writes } = this.#steps;
      if (writes === null) {
        // Writes of functions that it called.
        if (this.#inside || this.#transaction.explicit || this.#transaction.work <= LARGE_ROWS || !this.#steps.isLast) return null;
        this.#end = commitAhead(this.#session, this.#transaction);
      } else {
        if (writes.count <= LARGE_ROWS && (triggersOf(writes)?.queued ?? 0) <= SOME_CALLS) return null;
        this.#end = this.#endSteps(writes);
      }
    }
    return this.#end.next().done === true ? null : YIELD;
  }
  #end: Generator<Yield, void> | null = null;
  #written = false;

  /** Yields at the end of a statement that has written many rows. */
  *#endSteps(writes: StatementWrites): Generator<Yield, void> {
    const transaction = this.#transaction;
    this.#session.finish(transaction, writes, yield* sliced(writes.finishSteps()));
    yield* triggersOf(writes)?.fireSteps() ?? [];
    this.#written = true;
    if (!this.#inside && !transaction.explicit && this.#steps.isLast) yield* commitAhead(this.#session, transaction);
  }

  /** Called after the last batch. `rows`: the row count in a SELECT's tag. */
  finish(rows: number = this.count): string {
    const { authors } = this.#steps;
    if (authors === null) this.#endStep();
    else this.#session.code.during(authors, () => this.#endStep());
    // Nothing may run between the check against locks and the commit.
    if (this.#session.isSingleStatement && !this.#inside) this.#session.endList();
    const verb = this.prepared.writes;
    if (verb === null) return rows === 1 ? 'SELECT 1' : `SELECT ${rows}`;
    const { world } = this.#transaction;
    if (world !== null) this.#session.host.activity.wrote(world.number, verb, this.count);
    return verb === 'INSERT' ? `INSERT 0 ${this.count}` : `${verb} ${this.count}`;
  }

  #endStep(): void {
    const { writes } = this.#steps;
    if (writes === null || this.#written) return;
    this.#session.finish(this.#transaction, writes);
    this.#session.fire(writes);
  }

  close(): void {
    this.cursor.close();
  }
}
