/** One run of a query or write inside a function, over the transaction of the statement that calls it. */
import { YIELD, type Yield } from '../exec/batch.ts';
import type { Value } from '../types/value.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import { StatementSteps } from './statement-steps.ts';
import type { Transaction } from './transaction.ts';

export class InnerRun {
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #steps: StatementSteps;
  readonly #most: number;
  readonly #keepsRows: boolean;
  readonly #rows: Value[][] = [];
  /** Rows read or changed so far. */
  count = 0;

  /** `most`: the number of rows of a query that are needed. 42501 and 25006 if it may not run. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[], most: number) {
    this.#session = session;
    this.#most = most;
    if (session.writing.length > 0) session.flush();
    this.#transaction = session.nestedTransaction();
    this.#keepsRows = prepared.writes === null || prepared.columns.length > 0;
    this.#steps = new StatementSteps(session, this.#transaction, prepared, params);
  }

  /** YIELD at a yield point; null at the end. */
  next(): Yield | null {
    const { authors } = this.#steps;
    return authors === null ? this.#next() : this.#session.code.during(authors, () => this.#next());
  }

  #next(): Yield | null {
    for (;;) {
      const batch = this.#steps.cursor.next();
      if (batch === YIELD) return YIELD;
      if (batch === null) {
        if (this.#steps.isLast) return null;
        this.#end();
        this.#steps.advance();
        continue;
      }
      if (!this.#steps.returnsRows) continue;
      const { columns, count } = batch;
      this.count += count;
      if (!this.#keepsRows) continue;
      for (let r = 0; r < count; r++) this.#rows.push(columns.map((column) => column[r]));
      if (this.#steps.writes === null && this.#rows.length >= this.#most) return null;
    }
  }

  close(): void {
    this.#steps.cursor.close();
  }

  /** At the end: hands the changes to the transaction. */
  finish(): Value[][] {
    const { authors } = this.#steps;
    if (authors === null) this.#end();
    else this.#session.code.during(authors, () => this.#end());
    return this.#rows;
  }

  #end(): void {
    const { writes } = this.#steps;
    if (writes === null) return;
    this.#session.finish(this.#transaction, writes);
    this.#session.fire(writes);
  }
}
