/** One run of a query or write inside a function, over the transaction of the statement that calls it. */
import { YIELD, type Yield } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import { openStep, stepsOf } from './statement-steps.ts';
import type { Transaction } from './transaction.ts';

export class InnerRun {
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #params: readonly Value[];
  /** What is run one after the other: the statement, or what rules make of it. */
  readonly #steps: readonly Prepared[];
  /** Which of the steps tells of rows. */
  readonly #telling: number;
  #step = 0;
  #writes: StatementWrites | null = null;
  #cursor!: AnalyzedCursor;
  readonly #most: number;
  readonly #keepsRows: boolean;
  readonly #rows: Value[][] = [];
  /** Rows read or changed so far. */
  count = 0;

  /** `most`: of a query so many rows are enough. 42501 and 25006 where it may not run. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[], most: number) {
    this.#session = session;
    this.#most = most;
    this.#params = params;
    if (session.writing.length > 0) session.flush();
    this.#transaction = session.looking();
    this.#keepsRows = prepared.writes === null || prepared.columns.length > 0;
    this.#telling = prepared.telling ?? 0;
    this.#steps = stepsOf(session, prepared);
    this.#open(this.#steps[0]);
  }

  #open(prepared: Prepared): void {
    const { writes, cursor } = openStep(this.#session, this.#transaction, prepared, this.#params);
    this.#writes = writes;
    this.#cursor = cursor;
  }

  /** YIELD where others may be let in; null at the end. */
  next(): Yield | null {
    for (;;) {
      const telling = this.#step === this.#telling;
      const batch = this.#cursor.next();
      if (batch === YIELD) return YIELD;
      if (batch === null) {
        if (this.#step === this.#steps.length - 1) return null;
        this.#end();
        this.#cursor.close();
        this.#open(this.#steps[++this.#step]);
        continue;
      }
      if (!telling) continue;
      const { columns, count } = batch;
      this.count += count;
      if (!this.#keepsRows) continue;
      for (let r = 0; r < count; r++) this.#rows.push(columns.map((column) => column[r]));
      if (this.#writes === null && this.#rows.length >= this.#most) return null;
    }
  }

  close(): void {
    this.#cursor.close();
  }

  /** After the end: what it changed goes into the transaction. */
  finish(): Value[][] {
    this.#end();
    return this.#rows;
  }

  #end(): void {
    if (this.#writes === null) return;
    this.#session.finish(this.#transaction, this.#writes);
    this.#session.fire(this.#writes);
  }
}
