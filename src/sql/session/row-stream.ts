/**
 * Rows of a reading query, fetched in parts while other statements run in between; the rows are those of its snapshot. The state
 * that it reads is pinned until its end.
 */
import { YIELD, type Yield } from '../exec/batch.ts';
import type { AnalyzedCursor } from '../exec/compile.ts';
import type { Wanted } from '../exec/context.ts';
import type { Value } from '../types/value.ts';
import { checkAccess } from './check-access.ts';
import { execContext } from './exec-context.ts';
import { planIsVolatile } from '../plan/rules/walk.ts';
import type { Prepared } from './prepare.ts';
import type { ResultMemory } from './result-memory.ts';
import type { SqlSession } from './sql-session.ts';

export class RowStream {
  readonly #session: SqlSession;
  readonly #cursor: AnalyzedCursor;
  /** Agents whose definitions it runs over; null: none. */
  readonly #authors: readonly number[] | null;
  readonly #wanted: Wanted = { rows: Infinity };
  /** Whether reading a row ahead has visible effects. */
  readonly #isSeen: boolean;
  #late: { readonly error: unknown } | null = null;
  #pinned = false;
  #ended = false;

  /** For a query that neither writes nor locks. 42501. */
  constructor(session: SqlSession, prepared: Prepared, params: readonly Value[]) {
    this.#session = session;
    const transaction = session.nestedTransaction();
    checkAccess(session, prepared.access);
    this.#authors = session.code.authorsOf(prepared.access);
    session.locks.reading(transaction, prepared.tables);
    this.#cursor = prepared.executable.run(execContext(session, params, null, undefined, this.#wanted));
    this.#isSeen = planIsVolatile(prepared.plan);
  }

  static takes(prepared: Prepared): boolean {
    return !prepared.modifies && prepared.rowLock === null;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * Appends rows until `into` has `count`, or all are there, and `ahead` more if reading ahead is invisible. Gives YIELD at yield
   * points. An error of a row that was read ahead is raised when the row is requested. `memory` counts the rows.
   */
  *fill(into: (readonly Value[])[], count: number, ahead = 0, memory: ResultMemory | null = null): Generator<Yield, void> {
    const enough = this.#isSeen ? count : count + ahead;
    while (into.length < (this.#late === null ? enough : count) && !this.#ended) {
      if (this.#late !== null) throw this.#late.error;
      if (this.#isSeen) this.#wanted.rows = count - into.length;
      let batch: ReturnType<AnalyzedCursor['next']>;
      try {
        batch = this.#authors === null ? this.#cursor.next() : this.#session.code.during(this.#authors, () => this.#cursor.next());
      } catch (error) {
        if (into.length < count) throw error;
        this.#late = { error };
        break;
      }
      if (batch === null) this.#ended = true;
      else if (batch === YIELD) yield YIELD;
      else {
        memory?.hold(batch);
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
