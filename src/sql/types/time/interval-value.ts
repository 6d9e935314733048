/** Infinite intervals, the order of intervals, and the two forms of a fixed number of microseconds. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../interval.ts';
import type { Whole } from '../value.ts';
import { MICROS_PER_DAY } from './calendar.ts';
import { addWhole, fitsInt32, fitsInt64, multiplyWhole } from './whole-arithmetic.ts';

/** Infinity has the extreme value in all three parts, as in Postgres's storage. */
export const POSITIVE_INFINITY = new Interval(2147483647, 2147483647, 9223372036854775807n);
export const NEGATIVE_INFINITY = new Interval(-2147483648, -2147483648, -9223372036854775808n);

export function isPositiveInfinity(span: Interval): boolean {
  return span.months === 2147483647 && span.days === 2147483647 && span.micros === 9223372036854775807n;
}

export function isNegativeInfinity(span: Interval): boolean {
  return span.months === -2147483648 && span.days === -2147483648 && span.micros === -9223372036854775808n;
}

export function isInfiniteInterval(span: Interval): boolean {
  return typeof span.micros === 'bigint' && (isPositiveInfinity(span) || isNegativeInfinity(span));
}

export function intervalOutOfRange(): SvcError {
  return new SvcError('22008', 'interval out of range');
}

/** A finite interval of parts with checked ranges. */
export function intervalOf(months: number, days: number, micros: Whole): Interval {
  if (!fitsInt32(months) || !fitsInt32(days) || !fitsInt64(micros)) throw intervalOutOfRange();
  const span = new Interval(months, days, micros);
  if (isInfiniteInterval(span)) throw intervalOutOfRange();
  return span;
}

/** The length in microseconds with months of 30 days and days of 24 hours, by which intervals are ordered. */
export function linearMicros(span: Interval): Whole {
  const days = span.months * 30 + span.days;
  return days === 0 ? span.micros : addWhole(multiplyWhole(days, MICROS_PER_DAY), span.micros);
}

export function compareIntervals(a: Interval, b: Interval): number {
  const [x, y] = [linearMicros(a), linearMicros(b)];
  return x < y ? -1 : x > y ? 1 : 0;
}

export function intervalSign(span: Interval): number {
  const length = linearMicros(span);
  return length > 0 ? 1 : length < 0 ? -1 : 0;
}
