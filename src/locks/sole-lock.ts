/**
 * Locks on rows that one transaction alone has and nobody waits for: nearly all. Those of one mode in one space share this object, so that a lock
 * costs a place in the space's table and a note of its owner. Who else asks for such a row makes a `Lock` of it.
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
  /** So many keys of the space have it. */
  count = 0;

  constructor(space: LockSpace, owner: LockOwner, mode: number) {
    this.space = space;
    this.owner = owner;
    this.mode = mode;
    this.owners = [owner];
    this.modes = [mode];
  }
}
