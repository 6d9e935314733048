/** `to_timestamp(text, template)` and `to_date`. Input may have more spaces than the template, and other separators, unless FX asks for a strict match. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import {
  civilFromDays,
  daysFromCivil,
  daysInMonth,
  EPOCH_JULIAN_DAY,
  isDateRange,
  isJulianRange,
  isLeapYear,
  isTimestampRange,
  MICROS_PER_SECOND,
  SECONDS_PER_DAY,
  timeOf,
  timestampOf,
} from '../../types/time/calendar.ts';
import { DISPLACEMENT_OVERFLOW, FIELD_OVERFLOW, inputError } from '../../types/time/input-failure.ts';
import { roundMicros } from '../../types/time/precision.ts';
import { addWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { julianOfWeek } from './julian.ts';
import { readByTemplate, type Read } from './template-reader.ts';

interface Result {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  /** Microseconds since midnight. */
  readonly time: number;
  /** Seconds east of UTC; null where the text has no zone. */
  readonly offset: number | null;
  readonly precision: number;
}

function overflow(text: string): unknown {
  return inputError(FIELD_OVERFLOW, text, 'timestamp');
}

function fits(value: number, text: string): number {
  if (!(value >= -2147483648 && value <= 2147483647)) throw overflow(text);
  return value;
}

/** The result of the fields; of year, week, day of year, month and day later ones override earlier ones. */
export function resolveFields(read: Read, text: string): Result {
  let second = read.secondOfDay % 60;
  let minute = Math.trunc((read.secondOfDay % 3600) / 60);
  let hour = Math.trunc(read.secondOfDay / 3600);
  if (read.second !== 0) second = read.second;
  if (read.minute !== 0) minute = read.minute;
  if (read.hour !== 0) hour = read.hour;
  if (read.twelveHours) {
    if (hour < 1 || hour > 12) {
      throw new SvcError('22007', `hour "${hour}" is invalid for the 12-hour clock`, { hint: 'Use the 24-hour clock, or give an hour between 1 and 12.' });
    }
    if (read.pm !== 0 && hour < 12) hour += 12;
    else if (read.pm === 0 && hour === 12) hour = 0;
  }

  let year = 0;
  let month = 1;
  let day = 1;
  let [hasYear, hasMonth, hasDay] = [false, false, false];
  const setDate = (days: number): void => {
    ({ year, month, day } = civilFromDays(days));
    hasYear = hasMonth = hasDay = true;
  };

  if (read.year !== 0) {
    if (read.century !== 0 && read.yearDigits <= 2) {
      const century = read.bc !== 0 ? -read.century : read.century;
      const low = read.year % 100;
      if (low === 0) year = century * 100 + (century >= 0 ? 0 : 1);
      else year = century >= 0 ? low + (century - 1) * 100 : (century + 1) * 100 - low + 1;
      fits(year, text);
    } else {
      year = read.bc !== 0 ? -read.year : read.year;
      if (year < 0) year++;
    }
    hasYear = true;
  } else if (read.century !== 0) {
    const century = read.bc !== 0 ? -read.century : read.century;
    year = fits(century >= 0 ? (century - 1) * 100 + 1 : century * 100 + 1, text);
    hasYear = true;
  }
  if (read.julian !== 0) setDate(read.julian - EPOCH_JULIAN_DAY);
  let { dayOfYear, day: monthDay } = read;
  if (read.week !== 0) {
    if (read.calendar === 'iso-week') {
      const monday = julianOfWeek(year, read.week);
      setDate(fits(monday + (read.weekday === 0 ? 0 : read.weekday > 1 ? read.weekday - 2 : 6), text) - EPOCH_JULIAN_DAY);
    } else dayOfYear = fits((read.week - 1) * 7 + 1, text);
  }
  if (read.weekOfMonth !== 0) monthDay = fits((read.weekOfMonth - 1) * 7 + 1, text);
  if (monthDay !== 0) {
    day = monthDay;
    hasDay = true;
  }
  if (read.month !== 0) {
    month = read.month;
    hasMonth = true;
  }
  if (dayOfYear !== 0 && (month <= 1 || day <= 1)) {
    if (year === 0 && read.bc === 0) throw new SvcError('22007', 'cannot calculate day of year without year information');
    if (read.calendar === 'iso-week') setDate(fits(julianOfWeek(year, 1) - 1 + dayOfYear, text) - EPOCH_JULIAN_DAY);
    else {
      let before = 0;
      let m = 1;
      for (; m <= 12; m++) {
        const length = m === 2 && isLeapYear(year) ? 29 : daysInMonth(2001, m);
        if (dayOfYear <= before + length) break;
        before += length;
      }
      if (month <= 1) month = m;
      if (day <= 1) day = dayOfYear - before;
      hasMonth = hasDay = true;
    }
  }
  const micros = read.milli * 1000 + read.micro;

  if (hasMonth && (month < 1 || month > 12)) throw overflow(text);
  if (hasDay && (day < 1 || day > 31)) throw overflow(text);
  if (hasYear && hasMonth && hasDay && day > daysInMonth(year, month)) throw overflow(text);
  if (hour < 0 || hour >= 24 || minute < 0 || minute >= 60 || second < 0 || second >= 60 || micros < 0 || micros >= 1_000_000) throw overflow(text);

  let offset: number | null = null;
  if (read.zoneSign !== 0) {
    if (read.zoneHour < 0 || read.zoneHour > 15 || read.zoneMinute < 0 || read.zoneMinute >= 60) throw inputError(DISPLACEMENT_OVERFLOW, text, 'timestamp');
    offset = read.zoneSign * (read.zoneHour * 60 + read.zoneMinute) * 60;
  } else if (read.zone !== null) {
    if (read.zone.kind !== 'dynamic') offset = read.zone.offset;
    else
      offset = read.zone.zone.offsetOfAbbreviation(
        read.zone.abbreviation,
        daysFromCivil(year, month, day) * SECONDS_PER_DAY + (hour * 60 + minute) * 60 + second,
      );
  }
  return { year, month, day, time: timeOf(hour, minute, second, micros), offset, precision: read.precision };
}

function parse(call: Call, text: string, template: string): Result {
  return resolveFields(readByTemplate(text, template, call.env), text);
}

function toTimestamp(call: Call, text: string, template: string): Whole {
  const { year, month, day, time, offset, precision } = parse(call, text, template);
  const outOfRange = (): SvcError => new SvcError('22008', 'timestamp out of range');
  if (!isJulianRange(year, month)) throw outOfRange();
  const days = daysFromCivil(year, month, day);
  const east = offset ?? sessionZone(call.env.timeZone).offsetAtLocal(days * SECONDS_PER_DAY + Math.floor(time / MICROS_PER_SECOND));
  const timestamp = addWhole(timestampOf(days, time), -east * MICROS_PER_SECOND);
  if (!isTimestampRange(timestamp)) throw outOfRange();
  return precision === 0 ? timestamp : roundMicros(timestamp, precision);
}

function toDate(call: Call, text: string, template: string): number {
  const { year, month, day } = parse(call, text, template);
  const days = daysFromCivil(year, month, day);
  if (!isJulianRange(year, month) || !isDateRange(days)) throw new SvcError('22008', `date out of range: "${text}"`);
  return days;
}

export const fromCharFunctions: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'to_timestamp',
      args: ['text', 'text'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'An instant from text by a template.',
      impl: toTimestamp,
    },
    {
      kind: 'scalar',
      name: 'to_date',
      args: ['text', 'text'],
      returns: 'date',
      volatility: 'stable',
      needsCall: true,
      doc: 'A date from text by a template.',
      impl: toDate,
    },
  ],
};
