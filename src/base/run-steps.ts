/** Runs work that is written in steps to its end, in one tick. */
export function runSteps<T>(steps: Generator<boolean | void, T>): T {
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}
