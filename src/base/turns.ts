/**
 * Fair scheduling of long work. It yields and waits here for its next turn: one waiter runs per turn of the event loop,
 * in order of arrival, and the loop polls for input in between. With a `setImmediate` each, all waiters would run in the same turn, and
 * input would wait for the slices of all of them together.
 *
 *     a, b, c wait:    a ─ poll ─ b ─ poll ─ c ─ poll ─ a …
 */

const waiting: ((() => void) | null)[] = [];
let head = 0;
let scheduled = false;

/** The consumed front of the queue is removed when it reaches this length. */
const CUT_COUNT = 1024;

/** Runs `run` in a turn of its own. */
export function inTurn(run: () => void): void {
  waiting.push(run);
  if (scheduled) return;
  scheduled = true;
  setImmediate(next);
}

/** Resolves in a turn of its own. */
export function turn(): Promise<void> {
  return new Promise(inTurn);
}

function next(): void {
  const run = waiting[head]!;
  waiting[head++] = null;
  if (head === waiting.length) {
    waiting.length = 0;
    head = 0;
    scheduled = false;
  } else {
    if (head >= CUT_COUNT && head * 2 >= waiting.length) {
      waiting.splice(0, head);
      head = 0;
    }
    setImmediate(next);
  }
  run();
}
