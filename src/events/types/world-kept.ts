/** One of the worlds that a simulation keeps. The envelope's world is its number: the sequence of this event. */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import { readChanges, type TreeChanges, writeChanges } from '../changes.ts';
import { defineEvent, VERSIONS_OF_CHANGES } from '../define-event.ts';

export interface WorldKept {
  type: 'worldKept';
  /** Sequence of `simulated`. */
  run: Sequence;
  /** The world that it is based on, and its owner. */
  base: WorldNumber;
  owner: string | null;
  index: number;
  score: number;
  changes: TreeChanges[];
}

export const worldKept = defineEvent<WorldKept>({
  type: 'worldKept',
  number: 41,
  versions: VERSIONS_OF_CHANGES,
  encode(out, event) {
    out.varint(event.run);
    out.varint(event.base);
    out.u8(event.owner === null ? 0 : 1);
    if (event.owner !== null) out.text(event.owner);
    out.varint(event.index);
    out.f64(event.score);
    writeChanges(out, event.changes);
  },
  decode: (from) => ({
    type: 'worldKept',
    run: from.varint() as Sequence,
    base: from.varint() as WorldNumber,
    owner: from.u8() === 1 ? from.text() : null,
    index: from.varint(),
    score: from.f64(),
    changes: readChanges(from),
  }),
});
