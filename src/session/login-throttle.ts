/**
 * Delay after failed logins, per client address and for both ports. Some tries are free; then each failure doubles the delay,
 * starting at a second. Tries during the delay are refused at once, even with the right credential, so that parallel guessing
 * gains nothing. A success changes nothing. In memory only.
 */
import { SvcError } from '../base/errors/svc-error.ts';

const FREE_TRIES = 10;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const FORGOTTEN_MS = 15 * 60_000;
/** With more addresses than this, those that failed longest ago are dropped. */
const ADDRESSES_MAX = 100_000;

interface Failures {
  count: number;
  lastMs: number;
  waitUntilMs: number;
}

export class LoginThrottle {
  readonly #freeTries: number;
  readonly #nowMs: () => number;
  /** Ordered by latest failure. */
  readonly #failures = new Map<string, Failures>();

  constructor(freeTries = FREE_TRIES, nowMs: () => number = () => performance.now()) {
    this.#freeTries = freeTries;
    this.#nowMs = nowMs;
  }

  /** Call before a credential is checked. 28P01 (429) during the delay. */
  check(address: string): void {
    if (this.#failures.size === 0) return;
    const known = this.#known(normal(address));
    if (known === undefined) return;
    const leftMs = known.waitUntilMs - this.#nowMs();
    if (leftMs <= 0) return;
    throw new SvcError('28P01', 'too many failed logins from this address', { hint: `Try again in ${Math.ceil(leftMs / 1000)} s.`, status: 429 });
  }

  /** A wrong password or token. */
  failed(address: string): void {
    const key = normal(address);
    const nowMs = this.#nowMs();
    const known = this.#known(key) ?? { count: 0, lastMs: 0, waitUntilMs: 0 };
    known.count++;
    known.lastMs = nowMs;
    if (known.count >= this.#freeTries) known.waitUntilMs = nowMs + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (known.count - this.#freeTries));
    this.#failures.delete(key);
    this.#failures.set(key, known);
    if (this.#failures.size > ADDRESSES_MAX) this.#failures.delete(this.#failures.keys().next().value!);
  }

  #known(key: string): Failures | undefined {
    const known = this.#failures.get(key);
    if (known === undefined || this.#nowMs() - known.lastMs < FORGOTTEN_MS) return known;
    this.#failures.delete(key);
    return undefined;
  }
}

/** An IPv4 address is the same client in either address family. */
function normal(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}
