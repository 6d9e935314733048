/** Lock retry for a statement inside a procedure. */
import { RetryStatement } from '../../../locks/lock-wait.ts';
import { serialization } from '../session-locks.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Transaction } from '../transaction.ts';

export class LockRetry {
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #mark: ReturnType<Transaction['mark']> | undefined;
  readonly #moves: number;
  readonly #said: number;

  /** `nests`: functions that it calls may have written before the wait. */
  constructor(session: SqlSession, nests: boolean) {
    this.#session = session;
    this.#transaction = session.begin();
    this.#mark = nests ? this.#transaction.mark() : undefined;
    this.#moves = this.#transaction.moves;
    this.#said = session.messages.mark;
    session.sleeps.mark();
  }

  /** The promise to wait for before a retry, if the error asks for one. 40001 if the statement's effects cannot be rolled back. */
  retry(error: unknown): Promise<unknown> {
    if (!(error instanceof RetryStatement)) throw error;
    if (this.#mark === undefined && this.#transaction.moves !== this.#moves) throw serialization('concurrent update');
    return this.#session.retryInside(error, this.#mark, this.#said);
  }
}
