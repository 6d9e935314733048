/**
 * The typmod of interval: its fields (`year to month`, …) and its digits of seconds. The upper half is a mask of fields, the lower
 * half the precision, as in Postgres.
 */
import { Interval } from '../interval.ts';
import type { Value, Whole } from '../value.ts';
import { MICROS_PER_HOUR, MICROS_PER_MINUTE } from './calendar.ts';
import { intervalOf, intervalOutOfRange, isInfiniteInterval } from './interval-value.ts';
import { checkPrecision, roundMicros } from './precision.ts';
import { fitsInt64, remainderWhole, subtractWhole } from './whole-arithmetic.ts';

const MONTH = 1 << 1;
const YEAR = 1 << 2;
const DAY = 1 << 3;
const HOUR = 1 << 10;
const MINUTE = 1 << 11;
const SECOND = 1 << 12;
export const FULL_RANGE = 0x7fff;
const FULL_PRECISION = 0xffff;

export const MINUTE_TO_SECOND = MINUTE | SECOND;

const RANGE_NAMES: ReadonlyMap<number, string> = new Map([
  [YEAR, ' year'],
  [MONTH, ' month'],
  [DAY, ' day'],
  [HOUR, ' hour'],
  [MINUTE, ' minute'],
  [SECOND, ' second'],
  [YEAR | MONTH, ' year to month'],
  [DAY | HOUR, ' day to hour'],
  [DAY | HOUR | MINUTE, ' day to minute'],
  [DAY | HOUR | MINUTE | SECOND, ' day to second'],
  [HOUR | MINUTE, ' hour to minute'],
  [HOUR | MINUTE | SECOND, ' hour to second'],
  [MINUTE | SECOND, ' minute to second'],
  [FULL_RANGE, ''],
]);

export function rangeOfTypmod(typmod: number): number {
  return typmod < 0 ? FULL_RANGE : (typmod >> 16) & 0x7fff;
}

/** The unit of a number without one: the smallest field of the range. */
export function smallestUnit(range: number): 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' {
  if (range === FULL_RANGE || range & SECOND) return 'second';
  if (range & MINUTE) return 'minute';
  if (range & HOUR) return 'hour';
  if (range & DAY) return 'day';
  return range & MONTH ? 'month' : range & YEAR ? 'year' : 'second';
}

export function formatIntervalTypmod(typmod: number): string {
  if (typmod < 0) return '';
  const precision = typmod & 0xffff;
  const name = RANGE_NAMES.get(rangeOfTypmod(typmod)) ?? '';
  return precision === FULL_PRECISION ? name : `${name}(${precision})`;
}

export function coerceInterval(value: Value, typmod: number): Interval {
  const span = value as Interval;
  if (typmod < 0 || isInfiniteInterval(span)) return span;
  const range = rangeOfTypmod(typmod);
  const precision = typmod & 0xffff;
  let { months, days, micros } = span;
  if (range !== FULL_RANGE) {
    if (range === YEAR) months -= months % 12;
    if (range & (YEAR | MONTH)) {
      days = 0;
      micros = 0;
    } else if (!(range & SECOND)) {
      micros = range & MINUTE ? truncate(micros, MICROS_PER_MINUTE) : range & HOUR ? truncate(micros, MICROS_PER_HOUR) : 0;
    }
  }
  if (precision !== FULL_PRECISION) {
    checkPrecision(precision, 'interval');
    micros = roundMicros(micros, precision);
    if (!fitsInt64(micros)) throw intervalOutOfRange();
  }
  return months === span.months && days === span.days && micros === span.micros ? span : intervalOf(months + 0, days, micros);
}

function truncate(micros: Whole, unit: number): Whole {
  return subtractWhole(micros, remainderWhole(micros, unit));
}
