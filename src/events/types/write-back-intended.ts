/**
 * A merge into the envelope's world, or its undo, is about to be committed in the external Postgres as transaction `xid`. `completes`
 * is the event that follows if that commits: after a crash Postgres knows the transaction's fate.
 */
import type { WorldNumber } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface WriteBackIntended {
  type: 'writeBackIntended';
  xid: string;
  system: string;
  timeline: number;
  /** The world that is merged, or whose merge is undone. */
  branch: WorldNumber;
  /** Rows that Postgres is sent. */
  rows: number;
  /** An event as its record has it. */
  completes: { readonly type: number; readonly version: number; readonly payload: Uint8Array };
}

export const writeBackIntended = defineEvent<WriteBackIntended>({
  type: 'writeBackIntended',
  number: 45,
  encode(out, { xid, system, timeline, branch, rows, completes: { type, version, payload } }) {
    out.text(xid);
    out.text(system);
    out.varint(timeline);
    out.varint(branch);
    out.varint(rows);
    out.varint(type);
    out.varint(version);
    out.varint(payload.length);
    out.raw(payload);
  },
  decode: (from) => ({
    type: 'writeBackIntended',
    xid: from.text(),
    system: from.text(),
    timeline: from.varint(),
    branch: from.varint() as WorldNumber,
    rows: from.varint(),
    completes: { type: from.varint(), version: from.varint(), payload: new Uint8Array(from.raw(from.varint())) },
  }),
});
