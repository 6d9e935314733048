/** Values of sequences within a session, until the world's own allocator takes over. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Sequence } from '../schema/schema.ts';
import { type Whole, whole } from '../types/value.ts';

export class Sequences {
  readonly #values = new Map<number, { value: bigint; called: boolean }>();

  nextval(sequence: Sequence): Whole {
    const state = this.#values.get(sequence.number) ?? { value: BigInt(sequence.start), called: false };
    let next = state.called ? state.value + BigInt(sequence.increment) : state.value;
    const up = sequence.increment > 0;
    if (up ? next > BigInt(sequence.max) : next < BigInt(sequence.min)) {
      if (!sequence.cycle) {
        throw new SvcError(
          '2200H',
          `nextval: reached ${up ? 'maximum' : 'minimum'} value of sequence "${sequence.name}" (${up ? sequence.max : sequence.min})`,
        );
      }
      next = BigInt(up ? sequence.min : sequence.max);
    }
    this.#values.set(sequence.number, { value: next, called: true });
    return whole(next);
  }

  setval(sequence: Sequence, value: Whole, called: boolean): void {
    this.#values.set(sequence.number, { value: BigInt(value), called });
  }
}
