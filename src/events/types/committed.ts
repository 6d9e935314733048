/**
 * Rows of the envelope's world changed.
 *
 * Version 4 holds the number of a transaction that was given one before its end (`numbered`). The number of any other is the sequence of its
 * event.
 */
import type { Sequence } from '../../base/brands.ts';
import type { ByteWriter } from '../../base/bytes.ts';
import type { Built } from '../built.ts';
import { changesInParts, readChanges, type TreeChanges, versionOfChanges, writeChanges } from '../changes.ts';
import { defineEvent } from '../define-event.ts';

export interface Committed {
  type: 'committed';
  /** Shown in the history. */
  how: 'write' | 'commit' | 'restore';
  /** The sequence of the transaction's `numbered` event, if it has one. */
  number?: Sequence;
  changes: TreeChanges[];
  /** The result of applying the changes, if the transaction has already built it. Not stored: a replay applies the changes. */
  built?: Built;
}

/** The log holds the place in the list. */
const HOW: Committed['how'][] = ['write', 'commit', 'restore'];

const NUMBER_VERSION = 4;

export const committed = defineEvent<Committed>({
  type: 'committed',
  number: 3,
  versions: { latest: NUMBER_VERSION, of: ({ number, changes }) => (number === undefined ? versionOfChanges(changes) : NUMBER_VERSION) },
  encode(out, event) {
    writeHead(out, event);
    writeChanges(out, event.changes);
  },
  decode(from, version) {
    const how = HOW[from.u8()];
    const number = version < NUMBER_VERSION ? {} : { number: from.varint() as Sequence };
    return { type: 'committed', how, ...number, changes: readChanges(from) };
  },
});

function writeHead(out: ByteWriter, { how, number }: Committed): void {
  out.u8(HOW.indexOf(how));
  if (number !== undefined) out.varint(number);
}

/** The payload in parts; in place of trees that are encoded already, their changes. */
export function committedInParts(out: ByteWriter, event: Committed, isEncoded: (changes: TreeChanges) => boolean): (Uint8Array | TreeChanges)[] {
  out.reset();
  writeHead(out, event);
  return changesInParts(out, event.changes, isEncoded);
}
