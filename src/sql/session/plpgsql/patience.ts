/** What a statement inside a procedure needs to run again when it has waited for a lock. */
import { RunAgain } from '../../../locks/lock-wait.ts';
import { serialization } from '../session-locks.ts';
import type { SqlSession } from '../sql-session.ts';
import type { Transaction } from '../transaction.ts';

export class Patience {
  readonly #session: SqlSession;
  readonly #transaction: Transaction;
  readonly #mark: ReturnType<Transaction['mark']> | undefined;
  readonly #moves: number;
  readonly #said: number;

  /** `nests`: functions that it calls may have changed something by then. */
  constructor(session: SqlSession, nests: boolean) {
    this.#session = session;
    this.#transaction = session.begin();
    this.#mark = nests ? this.#transaction.mark() : undefined;
    this.#moves = this.#transaction.moves;
    this.#said = session.messages.mark;
    session.sleeps.mark();
  }

  /** Until when to wait where that is what was thrown. 40001 where what it did cannot be taken back. */
  again(error: unknown): Promise<unknown> {
    if (!(error instanceof RunAgain)) throw error;
    if (this.#mark === undefined && this.#transaction.moves !== this.#moves) throw serialization('concurrent update');
    return this.#session.againInside(error, this.#mark, this.#said);
  }
}
