/**
 * Fair shares of the event loop for requests that arrive together. A turn of the loop hears all that has come and would run it all before it
 * hears of anything else: twenty requests of ten milliseconds hold everybody else for two hundred. Past its budget a turn starts no more
 * of them; they wait in order, and each later turn starts some, with sockets and answers of the disk heard in between.
 *
 *     enter ─ budget left ──────────────────────────→ work
 *           └ spent ─→ queue ─ next turn of the loop ─→ work, until the budget is spent …
 */

/** A request that comes into a busy loop waits about so long for each one before it that takes longer. */
const TURN_BUDGET_MS = 4;

export class Turnstile {
  readonly #waiting: (() => void)[] = [];
  /** When the turn's first work began; 0: none did. */
  #begunMs = 0;
  #draining = false;
  readonly #endTurn = (): void => {
    this.#begunMs = 0;
    if (this.#waiting.length > 0) this.#drain();
  };

  /** Null where the work may start at once, as it is where the loop has time: then nothing is allocated. */
  enter(): Promise<void> | null {
    if (this.#waiting.length === 0 && !this.#draining) {
      if (this.#begunMs === 0) {
        this.#begin();
        return null;
      }
      if (performance.now() - this.#begunMs < TURN_BUDGET_MS) return null;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #begin(): void {
    this.#begunMs = performance.now();
    setImmediate(this.#endTurn);
  }

  #drain(): void {
    this.#draining = true;
    this.#begin();
    this.#next();
  }

  /** What a request does before it waits for the disk runs in microtasks: the next one is started when they are over, so that their time is known. */
  readonly #next = (): void => {
    const start = this.#waiting.length > 0 && performance.now() - this.#begunMs < TURN_BUDGET_MS ? this.#waiting.shift() : undefined;
    if (start === undefined) {
      this.#draining = false;
      return;
    }
    start();
    queueMicrotask(this.#afterMicrotasks);
  };

  readonly #afterMicrotasks = (): void => process.nextTick(this.#next);
}
