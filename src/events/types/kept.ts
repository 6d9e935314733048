/** Retention of the envelope's world: pinned, and its time to live in milliseconds; null: its owner's. */
import { defineEvent } from '../define-event.ts';

export interface Kept {
  type: 'kept';
  pinned: boolean;
  ttl: number | null;
}

export const kept = defineEvent<Kept>({
  type: 'kept',
  number: 18,
  encode(out, { pinned, ttl }) {
    out.u8(pinned ? 1 : 0);
    // 0: none, as a time to live of 0 is not valid.
    out.varint(ttl ?? 0);
  },
  decode(from) {
    const pinned = from.u8() === 1;
    const ttl = from.varint();
    return { type: 'kept', pinned, ttl: ttl === 0 ? null : ttl };
  },
});
