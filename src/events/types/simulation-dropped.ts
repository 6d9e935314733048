/** Worlds of an unfinished run are dropped as if they had never existed; `last`: these are the last ones. */
import type { Sequence, WorldNumber } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface SimulationDropped {
  type: 'simulationDropped';
  /** Sequence of `simulated`. */
  run: Sequence;
  worlds: WorldNumber[];
  last: boolean;
}

export const simulationDropped = defineEvent<SimulationDropped>({
  type: 'simulationDropped',
  number: 43,
  encode(out, { run, worlds, last }) {
    out.varint(run);
    out.u8(last ? 1 : 0);
    out.varint(worlds.length);
    for (const number of worlds) out.varint(number);
  },
  decode(from) {
    const run = from.varint() as Sequence;
    const last = from.u8() === 1;
    return { type: 'simulationDropped', run, last, worlds: Array.from({ length: from.varint() }, () => from.varint() as WorldNumber) };
  },
});
