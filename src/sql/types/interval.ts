/** An SQL interval: months, days and microseconds are kept apart, as in Postgres. */
import type { Whole } from './value.ts';

export class Interval {
  readonly months: number;
  readonly days: number;
  readonly micros: Whole;

  constructor(months: number, days: number, micros: Whole) {
    this.months = months;
    this.days = days;
    this.micros = micros;
  }
}
