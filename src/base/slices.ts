/**
 * Long work in time slices, between which the event loop handles input. The slice adapts to the load: with active clients it is half of what
 * their turn took and at least a tenth of a millisecond, so that a client that sends again at once gets most of the loop; without clients
 * slices grow, as each costs a turn of the loop.
 *
 *     work ─ over? ─ rest ─→ a turn of the loop: messages, answers of the disk ─→ work …
 */
import { setImmediate as turn } from 'node:timers/promises';
import { runSteps } from './run-steps.ts';

const SLICE_MIN_MS = 0.1;
/** The first client after a quiet time waits for half of this on average. */
const SLICE_QUIET_MS = 2;
/** Maximum slice, if turns of other work are long, as for large statements. */
const SLICE_MAX_MS = 25;

let came = 0;

/** Counts input that slices should let through. */
export function countComing(): void {
  came++;
}

/** Number of inputs so far. */
export function comings(): number {
  return came;
}

/** Work that is done, or that continues in time slices. */
export type Begun<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/** Runs steps for some milliseconds in one tick: short work ends here, with unchanged state. */
export function beginSteps<T>(steps: Generator<boolean | void, T>, ms: number): Begun<T> {
  const until = performance.now() + ms;
  do {
    const next = steps.next();
    if (next.done === true) return { done: true, value: next.value };
    if (next.value === true) break;
  } while (performance.now() < until);
  return { done: false };
}

/**
 * Runs the remaining steps in time slices. A step that yields true waits for an event. `between` is called after each turn
 * with the number of steps so far; if it throws, the work ends.
 */
async function finishSteps<T>(steps: Generator<boolean | void, T>, between: (steps: number) => void): Promise<T> {
  const slices = new Slices();
  try {
    for (let done = 0; ;) {
      await slices.rest();
      between(done);
      for (;;) {
        const next = steps.next();
        if (next.done === true) return next.value;
        done++;
        if (next.value === true || slices.over) break;
      }
    }
  } catch (error) {
    steps.return(undefined as T);
    throw error;
  }
}

/** The states that a sliced plan reads, which are pinned, and a callback after each turn. */
export interface Standing<S> {
  roots(): readonly S[];
  /** Returns the release. */
  hold(root: S): () => void;
  between(steps: number): void;
}

/** Work shorter than this is done in one tick. */
const ALONE_MS = 10;

/** Times that a sliced plan may be invalidated by a changed world; after that it is made in one tick. */
export const LOST_MAX = 3;

/** The value, or a promise of it if the work yields (`mayWait`); the caller then checks that it is still valid. */
export function inTurns<T, S>(steps: Generator<boolean | void, T>, mayWait: boolean, standing: Standing<S>): T | Promise<T> {
  const begun: Begun<T> = mayWait ? beginSteps(steps, ALONE_MS) : { done: true, value: runSteps(steps) };
  if (begun.done) return begun.value;
  const releases = standing.roots().map((root) => standing.hold(root));
  return finishSteps(steps, (done) => standing.between(done)).finally(() => {
    for (const release of releases) release();
  });
}

export class Slices {
  #endedMs = 0;
  #begunMs = performance.now();
  #lengthMs = SLICE_MIN_MS;
  readonly #maxMs: number;

  /** `maxMs`: the longest slice, also where turns of other work are long. */
  constructor(maxMs = SLICE_MAX_MS) {
    this.#maxMs = maxMs;
  }

  /** Milliseconds of all slices, including the current one. */
  get busyMs(): number {
    return this.#endedMs + performance.now() - this.#begunMs;
  }

  get over(): boolean {
    return performance.now() - this.#begunMs >= this.#lengthMs;
  }

  /** Ends the slice; resolves when the next begins. */
  async rest(): Promise<void> {
    const endMs = performance.now();
    const before = came;
    this.#endedMs += endMs - this.#begunMs;
    await turn();
    this.#begunMs = performance.now();
    const othersMs = this.#begunMs - endMs;
    this.#lengthMs =
      came === before && othersMs < SLICE_QUIET_MS ? Math.min(SLICE_QUIET_MS, 2 * this.#lengthMs) : Math.max(SLICE_MIN_MS, Math.min(this.#maxMs, othersMs / 2));
  }
}
