/**
 * Who holds locks: a session, with what its transaction took (in order, so that a savepoint can give back what came
 * after it) and the advisory locks that it keeps beyond transactions.
 */
import type { SvcError } from '../base/errors/svc-error.ts';
import type { Lock, Waiter } from './lock-table.ts';

let lastTransaction = 1000;

export class LockOwner {
  readonly #pid: () => number;
  /** What the transaction took: a lock and the mode that was added, in order. */
  readonly locks: Lock[] = [];
  readonly modes: number[] = [];
  /** Advisory locks of the session: how often each mode was taken. */
  readonly kept = new Map<Lock, { share: number; exclusive: number }>();
  waiting: Waiter | null = null;
  /** What the transaction was told when somebody who takes no locks changed what it had locked. */
  doomed: SvcError | null = null;
  #transaction = 0;

  constructor(pid: () => number) {
    this.#pid = pid;
  }

  /** As other sessions see it: pg_backend_pid(). */
  get pid(): number {
    return this.#pid();
  }

  /** A number for the transaction, given when it is first asked for. */
  get transaction(): number {
    if (this.#transaction === 0) this.#transaction = ++lastTransaction;
    return this.#transaction;
  }

  /** Locks taken so far: what a savepoint notes. */
  get mark(): number {
    return this.locks.length;
  }

  note(lock: Lock, mode: number): void {
    this.locks.push(lock);
    this.modes.push(mode);
  }

  ended(): void {
    this.doomed = null;
    this.#transaction = 0;
  }
}
