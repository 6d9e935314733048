/**
 * Fair shares of the event loop for requests that arrive together. A turn of the loop reads all input and would run all of it before it
 * reads more: twenty requests of ten milliseconds block all others for two hundred. Past its budget a turn starts no more
 * of them; they wait in order, and each later turn starts some, with sockets and disk completions handled in between.
 *
 *     enter ─ budget left ──────────────────────────→ work
 *           └ spent ─→ queue ─ next turn of the loop ─→ work, until the budget is spent …
 */

/** On a busy loop a request waits about this long for each longer one before it. */
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

  /** Null if the work may start at once, which is the case on an idle loop and allocates nothing. */
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

  /** Until it waits for the disk, a request runs in microtasks: the next one is started after them, so that their time is known. */
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
