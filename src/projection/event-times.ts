/** Times of events: never before the newest event's, even while the clock is behind it. */
import type { Micros } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';

export class EventTimes {
  readonly clock: Clock;
  /** Of the newest event. */
  last: Micros;

  constructor(clock: Clock, last: Micros) {
    this.clock = clock;
    this.last = last;
  }

  /** For the next event: while the clock is behind the newest event, each one still gets a time of its own. */
  next(): Micros {
    const now = this.clock.nowMicros();
    return (now >= this.last ? now : this.last + 1) as Micros;
  }

  /** Current time for relative times: the clock, or the newest event's time if the clock is behind it. */
  now(): Micros {
    return Math.max(this.last, this.clock.nowMicros()) as Micros;
  }

  /** How far the clock is behind the newest event, which was written with a clock ahead. */
  get clockBehindMs(): number {
    return Math.max(0, Math.floor((this.last - this.clock.nowMicros()) / 1000));
  }
}
