/**
 * The proleptic Gregorian calendar and the split of timestamps into days and time of day.
 *
 * Years are astronomical: 1 BC is 0. Days count from 2000-01-01, timestamps in microseconds from its midnight.
 */
import { whole, type Whole } from '../value.ts';

export const MICROS_PER_SECOND = 1_000_000;
export const MICROS_PER_MINUTE = 60_000_000;
export const MICROS_PER_HOUR = 3_600_000_000;
export const MICROS_PER_DAY = 86_400_000_000;
export const SECONDS_PER_DAY = 86_400;

/** Julian day of 2000-01-01. */
export const EPOCH_JULIAN_DAY = 2451545;
/** Days from 2000-01-01 to 1970-01-01. */
export const UNIX_EPOCH_DAYS = -10957;
export const UNIX_EPOCH_MICROS = UNIX_EPOCH_DAYS * MICROS_PER_DAY;

/** 4714-11-24 BC, the first day of dates and timestamps. */
export const DATE_MIN = -2451545;
/** The day after 5874897-12-31. */
export const DATE_END = 2147483494 - EPOCH_JULIAN_DAY;
/** The day after 294276-12-31. */
export const TIMESTAMP_END_DAY = 106751983;

export const TIMESTAMP_MIN = -211813488000000000n;
export const TIMESTAMP_END = 9223371331200000000n;

/** Day counts within which a number of microseconds stays a safe integer. */
const SAFE_DAYS = 104_248;

export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** A timestamp taken apart; `micros` is the fraction of the second. */
export interface Moment extends CivilDate {
  hour: number;
  minute: number;
  second: number;
  micros: number;
  /** Seconds east of UTC of the zone it was taken apart in. */
  offset: number;
  /** Abbreviation of that zone at that time, null without one. */
  zone: string | null;
}

const MONTH_LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** `month` is 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : MONTH_LENGTHS[month - 1]!;
}

/** Days since 2000-01-01. Months beyond 1–12 are not normalized; days may be any. */
export function daysFromCivil(year: number, month: number, day: number): number {
  // Years that begin in March put the leap day last, so month lengths follow one formula.
  const y = month <= 2 ? year - 1 : year;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146097 + dayOfEra - 730425;
}

export function civilFromDays(days: number): CivilDate {
  const z = days + 730425;
  const era = Math.floor(z / 146097);
  const dayOfEra = z - era * 146097;
  const yearOfEra = Math.floor((dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const mp = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * mp + 2) / 5) + 1;
  const month = mp < 10 ? mp + 3 : mp - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return { year, month, day };
}

/** 0 is Sunday. */
export function dayOfWeek(days: number): number {
  const r = (days + 6) % 7;
  return r < 0 ? r + 7 : r;
}

export function dayOfYear(year: number, month: number, day: number): number {
  return daysFromCivil(year, month, day) - daysFromCivil(year, 1, 1) + 1;
}

/** The Monday that begins week 1 of an ISO year. */
export function isoYearStart(year: number): number {
  const fourth = daysFromCivil(year, 1, 4);
  return fourth - ((dayOfWeek(fourth) + 6) % 7);
}

export function isoYearOf(days: number): number {
  const { year } = civilFromDays(days);
  if (days < isoYearStart(year)) return year - 1;
  return days >= isoYearStart(year + 1) ? year + 1 : year;
}

export function isoWeekOf(days: number): number {
  return Math.floor((days - isoYearStart(isoYearOf(days))) / 7) + 1;
}

/** Whether Postgres's Julian-day arithmetic covers the date. */
export function isJulianRange(year: number, month: number): boolean {
  return (year > -4713 || (year === -4713 && month >= 11)) && (year < 5874898 || (year === 5874898 && month < 6));
}

export function isDateRange(days: number): boolean {
  return days >= DATE_MIN && days < DATE_END;
}

export function isTimestampRange(timestamp: Whole): boolean {
  return timestamp >= TIMESTAMP_MIN && timestamp < TIMESTAMP_END;
}

export function isInfinite(value: unknown): boolean {
  return value === Infinity || value === -Infinity;
}

/** The day that a finite timestamp lies in. */
export function dayOfTimestamp(timestamp: Whole): number {
  if (typeof timestamp === 'number') {
    const day = Math.floor(timestamp / MICROS_PER_DAY);
    // The quotient may have been rounded up to the next day.
    return day * MICROS_PER_DAY > timestamp ? day - 1 : day;
  }
  const divisor = 86_400_000_000n;
  const day = timestamp / divisor;
  return Number(day * divisor > timestamp ? day - 1n : day);
}

/** Microseconds since midnight of `day`, given that the timestamp lies in it. */
export function timeOfTimestamp(timestamp: Whole, day: number): number {
  if (typeof timestamp === 'number') return timestamp - day * MICROS_PER_DAY;
  return Number(timestamp - BigInt(day) * 86_400_000_000n);
}

export function timestampOf(day: number, timeMicros: number): Whole {
  if (day >= -SAFE_DAYS && day < SAFE_DAYS) {
    const sum = day * MICROS_PER_DAY + timeMicros;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return whole(BigInt(day) * 86_400_000_000n + BigInt(timeMicros));
}

/** Whole seconds since 2000-01-01, rounded down. */
export function secondsOfTimestamp(timestamp: Whole): number {
  if (typeof timestamp === 'number') return Math.floor(timestamp / MICROS_PER_SECOND);
  const seconds = timestamp / 1_000_000n;
  return Number(seconds * 1_000_000n > timestamp ? seconds - 1n : seconds);
}

/** Takes a finite local timestamp apart. */
export function momentOf(timestamp: Whole, offset = 0, zone: string | null = null): Moment {
  const days = dayOfTimestamp(timestamp);
  const { year, month, day } = civilFromDays(days);
  const time = timeOfTimestamp(timestamp, days);
  const seconds = Math.floor(time / MICROS_PER_SECOND);
  const minutes = Math.floor(seconds / 60);
  const hour = Math.floor(minutes / 60);
  return { year, month, day, hour, minute: minutes - hour * 60, second: seconds - minutes * 60, micros: time - seconds * MICROS_PER_SECOND, offset, zone };
}

export function timeOf(hour: number, minute: number, second: number, micros: number): number {
  return ((hour * 60 + minute) * 60 + second) * MICROS_PER_SECOND + micros;
}
