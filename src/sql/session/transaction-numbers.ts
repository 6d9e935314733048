/**
 * Numbers of transactions. A transaction that asks for its number gets that of an event which is logged at once, so that no other one has it or can get it,
 * and its `committed` event names it. Any other has the sequence of its event.
 */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import { actorName } from '../../session/principal.ts';
import type { SqlSession } from './sql-session.ts';
import type { Transaction } from './transaction.ts';

/** Number of those rolled back that are remembered. */
const ROLLED_BACK_MAX = 10_000;

export class TransactionNumbers {
  readonly #running = new Set<number>();
  readonly #rolledBack = new Set<number>();

  /** The transaction's number. One that cannot write has that of the next. */
  of(session: SqlSession, transaction: Transaction): number {
    if (transaction.number !== null) return transaction.number;
    const { engine } = session.host.context;
    if (transaction.world === null || transaction.readOnly) return engine.log.head + 1;
    const { sequence } = engine.commit({ type: 'numbered' }, 0 as WorldNumber, actorName(session.principal));
    this.#running.add(sequence);
    return (transaction.number = sequence);
  }

  ended(number: Sequence, committed: boolean): void {
    this.#running.delete(number);
    if (committed) return;
    if (this.#rolledBack.size >= ROLLED_BACK_MAX) this.#rolledBack.delete(this.#rolledBack.values().next().value!);
    this.#rolledBack.add(number);
  }

  /** In order. */
  running(): number[] {
    return [...this.#running].sort((a, b) => a - b);
  }

  wasRolledBack(number: number): boolean {
    return this.#rolledBack.has(number);
  }
}
