/**
 * The time from a failed write until the disk takes writes again (docs/decisions/004-repair-after-a-failed-write.md).
 *
 *   none ──begin──► restoring ──► refusing ──(mended, tried every retryMs)──► none
 *
 * Writers are refused throughout. Restoring takes the state in memory back to what is on disk; readers wait
 * for that, and after it are answered while the disk is still full.
 */
import type { Sequence } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';

/** The disk is full or fails, and may work again. */
export function isDiskError(error: unknown): error is SvcError {
  return error instanceof SvcError && (error.code === '53100' || error.code === '58030');
}

export interface OutageSteps {
  /** Takes the state back to what is on disk. */
  restore(): Promise<void>;
  /** Makes log and page store take writes again; rejects where the disk still refuses them. */
  mend(): Promise<void>;
  /** Restoring or mending met more than a disk that refuses: there is nothing to go on from. */
  lost(error: unknown): void;
  /** A new outage, or null at its end. */
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
  /** The newest event on disk when each outage began: what came after it was taken back. */
  readonly cuts: Sequence[] = [];

  constructor(steps: OutageSteps, retryMs: number) {
    this.#steps = steps;
    this.#retryMs = retryMs;
  }

  /** Outages so far: whoever worked across turns compares it, to learn that the state was taken back meanwhile. */
  get count(): number {
    return this.cuts.length;
  }

  /** What writers are refused with; null while there is no outage. */
  get error(): SvcError | null {
    return this.#error;
  }

  /** What readers wait for; null where they need not. */
  get held(): Promise<void> | null {
    return this.#held;
  }

  /** `durable`: the newest event on disk. `atOnce`: nothing has to be waited for before the state is whole again, and who reads or writes waits for both. */
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

  /** Lets readers wait for `work`. */
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

  /** Tries to end the outage now; whether it did shows in `error`. */
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
      // Where the disk is as it was, `error` already says so.
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
