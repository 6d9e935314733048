/** What a statement throws to be run again: after a lock was given, or at once. Nobody outside the session sees them. */
import type { Key } from '../tree/datum.ts';
import type { LockKind } from './lock-mode.ts';
import type { LockSpace } from './lock-table.ts';

/** The statement cannot go on as it is: its own changes are dropped, and it runs again. */
export class RunAgain extends Error {
  constructor(message = 'what was read has changed') {
    // A trace would cost more than the wait's whole handling.
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = limit;
  }
}

/** … once this lock was given. */
export class LockWait extends RunAgain {
  readonly kind: LockKind;
  readonly world: number;
  readonly tree: number;
  readonly key: Key;
  readonly mode: number;

  constructor({ kind, world, tree }: LockSpace, key: Key, mode: number) {
    super('a lock is held by another transaction');
    this.kind = kind;
    this.world = world;
    this.tree = tree;
    this.key = key;
    this.mode = mode;
  }
}
