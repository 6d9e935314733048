/** A clock that moves only when stepped, so that a run always has the same times. */
import type { Micros } from '../../src/base/brands.ts';
import { type Clock, formatMicros } from '../../src/base/clock.ts';

export class SteppedClock implements Clock {
  #now: number;

  /** Starts at 2026-01-01T00:00:00Z. */
  constructor(startMicros = 1_767_225_600_000_000) {
    this.#now = startMicros;
  }

  nowMicros(): Micros {
    return this.#now as Micros;
  }

  step(ms = 1000): void {
    this.#now += ms * 1000;
  }

  /** Now, as users write it. */
  iso(): string {
    return formatMicros(this.nowMicros());
  }
}
