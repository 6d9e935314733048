/**
 * An agent's current use of its quotas: writes of the last minute and running statements. In memory only, as the contract
 * says: a restart resets it. Times are milliseconds of a monotonic clock.
 */
import { SvcError } from '../base/errors/svc-error.ts';

export class AgentUsage {
  #tokens = -1;
  #filledAtMs = 0;
  #rate = 0;
  running = 0;

  /** Takes one write from the minute's token bucket, which holds a minute's worth and fills steadily. 53400 if it is empty. */
  write(perMinute: number, nowMs: number, who: string): void {
    if (perMinute === 0) return;
    if (this.#tokens < 0 || this.#rate !== perMinute) {
      // A new rate keeps what was used of the old one.
      const used = this.#tokens < 0 ? 0 : Math.max(0, this.#rate - this.#tokens);
      this.#tokens = Math.max(0, perMinute - used);
      this.#rate = perMinute;
    } else this.#tokens = Math.min(perMinute, this.#tokens + ((nowMs - this.#filledAtMs) * perMinute) / 60_000);
    this.#filledAtMs = nowMs;
    if (this.#tokens < 1) {
      const waitMs = Math.ceil(((1 - this.#tokens) * 60_000) / perMinute);
      throw new SvcError('53400', `${who} writes too fast: writes_per_minute is ${perMinute}`, { hint: `Try again in ${waitMs} ms.` });
    }
    this.#tokens -= 1;
  }

  /** Begins a statement or request, ended by `leave`. 53300 if the maximum is running. */
  enter(most: number, who: string): void {
    if (most > 0 && this.running >= most) {
      throw new SvcError('53300', `${who} runs ${this.running} statements and requests already: max_concurrent is ${most}`, {
        hint: 'Wait for one of them to end.',
        status: 429,
      });
    }
    this.running++;
  }

  leave(): void {
    this.running--;
  }
}
