/** `to_char` of timestamps and intervals. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import { isInfinite, momentOf, MICROS_PER_SECOND, secondsOfTimestamp } from '../../types/time/calendar.ts';
import { twoDigits } from '../../types/time/datetime-output.ts';
import { intervalFields } from '../../types/time/interval-output.ts';
import { isInfiniteInterval } from '../../types/time/interval-value.ts';
import { addWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { isoDayOfYear, isoWeek, isoYear, julianDay, weekday } from './julian.ts';
import { DAY_NAMES, MONTH_NAMES, ROMAN_MONTHS, templateOf, type Pattern } from './template.ts';

interface Fields {
  readonly isInterval: boolean;
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly micros: number;
  /** Seconds east of UTC. */
  readonly offset: number;
  readonly zone: string | null;
}

/** 0 is Sunday. */
function weekdayOf({ year, month, day }: Fields): number {
  return weekday(julianDay(year, month, day));
}

/** For intervals the number of days with months of 30 days. */
function dayOfYearOf({ isInterval, year, month, day }: Fields): number {
  return isInterval ? (year * 12 + month) * 30 + day : julianDay(year, month, day) - julianDay(year, 1, 1) + 1;
}

/** C's `%0*d`: the sign counts as a character. */
function padded(value: number, width: number): string {
  if (width === 2 && value >= 0 && value < 100) return twoDigits(value);
  return value < 0 ? '-' + String(-value).padStart(width - 1, '0') : String(value).padStart(width, '0');
}

/** Two digits; three characters for negative fields of intervals. */
function signedPair(value: number, pattern: Pattern, sign = value): string {
  return padded(value, pattern.fillMode ? 0 : sign >= 0 ? 2 : 3);
}

function ordinalSuffix(digits: string, style: 'TH' | 'th'): string {
  const last = digits.at(-1)!;
  const teen = digits.length > 1 && digits.at(-2) === '1';
  const suffix = teen ? 'th' : last === '1' ? 'st' : last === '2' ? 'nd' : last === '3' ? 'rd' : 'th';
  return style === 'TH' ? suffix.toUpperCase() : suffix;
}

function cased(word: string, id: string): string {
  if (id === id.toUpperCase()) return word.toUpperCase();
  return id === id.toLowerCase() ? word.toLowerCase() : word;
}

/** Names are padded to nine characters without FM and TM. */
function name(word: string, pattern: Pattern): string {
  const text = cased(word, pattern.id);
  return pattern.fillMode || pattern.translated ? text : text.padEnd(9);
}

function notForIntervals(fields: Fields): void {
  if (!fields.isInterval) return;
  throw new SvcError('22007', 'invalid format specification for an interval value', { hint: 'Intervals are not tied to specific calendar dates.' });
}

/** Years BC count from 1. */
function shownYear(year: number, isInterval: boolean): number {
  return isInterval || year > 0 ? year : 1 - year;
}

/** The text of a pattern that an ordinal suffix may follow; null for others. */
function numberText(pattern: Pattern, fields: Fields): string | null {
  const { year, month, day, hour, minute, second, micros, isInterval } = fields;
  const width = (digits: number): number => (pattern.fillMode ? 0 : digits);
  switch (pattern.id) {
    case 'HH':
    case 'HH12':
      return signedPair(hour % 12 === 0 ? 12 : hour % 12, pattern, hour);
    case 'HH24':
      return signedPair(hour, pattern);
    case 'MI':
      return signedPair(minute, pattern);
    case 'SS':
      return signedPair(second, pattern);
    case 'FF1':
      return padded(Math.trunc(micros / 100_000), 1);
    case 'FF2':
      return padded(Math.trunc(micros / 10_000), 2);
    case 'FF3':
    case 'MS':
      return padded(Math.trunc(micros / 1000), 3);
    case 'FF4':
      return padded(Math.trunc(micros / 100), 4);
    case 'FF5':
      return padded(Math.trunc(micros / 10), 5);
    case 'FF6':
    case 'US':
      return padded(micros, 6);
    case 'SSSS':
    case 'SSSSS':
      return String(hour * 3600 + minute * 60 + second);
    case 'MM':
      return signedPair(month, pattern);
    case 'DDD':
      return padded(dayOfYearOf(fields), width(3));
    case 'IDDD':
      return padded(isoDayOfYear(year, month, day), width(3));
    case 'DD':
      return padded(day, width(2));
    case 'D':
      notForIntervals(fields);
      return String(weekdayOf(fields) + 1);
    case 'ID':
      notForIntervals(fields);
      return String(weekdayOf(fields) || 7);
    case 'WW':
      return padded(Math.trunc((dayOfYearOf(fields) - 1) / 7) + 1, width(2));
    case 'IW':
      return padded(isoWeek(year, month, day), width(2));
    case 'Q':
      return month === 0 ? null : String(Math.trunc((month - 1) / 3) + 1);
    case 'CC': {
      const century = isInterval ? Math.trunc(year / 100) : year > 0 ? Math.trunc((year - 1) / 100) + 1 : Math.trunc(year / 100) - 1;
      return century <= 99 && century >= -99 ? signedPair(century + 0, pattern) : String(century);
    }
    case 'Y,YYY': {
      const shown = shownYear(year, isInterval);
      const thousands = Math.trunc(shown / 1000);
      return `${thousands},${padded(shown - thousands * 1000, 3)}`;
    }
    case 'YYYY':
    case 'YYY':
    case 'YY':
    case 'Y':
      return yearText(shownYear(year, isInterval), pattern, pattern.id.length, fields);
    case 'IYYY':
    case 'IYY':
    case 'IY':
    case 'I':
      return yearText(shownYear(isoYear(year, month, day), isInterval), pattern, pattern.id.length, fields);
    case 'W':
      return String(Math.trunc((day - 1) / 7) + 1);
    case 'J':
      return String(julianDay(year, month, day));
    default:
      return null;
  }
}

function yearText(shown: number, pattern: Pattern, digits: number, fields: Fields): string {
  const value = digits === 4 ? shown : (shown % 10 ** digits) + 0;
  if (digits === 1) return String(value);
  return padded(value, pattern.fillMode ? 0 : shownYear(fields.year, fields.isInterval) >= 0 ? digits : digits + 1);
}

function romanMonth(pattern: Pattern, { month, year }: Fields): string {
  if (month === 0 && year === 0) return '';
  // For an interval of whole years December, or January if negative; negative months count from the end.
  const index = month === 0 ? (year >= 0 ? 11 : 0) : month < 0 ? 12 + month : month - 1;
  const text = cased(ROMAN_MONTHS[index]!, pattern.id);
  return pattern.fillMode ? text : text.padEnd(4);
}

function wordText(pattern: Pattern, fields: Fields): string {
  const total = Math.abs(fields.offset);
  const sign = fields.offset >= 0 ? '+' : '-';
  const offsetMinutes = padded(Math.trunc((total % 3600) / 60), 2);
  switch (pattern.id.toUpperCase()) {
    case 'AM':
    case 'PM':
      return cased(fields.hour % 24 >= 12 ? 'PM' : 'AM', pattern.id);
    case 'A.M.':
    case 'P.M.':
      return cased(fields.hour % 24 >= 12 ? 'P.M.' : 'A.M.', pattern.id);
    case 'FX':
      return '';
    case 'RM':
      return romanMonth(pattern, fields);
  }
  if (pattern.id === 'Q') return '';
  notForIntervals(fields);
  switch (pattern.id.toUpperCase()) {
    case 'TZ':
      return fields.zone === null ? '' : pattern.id === 'tz' ? fields.zone.toLowerCase() : fields.zone;
    case 'TZH':
      return sign + padded(Math.trunc(total / 3600), 2);
    case 'TZM':
      return offsetMinutes;
    case 'OF':
      return sign + padded(Math.trunc(total / 3600), pattern.fillMode ? 0 : 2) + (total % 3600 === 0 ? '' : ':' + offsetMinutes);
    case 'AD':
    case 'BC':
      return cased(fields.year <= 0 ? 'BC' : 'AD', pattern.id);
    case 'A.D.':
    case 'B.C.':
      return cased(fields.year <= 0 ? 'B.C.' : 'A.D.', pattern.id);
    case 'MONTH':
      return name(MONTH_NAMES[fields.month - 1]!, pattern);
    case 'MON':
      return cased(MONTH_NAMES[fields.month - 1]!.slice(0, 3), pattern.id);
    case 'DAY':
      return name(DAY_NAMES[weekdayOf(fields)]!, pattern);
    case 'DY':
      return cased(DAY_NAMES[weekdayOf(fields)]!.slice(0, 3), pattern.id);
    default:
      return '';
  }
}

function apply(template: string, fields: Fields): string {
  let text = '';
  for (const node of templateOf(template)) {
    if (node.kind !== 'pattern') text += node.text;
    else {
      const number = numberText(node, fields);
      if (number === null) text += wordText(node, fields);
      else text += node.ordinal === null ? number : number + ordinalSuffix(number, node.ordinal);
    }
  }
  return text;
}

function timestampFields(local: Whole, offset: number, zone: string | null): Fields {
  const { year, month, day, hour, minute, second, micros } = momentOf(local);
  return { isInterval: false, year, month, day, hour, minute, second, micros, offset, zone };
}

/** Null for infinity and for an empty template. */
function timestampToChar(timestamp: Whole, template: string): string | null {
  if (template === '' || isInfinite(timestamp)) return null;
  return apply(template, timestampFields(timestamp, 0, null));
}

function timestampTzToChar(call: Call, timestamp: Whole, template: string): string | null {
  if (template === '' || isInfinite(timestamp)) return null;
  const zone = sessionZone(call.env.timeZone);
  const seconds = secondsOfTimestamp(timestamp);
  const offset = zone.offsetAt(seconds);
  return apply(template, timestampFields(addWhole(timestamp, offset * MICROS_PER_SECOND), offset, zone.abbreviationAt(seconds)));
}

function intervalToChar(span: Interval, template: string): string | null {
  if (template === '' || isInfiniteInterval(span)) return null;
  const { years, months, days, hours, minutes, seconds, micros } = intervalFields(span);
  return apply(template, {
    isInterval: true,
    year: years,
    month: months,
    day: days,
    hour: hours,
    minute: minutes,
    second: seconds,
    micros,
    offset: 0,
    zone: null,
  });
}

const doc = 'Text by a template.';

export const toCharFunctions: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'to_char', args: ['timestamp', 'text'], returns: 'text', volatility: 'stable', doc, impl: timestampToChar },
    { kind: 'scalar', name: 'to_char', args: ['timestamptz', 'text'], returns: 'text', volatility: 'stable', needsCall: true, doc, impl: timestampTzToChar },
    { kind: 'scalar', name: 'to_char', args: ['interval', 'text'], returns: 'text', volatility: 'stable', doc, impl: intervalToChar },
  ],
};
