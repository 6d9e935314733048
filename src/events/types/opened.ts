/** A process opened the folder; a run without `closed` at its end was a crash. */
import { defineEvent } from '../define-event.ts';

export interface Opened {
  type: 'opened';
  release: string;
  /** It created the folder. Earlier releases did not set it. */
  first?: true;
  /** Acknowledged events of these numbers were missing when the folder was opened with `acceptLoss`. */
  lost?: { from: number; to: number };
}

const FLAG = { FIRST: 1, LOST: 2 } as const;

export const opened = defineEvent<Opened>({
  type: 'opened',
  number: 1,
  encode(out, { release, first, lost }) {
    out.text(release);
    const flags = (first === true ? FLAG.FIRST : 0) | (lost === undefined ? 0 : FLAG.LOST);
    if (flags !== 0) out.u8(flags);
    if (lost === undefined) return;
    out.varint(lost.from);
    out.varint(lost.to);
  },
  decode(from) {
    const release = from.text();
    const flags = from.done ? 0 : from.u8();
    return {
      type: 'opened',
      release,
      ...((flags & FLAG.FIRST) === 0 ? {} : { first: true as const }),
      ...((flags & FLAG.LOST) === 0 ? {} : { lost: { from: from.varint(), to: from.varint() } }),
    };
  },
});
