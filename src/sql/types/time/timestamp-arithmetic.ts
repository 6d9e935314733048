/** Timestamps and dates: conversions, plus and minus intervals. `zone` is the zone whose calendar counts months and days, null for timestamps without one. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../interval.ts';
import type { Whole } from '../value.ts';
import {
  civilFromDays,
  dayOfTimestamp,
  daysFromCivil,
  daysInMonth,
  EPOCH_JULIAN_DAY,
  isInfinite,
  isTimestampRange,
  MICROS_PER_SECOND,
  momentOf,
  secondsOfTimestamp,
  timeOfTimestamp,
  TIMESTAMP_END_DAY,
  timestampOf,
} from './calendar.ts';
import { infiniteInterval, justifyHours, negateInterval } from './interval-arithmetic.ts';
import { intervalOutOfRange, isInfiniteInterval, isPositiveInfinity } from './interval-value.ts';
import { addWhole, fitsInt64, subtractWhole } from './whole-arithmetic.ts';
import type { Zone } from './zones.ts';

export function timestampOutOfRange(): SvcError {
  return new SvcError('22008', 'timestamp out of range');
}

function checked(timestamp: Whole): Whole {
  if (!isTimestampRange(timestamp)) throw timestampOutOfRange();
  return timestamp;
}

/** The result may be out of range. */
export function localToUtcUnchecked(local: Whole, zone: Zone): Whole {
  if (isInfinite(local)) return local;
  return subtractWhole(local, zone.offsetAtLocal(secondsOfTimestamp(local)) * MICROS_PER_SECOND);
}

export function localToUtc(local: Whole, zone: Zone): Whole {
  return isInfinite(local) ? local : checked(localToUtcUnchecked(local, zone));
}

export function utcToLocal(timestamp: Whole, zone: Zone): Whole {
  if (isInfinite(timestamp)) return timestamp;
  return checked(addWhole(timestamp, zone.offsetAt(secondsOfTimestamp(timestamp)) * MICROS_PER_SECOND));
}

/** Like utcToLocal, for a local time that is only decomposed. */
export function utcToLocalUnchecked(timestamp: Whole, zone: Zone): Whole {
  return isInfinite(timestamp) ? timestamp : addWhole(timestamp, zone.offsetAt(secondsOfTimestamp(timestamp)) * MICROS_PER_SECOND);
}

/** Midnight of a date; dates have a larger range than timestamps. */
export function timestampOfDate(date: number): Whole {
  if (isInfinite(date)) return date;
  if (date >= TIMESTAMP_END_DAY) throw dateOutOfRangeForTimestamp();
  return timestampOf(date, 0);
}

export function dateOutOfRangeForTimestamp(): SvcError {
  return new SvcError('22008', 'date out of range for timestamp');
}

export function timestampOfDateUnchecked(date: number): Whole {
  return isInfinite(date) ? date : timestampOf(date, 0);
}

export function timestampTzOfDate(date: number, zone: Zone): Whole {
  const timestamp = localToUtcUnchecked(timestampOfDate(date), zone);
  if (!isInfinite(timestamp) && !isTimestampRange(timestamp)) throw dateOutOfRangeForTimestamp();
  return timestamp;
}

export function dateOfTimestamp(local: Whole): number {
  return isInfinite(local) ? (local as number) : dayOfTimestamp(local);
}

function monthsLater(local: Whole, months: number): Whole {
  const day = dayOfTimestamp(local);
  const date = civilFromDays(day);
  const index = date.month - 1 + months;
  const year = date.year + Math.floor(index / 12);
  const month = index - Math.floor(index / 12) * 12 + 1;
  // The 31st becomes the last day of a shorter month.
  const monthDay = Math.min(date.day, daysInMonth(year, month));
  return timestampOf(daysFromCivil(year, month, monthDay), timeOfTimestamp(local, day));
}

function daysLater(local: Whole, days: number): Whole {
  const day = dayOfTimestamp(local);
  const later = day + days;
  if (later < -EPOCH_JULIAN_DAY || later + EPOCH_JULIAN_DAY > 2147483647) throw timestampOutOfRange();
  return timestampOf(later, timeOfTimestamp(local, day));
}

export function addInterval(timestamp: Whole, span: Interval, zone: Zone | null): Whole {
  if (isInfiniteInterval(span)) {
    const sign = isPositiveInfinity(span) ? Infinity : -Infinity;
    if (timestamp === -sign) throw timestampOutOfRange();
    return sign;
  }
  if (isInfinite(timestamp)) return timestamp;
  let result = timestamp;
  if (span.months !== 0) {
    if (zone === null) result = checked(monthsLater(result, span.months));
    else result = checked(localToUtcUnchecked(monthsLater(utcToLocalUnchecked(result, zone), span.months), zone));
  }
  if (span.days !== 0) {
    if (zone === null) result = checked(daysLater(result, span.days));
    else result = checked(localToUtcUnchecked(daysLater(utcToLocalUnchecked(result, zone), span.days), zone));
  }
  return span.micros === 0 ? result : checked(addWhole(result, span.micros));
}

export function subtractInterval(timestamp: Whole, span: Interval, zone: Zone | null): Whole {
  return addInterval(timestamp, negateInterval(span), zone);
}

/** The result if one timestamp is infinite, otherwise null. */
function infiniteDifference(a: Whole, b: Whole): Interval | null {
  if (isInfinite(a)) {
    if (a === b) throw intervalOutOfRange();
    return infiniteInterval(a === Infinity);
  }
  return isInfinite(b) ? infiniteInterval(b === -Infinity) : null;
}

/** In days and time. */
export function subtractTimestamps(a: Whole, b: Whole): Interval {
  if (isInfinite(a) || isInfinite(b)) throw new SvcError('22008', 'cannot subtract infinite timestamps');
  const micros = subtractWhole(a, b);
  if (!fitsInt64(micros)) throw intervalOutOfRange();
  return justifyHours(new Interval(0, 0, micros));
}

/** In years, months, days and time, counted by the calendar; arguments are local. */
export function ageBetween(a: Whole, b: Whole): Interval {
  const infinite = infiniteDifference(a, b);
  if (infinite !== null) return infinite;
  const [x, y] = [momentOf(a), momentOf(b)];
  const sign = a < b ? -1 : 1;
  let micros = (x.micros - y.micros) * sign;
  let seconds = (x.second - y.second) * sign;
  let minutes = (x.minute - y.minute) * sign;
  let hours = (x.hour - y.hour) * sign;
  let days = (x.day - y.day) * sign;
  let months = ((x.year - y.year) * 12 + x.month - y.month) * sign;
  if (micros < 0) {
    micros += MICROS_PER_SECOND;
    seconds--;
  }
  if (seconds < 0) {
    seconds += 60;
    minutes--;
  }
  if (minutes < 0) {
    minutes += 60;
    hours--;
  }
  if (hours < 0) {
    hours += 24;
    days--;
  }
  const earlier = sign < 0 ? x : y;
  while (days < 0) {
    days += daysInMonth(earlier.year, earlier.month);
    months--;
  }
  const time = ((hours * 60 + minutes) * 60 + seconds) * MICROS_PER_SECOND + micros;
  return new Interval(months * sign + 0, days * sign + 0, time * sign + 0);
}
