/**
 * Who holds locks: a session, with what its transaction took (in order, so that a savepoint can give back what came
 * after it) and the advisory locks that it keeps beyond transactions.
 */
import type { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { HeldLock, Lock, LockSpace, Waiter } from './lock-table.ts';
import { SoleLock } from './sole-lock.ts';

let lastTransaction = 1000;

/** So many are looked through for the one of a space and mode. */
const SOLES_KEPT = 16;

export class LockOwner {
  readonly #pid: () => number;
  /** What the transaction took: a lock and the mode that was added, in order; of a shared one the key, too. */
  readonly locks: HeldLock[] = [];
  readonly modes: number[] = [];
  readonly keys: (Key | null)[] = [];
  /** Those that share a space and a mode, the newest first. */
  soles: readonly SoleLock[] = [];
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

  note(lock: HeldLock, mode: number, key: Key | null): void {
    this.locks.push(lock);
    this.modes.push(mode);
    this.keys.push(key);
  }

  /** What its locks of this space and mode share. */
  sole(space: LockSpace, mode: number): SoleLock {
    const { soles } = this;
    for (let i = 0; i < soles.length; i++) if (soles[i].space === space && soles[i].mode === mode) return soles[i];
    const made = new SoleLock(space, this, mode);
    this.soles = [made, ...soles.slice(0, SOLES_KEPT - 1)];
    return made;
  }

  ended(): void {
    this.doomed = null;
    this.#transaction = 0;
  }
}
