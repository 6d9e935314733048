/**
 * The running operations of one connection. A line `{id, op: "cancel"}` cancels the one with that id, which then answers
 * 57014; for calls with `progress`, `{id, progress: {done, total}}` reports progress. Closing the connection cancels
 * everything.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { RunControl } from '../commands/contract.ts';

/** Minimum interval of progress lines. */
const PROGRESS_EVERY_MS = 100;

export class RunningCalls {
  readonly #running = new Map<unknown, AbortController>();

  /** Runs a call. `report`: null without progress reports. */
  async run<T>(id: unknown, report: RunControl['onProgress'] | null, act: (control: RunControl) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    this.#running.set(id, abort);
    let lastMs = -Infinity;
    const onProgress = (done: number, total: number): void => {
      const nowMs = performance.now();
      if (nowMs - lastMs < PROGRESS_EVERY_MS) return;
      lastMs = nowMs;
      report!(done, total);
    };
    try {
      return await act({ signal: abort.signal, ...(report === null ? {} : { onProgress }) });
    } finally {
      if (this.#running.get(id) === abort) this.#running.delete(id);
    }
  }

  /** False if no running call has the id. */
  cancel(id: unknown): boolean {
    const abort = this.#running.get(id);
    abort?.abort(cancelled());
    return abort !== undefined;
  }

  close(): void {
    for (const abort of this.#running.values()) abort.abort(cancelled());
  }
}

export function cancelled(): SvcError {
  return new SvcError('57014', 'canceling statement due to user request');
}
