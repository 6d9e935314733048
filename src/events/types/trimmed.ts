/** Like `swept` for the whole history at once. Only read: folding it blocked the event loop for too long. */
import type { Micros, Sequence } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface Trimmed {
  type: 'trimmed';
  through: Sequence;
  at: Micros;
  gone: number[];
}

export const trimmed = defineEvent<Trimmed>({
  type: 'trimmed',
  number: 13,
  encode(out, { through, at, gone }) {
    out.varint(through);
    out.varint(at);
    out.varint(gone.length);
    for (const number of gone) out.varint(number);
  },
  decode: (from) => ({
    type: 'trimmed',
    through: from.varint() as Sequence,
    at: from.varint() as Micros,
    gone: Array.from({ length: from.varint() }, () => from.varint()),
  }),
});
