/**
 * History up to `through` was trimmed, in the range [`from`, `to`) ordered by world and sequence; `to` null: to the end. A
 * trim is split into as many of these events as keeps each fold short. `gone` are the ended worlds in the range that are
 * dropped with it, including the world of `to`.
 */
import type { Micros, Sequence } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface Swept {
  type: 'swept';
  through: Sequence;
  at: Micros;
  from: HistoryPlace;
  to: HistoryPlace | null;
  gone: number[];
}

/** A position in the history: a world's event, whether or not history has an entry for it. */
export interface HistoryPlace {
  world: number;
  sequence: number;
}

export const swept = defineEvent<Swept>({
  type: 'swept',
  number: 14,
  encode(out, { through, at, from, to, gone }) {
    out.varint(through);
    out.varint(at);
    out.varint(from.world);
    out.varint(from.sequence);
    // No world has the number 0.
    out.varint(to?.world ?? 0);
    out.varint(to?.sequence ?? 0);
    out.varint(gone.length);
    for (const number of gone) out.varint(number);
  },
  decode(from) {
    const through = from.varint() as Sequence;
    const at = from.varint() as Micros;
    const begin = { world: from.varint(), sequence: from.varint() };
    const end = { world: from.varint(), sequence: from.varint() };
    const gone = Array.from({ length: from.varint() }, () => from.varint());
    return { type: 'swept', through, at, from: begin, to: end.world === 0 ? null : end, gone };
  },
});
