/** Thrown to make a statement run again: after a lock was granted, or at once. Never leaves the session. */
import type { Key } from '../tree/datum.ts';
import type { LockKind } from './lock-mode.ts';
import type { LockSpace } from './lock-table.ts';

/**
 * The statement must be retried: its own changes are dropped. Not an `Error`: one is thrown for every wait, and creating an Error costs several times as
 * much as taking a lock.
 */
export class RetryStatement {
  readonly again = true as const;
}

/** … once this lock was granted. */
export class LockWait extends RetryStatement {
  readonly kind: LockKind;
  readonly world: number;
  readonly tree: number;
  readonly key: Key;
  readonly mode: number;

  constructor({ kind, world, tree }: LockSpace, key: Key, mode: number) {
    super();
    this.kind = kind;
    this.world = world;
    this.tree = tree;
    this.key = key;
    this.mode = mode;
  }
}
