/**
 * Long work beside others, in slices between which the loop hears who came. A slice follows what came meanwhile: beside clients it takes half of what
 * their turn took and at least a tenth of a millisecond, so that one who sends again at once has the loop nearly for himself; where nobody comes
 * slices grow, as each costs a turn of the loop.
 *
 *     work ─ over? ─ rest ─→ a turn of the loop: messages, answers of the disk ─→ work …
 */
import { setImmediate as turn } from 'node:timers/promises';
import { runSteps } from './run-steps.ts';

const SLICE_MIN_MS = 0.1;
/** Whoever comes into silence waits for half of this. */
const SLICE_QUIET_MS = 2;
/** Where one turn of others takes long, as a large statement does. */
const SLICE_MAX_MS = 25;

let came = 0;

/** Somebody came whom slices are to let through. */
export function countComing(): void {
  came++;
}

/** How many came so far. */
export function comings(): number {
  return came;
}

/** Work that is done, or that goes on in slices. */
export type Begun<T> = { readonly done: true; readonly value: T } | { readonly done: false };

/** Runs steps for some milliseconds, in one turn: short work ends here, and nothing has moved meanwhile. */
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
 * Runs the rest of the steps in slices beside others. A step that gives true waits for what comes with a turn of the loop. `between` is called after
 * each turn with the steps so far; where it throws, they end there.
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

/** What a plan in slices stands on: states that stay meanwhile, and what is called after each turn with the steps so far. */
export interface Standing<S> {
  roots(): readonly S[];
  /** Gives what lets go of it. */
  hold(root: S): () => void;
  between(steps: number): void;
}

/** What is done in this time is done in one turn. */
const ALONE_MS = 10;

/** Times that a plan in slices may be lost to a world that moved meanwhile; after them it is made in one turn. */
export const LOST_MAX = 3;

/** The value, or a promise of it where others are let in (`mayWait`); the caller looks then whether it holds still. */
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

  /** Milliseconds of all slices, with what has passed of this one. */
  get busyMs(): number {
    return this.#endedMs + performance.now() - this.#begunMs;
  }

  get over(): boolean {
    return performance.now() - this.#begunMs >= this.#lengthMs;
  }

  /** Ends the slice; resolves where the next begins. */
  async rest(): Promise<void> {
    const endMs = performance.now();
    const before = came;
    this.#endedMs += endMs - this.#begunMs;
    await turn();
    this.#begunMs = performance.now();
    const othersMs = this.#begunMs - endMs;
    this.#lengthMs =
      came === before && othersMs < SLICE_QUIET_MS
        ? Math.min(SLICE_QUIET_MS, 2 * this.#lengthMs)
        : Math.max(SLICE_MIN_MS, Math.min(SLICE_MAX_MS, othersMs / 2));
  }
}
