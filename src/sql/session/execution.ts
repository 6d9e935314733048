/**
 * One run of a prepared query or write: batches of rows until null, then `finish`, which writes what the statement
 * changed to the transaction and gives the command tag. Who runs it lets the event loop turn at each YIELD
 * (`SqlSession.pause`) and may stop in between for as long as it holds the transaction's state (`SqlSession.hold`).
 */
import type { Batch, Yield } from '../exec/batch.ts';
import { YIELD } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { commitAhead, LARGE_ROWS, sliced } from './large-commit.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import { openStep, stepsOf } from './statement-steps.ts';
import type { Transaction } from './transaction.ts';
import { triggersOf } from './triggers/statement-triggers.ts';

/** So many triggers fire without others being let in. */
const SOME_CALLS = 256;

export class Execution {
  readonly prepared: Prepared;
  /** Rows given so far. */
  count = 0;
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #params: readonly Value[];
  /** What is run one after the other: the statement, or what rules make of it. */
  readonly #steps: readonly Prepared[];
  /** Which of the steps tells of rows. */
  readonly #telling: number;
  #step = 0;
  #writes: StatementWrites | null = null;
  cursor!: AnalyzedCursor;

  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[]) {
    this.prepared = prepared;
    this.#session = session;
    const transaction = session.startStatement();
    this.#transaction = transaction;
    this.#params = params;
    this.#telling = prepared.telling ?? 0;
    this.#steps = stepsOf(session, prepared);
    this.#open(this.#steps[0]);
  }

  #open(prepared: Prepared): void {
    const { writes, cursor } = openStep(this.#session, this.#transaction, prepared, this.#params);
    this.#writes = writes;
    this.cursor = cursor;
  }

  next(): Batch | Yield | null {
    for (;;) {
      const batch = this.#next();
      if (batch === YIELD) return batch;
      if (batch !== null) {
        if (this.#step !== this.#telling) continue;
        this.count += batch.count;
        return batch;
      }
      if (this.#step === this.#steps.length - 1) return null;
      // The next step sees what this one did.
      this.#endStep();
      this.cursor.close();
      this.#end = null;
      this.#written = false;
      this.#open(this.#steps[++this.#step]);
    }
  }

  #next(): Batch | Yield | null {
    if (this.#end === null) {
      const batch = this.cursor.next();
      if (batch !== null) return batch;
      if (this.#writes === null || (this.#writes.count <= LARGE_ROWS && this.#queued <= SOME_CALLS)) return null;
      this.#end = this.#endSteps(this.#writes);
    }
    return this.#end.next().done === true ? null : YIELD;
  }
  #end: Generator<Yield, void> | null = null;
  #written = false;

  /** Triggers that are to fire afterwards. */
  get #queued(): number {
    return triggersOf(this.#writes!)?.queued ?? 0;
  }

  /** The end of a statement that has written many rows: others are let in. */
  *#endSteps(writes: StatementWrites): Generator<Yield, void> {
    const transaction = this.#transaction;
    this.#session.finish(transaction, writes, yield* sliced(writes.finishSteps()));
    yield* triggersOf(writes)?.fireSteps() ?? [];
    this.#written = true;
    if (!transaction.explicit && this.#step === this.#steps.length - 1) yield* commitAhead(this.#session, transaction);
  }

  /** After the last batch. `rows`: how many rows a SELECT's tag names. */
  finish(rows: number = this.count): string {
    this.#endStep();
    // Nothing comes between what was compared with locks and the commit.
    if (this.#session.sole) this.#session.endList();
    const verb = this.prepared.writes;
    if (verb === null) return rows === 1 ? 'SELECT 1' : `SELECT ${rows}`;
    return verb === 'INSERT' ? `INSERT 0 ${this.count}` : `${verb} ${this.count}`;
  }

  #endStep(): void {
    if (this.#writes === null || this.#written) return;
    this.#session.finish(this.#transaction, this.#writes);
    this.#session.fire(this.#writes);
  }

  close(): void {
    this.cursor.close();
  }
}
