/** A merge was undone in the envelope's world; `baseChanges` is the inverse of the merge's `baseChanges`, for a branch that stayed. */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import { readChanges, type TreeChanges, writeChanges } from '../changes.ts';
import { defineEvent, VERSIONS_OF_CHANGES } from '../define-event.ts';

export interface Undone {
  type: 'undone';
  branch: WorldNumber;
  merge: Sequence;
  changes: TreeChanges[];
  baseChanges: TreeChanges[];
}

export const undone = defineEvent<Undone>({
  type: 'undone',
  number: 6,
  versions: VERSIONS_OF_CHANGES,
  encode(out, event) {
    out.varint(event.branch);
    out.varint(event.merge);
    writeChanges(out, event.changes);
    writeChanges(out, event.baseChanges);
  },
  decode: (from) => ({
    type: 'undone',
    branch: from.varint() as WorldNumber,
    merge: from.varint() as Sequence,
    changes: readChanges(from),
    baseChanges: readChanges(from),
  }),
});
