/** Sums, products and normal forms of intervals. Infinite ones absorb; an undefined result is 22008, as in Postgres. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../interval.ts';
import type { Whole } from '../value.ts';
import { MICROS_PER_DAY, SECONDS_PER_DAY } from './calendar.ts';
import {
  intervalOf,
  intervalOutOfRange,
  intervalSign,
  isInfiniteInterval,
  isNegativeInfinity,
  isPositiveInfinity,
  NEGATIVE_INFINITY,
  POSITIVE_INFINITY,
} from './interval-value.ts';
import { addWhole, divideWhole, negateWhole, remainderWhole, roundHalfEven, subtractWhole, wholeFromDouble } from './whole-arithmetic.ts';

export function negateInterval(span: Interval): Interval {
  if (isInfiniteInterval(span)) return isPositiveInfinity(span) ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
  return intervalOf(0 - span.months, 0 - span.days, negateWhole(span.micros));
}

export function addIntervals(a: Interval, b: Interval): Interval {
  if (isInfiniteInterval(a)) {
    if (isInfiniteInterval(b) && isPositiveInfinity(a) !== isPositiveInfinity(b)) throw intervalOutOfRange();
    return a;
  }
  if (isInfiniteInterval(b)) return b;
  return intervalOf(a.months + b.months, a.days + b.days, addWhole(a.micros, b.micros));
}

export function subtractIntervals(a: Interval, b: Interval): Interval {
  if (isInfiniteInterval(a)) {
    if (isInfiniteInterval(b) && isPositiveInfinity(a) === isPositiveInfinity(b)) throw intervalOutOfRange();
    return a;
  }
  if (isInfiniteInterval(b)) return isPositiveInfinity(b) ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
  return intervalOf(a.months - b.months, a.days - b.days, subtractWhole(a.micros, b.micros));
}

/** Rounds seconds to the microseconds that a double of them can represent. */
function roundSeconds(seconds: number): number {
  return roundHalfEven(seconds * 1_000_000) / 1_000_000;
}

/** Fractions of months and days carry over to the units below, at 30 days and 24 hours. */
function cascade(span: Interval, apply: (part: number) => number): Interval {
  const [exactMonths, exactDays] = [apply(span.months), apply(span.days)];
  const months = int32(exactMonths);
  let days = int32(exactDays);
  const monthDays = roundSeconds((exactMonths - months) * 30);
  const wholeMonthDays = Math.trunc(monthDays);
  let seconds = roundSeconds((exactDays - days + monthDays - wholeMonthDays) * SECONDS_PER_DAY);
  if (Math.abs(seconds) >= SECONDS_PER_DAY) {
    const carried = Math.trunc(seconds / SECONDS_PER_DAY);
    days = int32(days + carried);
    seconds -= carried * SECONDS_PER_DAY;
  }
  days = int32(days + wholeMonthDays);
  const micros = roundHalfEven(apply(Number(span.micros)) + seconds * 1_000_000);
  if (!(micros >= -9223372036854775808 && micros < 9223372036854775808)) throw intervalOutOfRange();
  return intervalOf(months, days, wholeFromDouble(micros));
}

function int32(value: number): number {
  const integer = Math.trunc(value) + 0;
  if (!(value >= -2147483648 && value < 2147483648)) throw intervalOutOfRange();
  return integer;
}

export function multiplyInterval(span: Interval, factor: number): Interval {
  if (factor !== factor) throw intervalOutOfRange();
  if (isInfiniteInterval(span)) {
    if (factor === 0) throw intervalOutOfRange();
    return factor < 0 ? negateInterval(span) : span;
  }
  if (factor === Infinity || factor === -Infinity) {
    const sign = intervalSign(span);
    if (sign === 0) throw intervalOutOfRange();
    return factor * sign < 0 ? NEGATIVE_INFINITY : POSITIVE_INFINITY;
  }
  return cascade(span, (part) => part * factor);
}

export function divideInterval(span: Interval, divisor: number): Interval {
  if (divisor === 0) throw new SvcError('22012', 'division by zero');
  if (divisor !== divisor) throw intervalOutOfRange();
  if (isInfiniteInterval(span)) {
    if (divisor === Infinity || divisor === -Infinity) throw intervalOutOfRange();
    return divisor < 0 ? negateInterval(span) : span;
  }
  return cascade(span, (part) => part / divisor);
}

/** Moves days of 24 hours from the time. */
export function justifyHours(span: Interval): Interval {
  if (isInfiniteInterval(span)) return span;
  const whole = Number(divideWhole(span.micros, MICROS_PER_DAY));
  let micros: Whole = remainderWhole(span.micros, MICROS_PER_DAY);
  let days = span.days + whole;
  if (days > 2147483647 || days < -2147483648) throw intervalOutOfRange();
  if (days > 0 && micros < 0) {
    micros += MICROS_PER_DAY;
    days--;
  } else if (days < 0 && micros > 0) {
    micros -= MICROS_PER_DAY;
    days++;
  }
  return intervalOf(span.months, days, micros);
}

/** Moves months of 30 days from the days. */
export function justifyDays(span: Interval): Interval {
  if (isInfiniteInterval(span)) return span;
  let months = span.months + Math.trunc(span.days / 30);
  let days = (span.days % 30) + 0;
  if (months > 2147483647 || months < -2147483648) throw intervalOutOfRange();
  if (months > 0 && days < 0) {
    days += 30;
    months--;
  } else if (months < 0 && days > 0) {
    days -= 30;
    months++;
  }
  return intervalOf(months, days, span.micros);
}

/** Both, with one sign for all parts. */
export function justifyInterval(span: Interval): Interval {
  if (isInfiniteInterval(span)) return span;
  let { months, days } = span;
  const wholeDays = Number(divideWhole(span.micros, MICROS_PER_DAY));
  let micros = remainderWhole(span.micros, MICROS_PER_DAY);
  days += wholeDays;
  months += Math.trunc(days / 30);
  days = (days % 30) + 0;
  if (months > 2147483647 || months < -2147483648) throw intervalOutOfRange();
  if (months > 0 && (days < 0 || (days === 0 && micros < 0))) {
    days += 30;
    months--;
  } else if (months < 0 && (days > 0 || (days === 0 && micros > 0))) {
    days -= 30;
    months++;
  }
  if (days > 0 && micros < 0) {
    micros += MICROS_PER_DAY;
    days--;
  } else if (days < 0 && micros > 0) {
    micros -= MICROS_PER_DAY;
    days++;
  }
  return intervalOf(months, days, micros);
}

/** The difference of infinity and any moment. */
export function infiniteInterval(positive: boolean): Interval {
  return positive ? POSITIVE_INFINITY : NEGATIVE_INFINITY;
}

export function isFiniteInterval(span: Interval): boolean {
  return !isPositiveInfinity(span) && !isNegativeInfinity(span);
}
