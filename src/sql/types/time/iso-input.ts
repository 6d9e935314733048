/**
 * A fast path for the forms that programs write: `2024-01-31`, `2024-01-31 12:34:56.789`, with `T` between, with `Z`, `+02` or
 * `+02:00` after. They mean the same under every DateStyle. Anything else gives NaN and is left to the general parser, including
 * errors.
 */
import { daysFromCivil, daysInMonth, MICROS_PER_DAY } from './calendar.ts';

const DASH = 45;
const COLON = 58;

function two(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : NaN;
}

/** Days of the date in the first ten characters. */
export function readIsoDays(text: string): number {
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return NaN;
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  if (!(year > 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  return daysFromCivil(year, month, day);
}

/** End of the last parsed time of day. */
let timeEnd = 0;

/** Microseconds of the `12:34:56.789` at a position. */
export function readIsoTime(text: string, at: number): number {
  if (text.charCodeAt(at + 2) !== COLON || text.charCodeAt(at + 5) !== COLON) return NaN;
  const hour = two(text, at);
  const minute = two(text, at + 3);
  const second = two(text, at + 6);
  if (!(hour < 24 && minute < 60 && second < 60)) return NaN;
  let micros = 0;
  timeEnd = at + 8;
  if (text.charCodeAt(timeEnd) === 46) {
    let unit = 100_000;
    for (timeEnd++; timeEnd < text.length; timeEnd++) {
      const digit = text.charCodeAt(timeEnd) - 48;
      if (digit < 0 || digit > 9) break;
      if (unit < 1) return NaN;
      micros += digit * unit;
      unit /= 10;
    }
  }
  return ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros;
}

/** A time of day that is the whole text. */
export function readIsoTimeOfDay(text: string): number {
  const time = readIsoTime(text, 0);
  return timeEnd === text.length ? time : NaN;
}

export interface IsoTimestamp {
  day: number;
  time: number;
  /** Seconds east of UTC, NaN without a zone. */
  offset: number;
}

/** The result is overwritten by the next call. */
const result: IsoTimestamp = { day: 0, time: 0, offset: NaN };

export function readIsoTimestamp(text: string): IsoTimestamp | null {
  if (text.length < 10 || text.length > 40) return null;
  result.day = readIsoDays(text);
  if (result.day !== result.day) return null;
  result.time = 0;
  result.offset = NaN;
  if (text.length === 10) return result;
  const mark = text.charCodeAt(10);
  if (mark !== 32 && mark !== 84) return null;
  result.time = readIsoTime(text, 11);
  if (!(result.time < MICROS_PER_DAY)) return null;
  if (timeEnd === text.length) return result;
  const sign = text.charCodeAt(timeEnd);
  const rest = text.length - timeEnd - 1;
  if (sign === 90 && rest === 0) {
    result.offset = 0;
    return result;
  }
  if (sign !== 43 && sign !== 45) return null;
  const hours = two(text, timeEnd + 1);
  const minutes = rest === 2 ? 0 : rest === 5 && text.charCodeAt(timeEnd + 3) === COLON ? two(text, timeEnd + 4) : NaN;
  if (!(hours <= 15 && minutes < 60)) return null;
  const total = (hours * 60 + minutes) * 60;
  result.offset = sign === 45 ? 0 - total : total;
  return result;
}
