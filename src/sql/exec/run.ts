/**
 * One run of a compiled plan: its context, the states of its pipelines (by the number that the compiler gave
 * each), the values of outer columns, and the clock of its time slice.
 */
import type { ExecContext } from './context.ts';
import type { Value } from '../types/value.ts';
import type { Yield } from './batch.ts';

/** Long enough that turning the event loop costs nothing, short enough that other clients do not notice. */
const SLICE_MS = 5;

export class Run {
  readonly context: ExecContext;
  readonly states: unknown[];
  /** Values of outer columns, for subqueries and lateral joins. */
  readonly slots: Value[];
  /** When the time slice is over. */
  deadline: number;

  constructor(context: ExecContext, stateCount: number, slotCount: number) {
    this.context = context;
    this.states = new Array(stateCount).fill(undefined);
    this.slots = new Array(slotCount).fill(null);
    this.deadline = performance.now() + SLICE_MS;
  }

  /** Whether the time slice is over. Asked after some hundred rows, or work that takes long itself. */
  late(): boolean {
    return performance.now() > this.deadline;
  }

  newSlice(): void {
    this.deadline = performance.now() + SLICE_MS;
  }

  /** Runs steps to their end in one go, where nobody can be let in between; only cancel is heeded. */
  finish<T>(steps: Generator<Yield, T>): T {
    for (;;) {
      const next = steps.next();
      if (next.done === true) return next.value;
      this.context.checkCancel();
      this.newSlice();
    }
  }
}
