/** The branch is now based on its parent's current state, with `changes` on top. */
import type { TreeChanges } from '../changes.ts';
import { changesEvent } from '../define-event.ts';

export interface Rebased {
  type: 'rebased';
  changes: TreeChanges[];
}

export const rebased = changesEvent<Rebased>('rebased', 7);
