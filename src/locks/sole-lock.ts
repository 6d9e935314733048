/**
 * Row locks with one owner and no waiters, which are nearly all. Locks of one mode in one space share this object, so that a lock costs one entry in the
 * space's table and one note of its owner. A second owner or mode for a row makes a `Lock` of it.
 */
import type { LockOwner } from './lock-owner.ts';
import type { LockSpace } from './lock-table.ts';

export class SoleLock {
  readonly space: LockSpace;
  readonly owner: LockOwner;
  readonly mode: number;
  readonly owners: readonly LockOwner[];
  readonly modes: readonly number[];
  readonly queue = null;
  /** Number of keys of the space that share it. */
  count = 0;

  constructor(space: LockSpace, owner: LockOwner, mode: number) {
    this.space = space;
    this.owner = owner;
    this.mode = mode;
    this.owners = [owner];
    this.modes = [mode];
  }
}
