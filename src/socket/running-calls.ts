/**
 * The operations that one connection has under way. A line `{id, op: "cancel"}` gives up the one of that id, which then
 * answers with 57014; where a call asked for it, `{id, progress: {done, total}}` says how far it is. Who hangs up gives
 * up everything.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl } from '../commands/contract.ts';

/** Lines of progress come no faster. */
const PROGRESS_EVERY_MS = 100;

export class RunningCalls {
  readonly #running = new Map<unknown, AbortController>();

  /** Runs one with what follows and ends it. `tell`: null where nobody asked. */
  async run<T>(id: unknown, tell: RunControl['onProgress'] | null, act: (control: RunControl) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    this.#running.set(id, abort);
    let toldMs = -Infinity;
    const onProgress = (done: number, total: number): void => {
      const nowMs = performance.now();
      if (nowMs - toldMs < PROGRESS_EVERY_MS) return;
      toldMs = nowMs;
      tell!(done, total);
    };
    try {
      return await act({ signal: abort.signal, ...(tell === null ? {} : { onProgress }) });
    } finally {
      if (this.#running.get(id) === abort) this.#running.delete(id);
    }
  }

  /** False where no call has the id (any more). */
  cancel(id: unknown): boolean {
    const abort = this.#running.get(id);
    abort?.abort(givenUp());
    return abort !== undefined;
  }

  close(): void {
    for (const abort of this.#running.values()) abort.abort(givenUp());
  }
}

export function givenUp(): SvcError {
  return new SvcError('57014', 'canceling statement due to user request');
}
