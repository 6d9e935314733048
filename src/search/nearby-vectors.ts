/**
 * The approximate index of each segment that has many vectors. It is built after the segment, beside other work; until then all vectors are
 * compared.
 */
import { Slices } from '../base/slices.ts';
import { triedLists } from './list-reads.ts';
import { buildLists, LISTS_FROM, type TriedLists } from './vector-lists.ts';
import type { VectorSegment } from './vector-segment.ts';

/** A search does not wait for the index, so its build leaves the loop to others at least as often as they need: with its last step a turn stays below 10 ms. */
const SLICE_MAX_MS = 5;

export class NearbyVectors {
  readonly #lists = new WeakMap<VectorSegment, TriedLists>();
  #building = false;
  #closed = false;
  /** How many were built. */
  built = 0;

  /** Null: all vectors are to be compared. */
  of(segment: VectorSegment): TriedLists | null {
    if (segment.rows.length < LISTS_FROM) return null;
    const lists = this.#lists.get(segment);
    if (lists !== undefined) return lists;
    if (!this.#building && !this.#closed) void this.#build(segment);
    return null;
  }

  close(): void {
    this.#closed = true;
  }

  /** One at a time; a search starts the next. */
  async #build(segment: VectorSegment): Promise<void> {
    this.#building = true;
    try {
      const slices = new Slices(SLICE_MAX_MS);
      const steps = stepsOf(segment);
      for (;;) {
        if (slices.over) await slices.rest();
        if (this.#closed) return;
        const next = steps.next();
        if (next.done !== true) continue;
        this.#lists.set(segment, next.value);
        this.built++;
        return;
      }
    } finally {
      this.#building = false;
    }
  }
}

function* stepsOf(segment: VectorSegment): Generator<void, TriedLists> {
  return yield* triedLists(yield* buildLists(segment), segment);
}
