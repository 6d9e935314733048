/**
 * A world was made. The envelope's world is the new world's number, which is the sequence of this event. `changes` turn the
 * parent's current state into the past one that was forked.
 */
import type { WorldNumber } from '../../base/brands.ts';
import { ByteReader } from '../../base/bytes.ts';
import { readChanges, type TreeChanges, writeChanges } from '../changes.ts';
import { defineEvent, VERSIONS_OF_CHANGES } from '../define-event.ts';
import type { Meta } from '../meta.ts';

export interface Forked {
  type: 'forked';
  name: string;
  parent: WorldNumber;
  owner: string | null;
  meta: Meta;
  changes: TreeChanges[];
}

export const forked = defineEvent<Forked>({
  type: 'forked',
  number: 4,
  versions: VERSIONS_OF_CHANGES,
  encode(out, event) {
    out.text(event.name);
    out.varint(event.parent);
    out.u8(event.owner === null ? 0 : 1);
    if (event.owner !== null) out.text(event.owner);
    out.text(JSON.stringify(event.meta));
    writeChanges(out, event.changes);
  },
  decode: (from) => ({
    type: 'forked',
    name: from.text(),
    parent: from.varint() as WorldNumber,
    owner: from.u8() === 1 ? from.text() : null,
    meta: JSON.parse(from.text()) as Meta,
    changes: readChanges(from),
  }),
});

/** Reads the parent alone, not the rows. */
export function forkedParent(payload: Uint8Array): WorldNumber {
  const from = new ByteReader(payload);
  from.text();
  return from.varint() as WorldNumber;
}
