/** One run of a query or write inside a function, over the transaction of the statement that calls it. */
import { lockName } from '../bind/lock-name.ts';
import { YIELD, type Yield } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

export class InnerRun {
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #writes: StatementWrites | null;
  readonly #cursor: AnalyzedCursor;
  readonly #most: number;
  readonly #keepsRows: boolean;
  readonly #rows: Value[][] = [];
  /** Rows read or changed so far. */
  count = 0;

  /** `most`: of a query so many rows are enough. 42501 and 25006 where it may not run. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[], most: number) {
    this.#session = session;
    this.#most = most;
    if (session.writing.length > 0) session.flush();
    this.#transaction = session.looking();
    this.#keepsRows = prepared.writes === null || prepared.columns.length > 0;
    checkAccess(session, prepared.access);
    if (prepared.modifies) session.writable(prepared.writes ?? 'INSERT');
    if (prepared.rowLock !== null) session.writable(`SELECT ${lockName(prepared.rowLock)}`);
    this.#writes = prepared.modifies ? session.writesOver(this.#transaction) : null;
    session.locks.reading(this.#transaction, prepared.tables);
    this.#cursor = prepared.executable.run(execContext(session, params, this.#writes));
  }

  /** YIELD where others may be let in; null at the end. */
  next(): Yield | null {
    for (let batch = this.#cursor.next(); batch !== null; batch = this.#cursor.next()) {
      if (batch === YIELD) return YIELD;
      const { columns, count } = batch;
      this.count += count;
      if (!this.#keepsRows) continue;
      for (let r = 0; r < count; r++) this.#rows.push(columns.map((column) => column[r]));
      if (this.#writes === null && this.#rows.length >= this.#most) return null;
    }
    return null;
  }

  close(): void {
    this.#cursor.close();
  }

  /** After the end: what it changed goes into the transaction. */
  finish(): Value[][] {
    if (this.#writes !== null) {
      this.#session.finish(this.#transaction, this.#writes);
      this.#session.fire(this.#writes);
    }
    return this.#rows;
  }
}
