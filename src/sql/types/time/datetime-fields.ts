/**
 * Parses single fields of a date or time into DateTimeFields. The meaning of a number depends on the fields seen so far (`seen`, a
 * mask of the bits below); every parser returns the bits it filled and throws an InputFailure.
 */
import type { Environment } from '../environment.ts';
import { civilFromDays, daysFromCivil, daysInMonth, EPOCH_JULIAN_DAY, MICROS_PER_DAY, MICROS_PER_HOUR } from './calendar.ts';
import { datetimeWord, isAlpha, isDigit } from './datetime-tokens.ts';
import { BAD_FORMAT, DISPLACEMENT_OVERFLOW, FIELD_OVERFLOW, MONTH_DAY_OVERFLOW } from './input-failure.ts';
import { roundHalfEven } from './whole-arithmetic.ts';

export const MONTH = 1;
export const YEAR = 2;
export const DAY = 4;
export const ZONE = 8;
/** There was a daylight-saving abbreviation. */
export const DAYLIGHT = 16;
/** There was the word DST. */
export const DAYLIGHT_MODIFIER = 32;
export const MERIDIEM = 64;
export const ERA = 128;
export const WEEKDAY = 256;
export const TIME = 512;
export const DAY_OF_YEAR = 1024;
export const DATE = YEAR | MONTH | DAY;

export class DateTimeFields {
  year = 0;
  month = 0;
  day = 0;
  hour = 0;
  minute = 0;
  second = 0;
  micros = 0;
  dayOfYear = 0;
  twoDigitYear = false;
}

const INT32_MAX = 2147483647;

/** Digits up to the first other character; more than an int holds overflows. */
export function leadingInt(text: string, from = 0): { value: number; end: number } {
  let end = from;
  let value = 0;
  while (end < text.length && isDigit(text.charCodeAt(end))) value = value * 10 + text.charCodeAt(end++) - 48;
  if (value > INT32_MAX) throw FIELD_OVERFLOW;
  return { value, end };
}

/** `.25` to 0.25; a lone point is 0. */
export function fractionOf(text: string): number {
  if (text === '.') return 0;
  if (!/^\.\d*$/.test(text)) throw BAD_FORMAT;
  return Number(text);
}

export function fractionMicros(text: string): number {
  return roundHalfEven(fractionOf(text) * 1_000_000);
}

export function setJulianDay(fields: DateTimeFields, julian: number): void {
  const date = civilFromDays(julian - EPOCH_JULIAN_DAY);
  fields.year = date.year;
  fields.month = date.month;
  fields.day = date.day;
}

export function setFractionOfDay(fields: DateTimeFields, fraction: number): void {
  const micros = Math.trunc(fraction * MICROS_PER_DAY);
  fields.hour = Math.floor(micros / MICROS_PER_HOUR);
  fields.minute = Math.floor(micros / 60_000_000) % 60;
  fields.second = Math.floor(micros / 1_000_000) % 60;
  fields.micros = micros % 1_000_000;
}

/** A date in one field: `2024-01-31`, `31.1.2024`, `8-jan-99`. */
export function readDate(text: string, seen: number, fields: DateTimeFields, order: Environment['dateOrder']): number {
  const parts: (string | null)[] = [];
  let i = 0;
  while (i < text.length) {
    while (i < text.length && !isDigit(text.charCodeAt(i)) && !isAlpha(text.charCodeAt(i))) i++;
    if (i >= text.length) throw BAD_FORMAT;
    const start = i;
    const same = isDigit(text.charCodeAt(i)) ? isDigit : isAlpha;
    while (i < text.length && same(text.charCodeAt(i))) i++;
    parts.push(text.slice(start, i));
    // A separator is skipped, one character of it unchecked.
    i++;
  }
  let filled = 0;
  let textMonth = false;
  for (let k = 0; k < parts.length; k++) {
    if (!isAlpha(parts[k]!.charCodeAt(0))) continue;
    const word = datetimeWord(parts[k]!);
    if (word?.kind === 'ignore') continue;
    if (word?.kind !== 'month' || (seen | filled) & MONTH) throw BAD_FORMAT;
    fields.month = word.value;
    textMonth = true;
    filled |= MONTH;
    parts[k] = null;
  }
  for (const part of parts) {
    if (part === null) continue;
    const bits = readNumber(part, textMonth, seen | filled, fields, order);
    if ((seen | filled) & bits) throw BAD_FORMAT;
    filled |= bits;
  }
  if (((seen | filled) & ~(DAY_OF_YEAR | ZONE)) !== DATE) throw BAD_FORMAT;
  return filled;
}

/** One number that is a year, month, day, or (after a complete date) a time. */
export function readNumber(text: string, textMonth: boolean, seen: number, fields: DateTimeFields, order: Environment['dateOrder']): number {
  const { value, end } = leadingInt(text);
  if (end === 0) throw BAD_FORMAT;
  if (text[end] === '.') {
    if (end > 2) return readRunTogether(text, seen | DATE, fields);
    fields.micros = fractionMicros(text.slice(end));
  } else if (end < text.length) throw BAD_FORMAT;

  const length = text.length;
  if (length === 3 && (seen & DATE) === YEAR && value >= 1 && value <= 366) {
    fields.dayOfYear = value;
    return DAY_OF_YEAR | MONTH | DAY;
  }
  let bit: number;
  switch (seen & DATE) {
    case 0:
      bit = length >= 3 || order === 'YMD' ? YEAR : order === 'DMY' ? DAY : MONTH;
      break;
    case YEAR:
      bit = MONTH;
      break;
    case MONTH:
      bit = textMonth && (length >= 3 || order === 'YMD') ? YEAR : DAY;
      break;
    case YEAR | MONTH:
      if (textMonth && length >= 3 && fields.twoDigitYear) {
        // The presumed year is the day: DD-MON-YYYY in YMD order.
        fields.day = fields.year;
        fields.year = value;
        fields.twoDigitYear = false;
        return DAY;
      }
      bit = DAY;
      break;
    case DAY:
      bit = MONTH;
      break;
    case MONTH | DAY:
      bit = YEAR;
      break;
    case DATE:
      return readRunTogether(text, seen, fields);
    default:
      throw BAD_FORMAT;
  }
  if (bit === YEAR) {
    fields.year = value;
    fields.twoDigitYear = length <= 2;
  } else if (bit === MONTH) fields.month = value;
  else fields.day = value;
  return bit;
}

/** `20240131`, `123456`, `1234`, `123456.789`. */
export function readRunTogether(text: string, seen: number, fields: DateTimeFields): number {
  if (!/^[\d.]*$/.test(text)) throw BAD_FORMAT;
  let digits = text;
  const point = text.indexOf('.');
  if (point >= 0) {
    fields.micros = fractionMicros(text.slice(point));
    digits = text.slice(0, point);
  } else if ((seen & DATE) !== DATE && text.length >= 6) {
    fields.day = Number(text.slice(-2));
    fields.month = Number(text.slice(-4, -2));
    fields.year = Number(text.slice(0, -4));
    if (fields.year > INT32_MAX) throw FIELD_OVERFLOW;
    if (text.length === 6) fields.twoDigitYear = true;
    return DATE;
  }
  if ((seen & TIME) !== 0 || (digits.length !== 6 && digits.length !== 4)) throw BAD_FORMAT;
  fields.hour = Number(digits.slice(0, 2));
  fields.minute = Number(digits.slice(2, 4));
  fields.second = digits.length === 6 ? Number(digits.slice(4)) : 0;
  return TIME;
}

/** `12:34`, `12:34:56.789`, `34:56.789`; the hour is not checked. */
export function readTime(text: string, fields: DateTimeFields, minuteToSecond = false): number {
  const hour = leadingDigits(text, 0);
  if (text[hour.end] !== ':') throw BAD_FORMAT;
  const minute = leadingInt(text, hour.end + 1);
  fields.hour = hour.value;
  fields.minute = minute.value;
  fields.second = 0;
  fields.micros = 0;
  const mark = text[minute.end];
  if (mark === undefined || mark === '.') {
    if (mark === '.') fields.micros = fractionMicros(text.slice(minute.end));
    if (mark === '.' || minuteToSecond) {
      if (hour.value > INT32_MAX) throw FIELD_OVERFLOW;
      fields.second = fields.minute;
      fields.minute = fields.hour;
      fields.hour = 0;
    }
  } else if (mark === ':') {
    const second = leadingInt(text, minute.end + 1);
    fields.second = second.value;
    if (text[second.end] === '.') fields.micros = fractionMicros(text.slice(second.end));
    else if (second.end < text.length) throw BAD_FORMAT;
  } else throw BAD_FORMAT;
  if (fields.minute > 59 || fields.second > 60) throw FIELD_OVERFLOW;
  return TIME;
}

function leadingDigits(text: string, from: number): { value: number; end: number } {
  let end = from;
  while (end < text.length && isDigit(text.charCodeAt(end))) end++;
  const value = Number(text.slice(from, end));
  if (value >= 2 ** 63) throw FIELD_OVERFLOW;
  return { value, end };
}

/** Seconds east of `+05`, `-0330`, `+05:30:15`. */
export function readOffset(text: string): number {
  if (text[0] !== '+' && text[0] !== '-') throw BAD_FORMAT;
  // A second sign is read as the number's own.
  if (text[1] === '-' && isDigit(text.charCodeAt(2))) throw DISPLACEMENT_OVERFLOW;
  let { value: hour, end } = leadingDigits(text, 1);
  if (hour > INT32_MAX) throw DISPLACEMENT_OVERFLOW;
  let minute = 0;
  let second = 0;
  if (text[end] === ':') {
    ({ value: minute, end } = leadingDigits(text, end + 1));
    if (text[end] === ':') ({ value: second, end } = leadingDigits(text, end + 1));
  } else if (end === text.length && text.length > 3) {
    minute = hour % 100;
    hour = Math.floor(hour / 100);
  }
  if (hour > 15 || minute > 59 || second > 59) throw DISPLACEMENT_OVERFLOW;
  if (end < text.length) throw BAD_FORMAT;
  const total = (hour * 60 + minute) * 60 + second;
  return text[0] === '-' ? 0 - total : total;
}

export function timeOverflows(fields: DateTimeFields): boolean {
  const { hour, minute, second, micros } = fields;
  if (hour > 24 || minute > 59 || second > 60 || micros > 1_000_000) return true;
  return ((hour * 60 + minute) * 60 + second) * 1_000_000 + micros > MICROS_PER_DAY;
}

/** Completes the date: centuries, eras, days of the year; checks the day of the month. */
export function completeDate(fields: DateTimeFields, seen: number, julian: boolean, bc: boolean): void {
  if (seen & YEAR && !julian) {
    if (bc) {
      if (fields.year <= 0) throw FIELD_OVERFLOW;
      fields.year = 1 - fields.year;
    } else if (fields.twoDigitYear) {
      if (fields.year < 70) fields.year += 2000;
      else if (fields.year < 100) fields.year += 1900;
    } else if (fields.year <= 0) throw FIELD_OVERFLOW;
  }
  if (seen & DAY_OF_YEAR) {
    const date = civilFromDays(daysFromCivil(fields.year, 1, 1) + fields.dayOfYear - 1);
    fields.year = date.year;
    fields.month = date.month;
    fields.day = date.day;
  }
  if (seen & MONTH && (fields.month < 1 || fields.month > 12)) throw MONTH_DAY_OVERFLOW;
  if (seen & DAY && (fields.day < 1 || fields.day > 31)) throw MONTH_DAY_OVERFLOW;
  if ((seen & DATE) === DATE && fields.day > daysInMonth(fields.year, fields.month)) throw FIELD_OVERFLOW;
}

/** Applies AM and PM. */
export function completeHour(fields: DateTimeFields, meridiem: 'am' | 'pm' | null): void {
  if (meridiem === null) return;
  if (fields.hour > 12) throw FIELD_OVERFLOW;
  if (meridiem === 'am' && fields.hour === 12) fields.hour = 0;
  else if (meridiem === 'pm' && fields.hour !== 12) fields.hour += 12;
}
