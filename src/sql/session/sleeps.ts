/**
 * pg_sleep without blocking a thread: a call that has not slept yet stops its statement, which waits and is retried, like a lock
 * wait. Under READ COMMITTED the statement therefore reads the state after the sleep.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { RetryStatement } from '../../locks/lock-wait.ts';

/** The longest timer delay. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export class Sleep extends RetryStatement {
  readonly ms: number;

  constructor(ms: number) {
    super();
    this.ms = ms;
  }
}

export class Sleeps {
  /** Calls of this run whose sleep is over. */
  #taken = 0;
  /** Calls to come whose sleep is over. */
  #carried = 0;
  #wake: ((error: SvcError) => void) | null = null;

  /** A new statement begins (not a retry). */
  begin(): void {
    this.#taken = 0;
    this.#carried = 0;
  }

  /** The start of the part that is retried. */
  mark(): void {
    this.#taken = 0;
  }

  /** Returns if the call's sleep is over. */
  sleep(ms: number): void {
    if (!(ms > 0)) return;
    if (this.#carried === 0) throw new Sleep(ms);
    this.#carried--;
    this.#taken++;
  }

  /** 57014 after `mostMs`, or on cancel. */
  async wait({ ms }: Sleep, mostMs: number): Promise<void> {
    const until = performance.now() + ms;
    const end = performance.now() + mostMs;
    try {
      for (let now = performance.now(); now < until && now < end; now = performance.now()) await this.#nap(Math.min(until - now, end - now));
    } finally {
      this.#wake = null;
    }
    if (end < until) throw new SvcError('57014', 'canceling statement due to statement timeout');
    this.#carried += this.#taken + 1;
    this.#taken = 0;
  }

  #nap(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, Math.min(Math.ceil(ms), TIMER_MS_MAX));
      this.#wake = (error) => {
        clearTimeout(timer);
        reject(error);
      };
    });
  }

  wake(error: SvcError): void {
    this.#wake?.(error);
  }
}
