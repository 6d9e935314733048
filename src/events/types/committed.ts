/** Rows of the envelope's world changed. */
import type { ByteWriter } from '../../base/bytes.ts';
import type { Built } from '../built.ts';
import { changesInParts, readChanges, type TreeChanges, writeChanges } from '../changes.ts';
import { defineEvent, VERSIONS_OF_CHANGES } from '../define-event.ts';

export interface Committed {
  type: 'committed';
  /** Shown in the history. */
  how: 'write' | 'commit' | 'restore';
  changes: TreeChanges[];
  /** The result of applying the changes, if the transaction has already built it. Not stored: a replay applies the changes. */
  built?: Built;
}

/** The log holds the place in the list. */
const HOW: Committed['how'][] = ['write', 'commit', 'restore'];

export const committed = defineEvent<Committed>({
  type: 'committed',
  number: 3,
  versions: VERSIONS_OF_CHANGES,
  encode(out, event) {
    out.u8(HOW.indexOf(event.how));
    writeChanges(out, event.changes);
  },
  decode: (from) => ({ type: 'committed', how: HOW[from.u8()], changes: readChanges(from) }),
});

/** The payload in parts; in place of trees that are encoded already, their changes. */
export function committedInParts(out: ByteWriter, event: Committed, isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  out.reset();
  out.u8(HOW.indexOf(event.how));
  return changesInParts(out, event.changes, isEncoded);
}
