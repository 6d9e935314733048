/**
 * Owner of locks: a session, with the locks of its transaction (in order, so that a savepoint can release the later ones) and its session-level advisory
 * locks.
 */
import type { SvcError } from '../base/errors/svc-error.ts';
import type { Key } from '../tree/datum.ts';
import type { HeldLock, Lock, LockSpace, Waiter } from './lock-table.ts';
import { SoleLock } from './sole-lock.ts';

let lastTransaction = 1000;

/** This many are searched for one of the same space and mode. */
const SOLES_KEPT = 16;

export class LockOwner {
  readonly #pid: () => number;
  /** Locks of the transaction with the mode that was added, in order; for a shared lock object also the key. */
  readonly locks: HeldLock[] = [];
  readonly modes: number[] = [];
  readonly keys: (Key | null)[] = [];
  /** Locks that share a space and a mode, newest first. */
  soles: readonly SoleLock[] = [];
  /** Session-level advisory locks: count by mode. */
  readonly kept = new Map<Lock, { share: number; exclusive: number }>();
  waiting: Waiter | null = null;
  /** Error for the transaction once a writer that takes no locks has changed what it had locked. */
  doomed: SvcError | null = null;
  #transaction = 0;

  constructor(pid: () => number) {
    this.#pid = pid;
  }

  /** pg_backend_pid() of the session. */
  get pid(): number {
    return this.#pid();
  }

  /** Transaction number, assigned on first use. */
  get transaction(): number {
    if (this.#transaction === 0) this.#transaction = ++lastTransaction;
    return this.#transaction;
  }

  /** Number of locks taken so far; a savepoint stores it. */
  get mark(): number {
    return this.locks.length;
  }

  note(lock: HeldLock, mode: number, key: Key | null): void {
    this.locks.push(lock);
    this.modes.push(mode);
    this.keys.push(key);
  }

  /** The shared lock object for its locks of this space and mode. */
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
