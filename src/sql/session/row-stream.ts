/**
 * Rows of a query that reads, taken some at a time: statements run in between, and the rows stay those of its beginning.
 * As long as it has more to give, what it reads is pinned.
 */
import { YIELD, type Yield } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { Value } from '../types/value.ts';
import { checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import type { Prepared } from './prepare.ts';
import type { SqlSession } from './sql-session.ts';

export class RowStream {
  readonly #session: SqlSession;
  readonly #cursor: AnalyzedCursor;
  #pinned = false;
  #ended = false;

  /** Of a query that neither writes nor locks. 42501. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[]) {
    this.#session = session;
    const transaction = session.looking();
    checkAccess(session, prepared.access);
    session.locks.reading(transaction, prepared.tables);
    this.#cursor = prepared.executable.run(execContext(session, params, null));
  }

  static takes(prepared: Prepared): boolean {
    return !prepared.modifies && prepared.rowLock === null;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Adds rows until `into` has so many, or all are there. YIELD where others may be let in. */
  *fill(into: (readonly Value[])[], count: number): Generator<Yield, void> {
    while (into.length < count && !this.#ended) {
      const batch = this.#cursor.next();
      if (batch === null) this.#ended = true;
      else if (batch === YIELD) yield YIELD;
      else {
        const { columns } = batch;
        for (let r = 0; r < batch.count; r++) {
          const row = new Array<Value>(columns.length);
          for (let c = 0; c < columns.length; c++) row[c] = columns[c][r];
          into.push(row);
        }
      }
    }
    if (this.#ended || this.#pinned) return;
    this.#pinned = true;
    this.#session.pin();
  }

  close(): void {
    if (!this.#ended) this.#cursor.close();
    this.#ended = true;
  }
}
