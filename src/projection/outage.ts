/**
 * The time from a failed write until the disk takes writes again (docs/decisions/004-repair-after-a-failed-write.md).
 *
 *   none ──begin──► restoring ──► refusing ──(repaired, tried every retryMs)──► none
 *
 * Writers are refused throughout. Restoring resets the state in memory to what is on disk; readers wait
 * for that, and are then served while the disk is still full.
 */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';

/** The disk is full or fails, and may recover. */
export function isDiskError(error: unknown): error is SvcError {
  return error instanceof SvcError && (error.code === '53100' || error.code === '58030');
}

export interface OutageSteps {
  /** Resets the state in memory to what is on disk. */
  restore(): Promise<void>;
  /** Repairs log and page store; rejects while the disk still refuses writes. */
  mend(): Promise<void>;
  /** Restoring or repairing failed for another reason than the disk: the engine must stop. */
  lost(error: unknown): void;
  /** Called with the error of a new outage, and with null at its end. */
  changed(error: SvcError | null): void;
}

export class Outage {
  readonly #steps: OutageSteps;
  readonly #retryMs: number;
  #error: SvcError | null = null;
  #held: Promise<void> | null = null;
  #retrying: Promise<void> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;
  /** The newest event on disk when each outage began: later ones were undone. */
  readonly cuts: Sequence[] = [];

  constructor(steps: OutageSteps, retryMs: number) {
    this.#steps = steps;
    this.#retryMs = retryMs;
  }

  /** Outages so far: work over several ticks compares it to find out whether its state was undone meanwhile. */
  get count(): number {
    return this.cuts.length;
  }

  /** The error for writers; null without an outage. */
  get error(): SvcError | null {
    return this.#error;
  }

  /** What readers wait for; null if they need not. */
  get held(): Promise<void> | null {
    return this.#held;
  }

  /** `durable`: the newest event on disk. `atOnce`: tries to end the outage right after restoring, while readers and writers still wait. */
  begin(error: SvcError, durable: Sequence, atOnce = false): void {
    if (this.#error !== null) return;
    this.#error = error;
    this.cuts.push(durable);
    void this.hold(async () => {
      try {
        await this.#steps.restore();
      } catch (cause) {
        this.#lose(cause);
        return;
      }
      if (atOnce) await this.#end();
    }).then(() => this.#schedule());
    this.#steps.changed(error);
  }

  /** Makes readers wait for `work`. */
  hold(work: () => Promise<void>): Promise<void> {
    const held = work().finally(() => {
      if (this.#held === held) this.#held = null;
    });
    this.#held = held;
    return held;
  }

  #schedule(): void {
    if (this.#closed || this.#error === null) return;
    this.#timer = setTimeout(() => void this.retry().then(() => this.#schedule()), this.#retryMs);
    this.#timer.unref();
  }

  /** Tries to end the outage now; `error` shows whether it did. */
  retry(): Promise<void> {
    this.#retrying ??= this.#retry().finally(() => {
      this.#retrying = null;
    });
    return this.#retrying;
  }

  async #retry(): Promise<void> {
    await this.#held;
    if (this.#error !== null && !this.#closed) await this.#end();
  }

  async #end(): Promise<void> {
    try {
      await this.#steps.mend();
    } catch (error) {
      // With the disk unchanged, `error` is already set.
      if (!isDiskError(error)) this.#lose(error);
      return;
    }
    this.#error = null;
    this.#steps.changed(null);
  }

  #lose(error: unknown): void {
    this.close();
    this.#steps.lost(error);
  }

  close(): void {
    this.#closed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }
}
