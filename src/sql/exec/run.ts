/**
 * One run of a compiled plan: its context, the states of its pipelines (by the number that the compiler gave
 * each), the values of outer columns, and the clock of its time slice.
 */
import type { ExecContext } from './context.ts';
import type { Value } from '../types/value.ts';
import type { Batch, Batches } from './batch.ts';
import { YIELD } from './batch.ts';

/** Long enough that turning the event loop costs nothing, short enough that other clients do not notice. */
const SLICE_MS = 5;
/** The clock is read once in so many chunks of rows. */
const CHUNKS_PER_CLOCK = 4;

export class Run {
  readonly context: ExecContext;
  readonly states: unknown[];
  /** Values of outer columns, for subqueries and lateral joins. */
  readonly slots: Value[];
  #chunks = 0;
  #deadline: number;

  constructor(context: ExecContext, stateCount: number, slotCount: number) {
    this.context = context;
    this.states = new Array(stateCount).fill(undefined);
    this.slots = new Array(slotCount).fill(null);
    this.#deadline = performance.now() + SLICE_MS;
  }

  /** Whether the time slice is over. Called once a chunk of rows. */
  overdue(): boolean {
    if (++this.#chunks < CHUNKS_PER_CLOCK) return false;
    this.#chunks = 0;
    return performance.now() > this.#deadline;
  }

  /** The same, after work that takes long itself. */
  late(): boolean {
    return performance.now() > this.#deadline;
  }

  newSlice(): void {
    this.#deadline = performance.now() + SLICE_MS;
  }

  /** Runs to the end in one go, for subqueries inside an expression; only cancel is heeded. */
  drain(batches: Batches, take: (batch: Batch) => boolean | void): void {
    for (;;) {
      const next = batches.next();
      if (next.done === true) return;
      if (next.value === YIELD) this.context.checkCancel();
      else if (take(next.value) === false) {
        batches.return(undefined);
        return;
      }
    }
  }
}
