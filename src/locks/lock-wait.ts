/** What a statement throws to be run again: after a lock was given, or at once. Nobody outside the session sees them. */
import type { Key } from '../tree/datum.ts';
import type { LockKind } from './lock-mode.ts';
import type { LockSpace } from './lock-table.ts';

/**
 * The statement cannot go on as it is: its own changes are dropped, and it runs again. No `Error`: one is thrown for every
 * wait, and to make one costs several times what taking a lock does.
 */
export class RunAgain {
  readonly again = true as const;
}

/** … once this lock was given. */
export class LockWait extends RunAgain {
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
