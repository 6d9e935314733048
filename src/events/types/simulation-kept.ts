/** All worlds of the run are stored and become visible. */
import type { Sequence } from '../../base/brands.ts';
import { defineEvent } from '../define-event.ts';

export interface SimulationKept {
  type: 'simulationKept';
  /** Sequence of `simulated`. */
  run: Sequence;
  count: number;
}

export const simulationKept = defineEvent<SimulationKept>({
  type: 'simulationKept',
  number: 42,
  encode(out, { run, count }) {
    out.varint(run);
    out.varint(count);
  },
  decode: (from) => ({ type: 'simulationKept', run: from.varint() as Sequence, count: from.varint() }),
});
