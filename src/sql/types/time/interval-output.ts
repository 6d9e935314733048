/** Text of intervals in the four IntervalStyles (manual, 8.5.5). */
import type { Environment } from '../environment.ts';
import type { Interval } from '../interval.ts';
import type { Whole } from '../value.ts';
import { MICROS_PER_HOUR, MICROS_PER_MINUTE, MICROS_PER_SECOND } from './calendar.ts';
import { fractionText, twoDigits } from './datetime-output.ts';
import { isInfiniteInterval, isPositiveInfinity } from './interval-value.ts';
import { divideWhole, remainderWhole } from './whole-arithmetic.ts';

/** A decomposed interval; all parts of the time have its sign. */
export interface IntervalFields {
  readonly years: number;
  readonly months: number;
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
  readonly micros: number;
}

export function intervalFields(span: Interval): IntervalFields {
  const time: Whole = span.micros;
  const hours = Number(divideWhole(time, MICROS_PER_HOUR));
  const rest = remainderWhole(time, MICROS_PER_HOUR);
  const minutes = Math.trunc(rest / MICROS_PER_MINUTE) + 0;
  const below = rest % MICROS_PER_MINUTE;
  return {
    years: Math.trunc(span.months / 12) + 0,
    months: (span.months % 12) + 0,
    days: span.days,
    hours,
    minutes,
    seconds: Math.trunc(below / MICROS_PER_SECOND) + 0,
    micros: (below % MICROS_PER_SECOND) + 0,
  };
}

export function formatInterval(span: Interval, style: Environment['intervalStyle']): string {
  if (isInfiniteInterval(span)) return isPositiveInfinity(span) ? 'infinity' : '-infinity';
  const fields = intervalFields(span);
  switch (style) {
    case 'postgres':
      return postgresText(fields);
    case 'postgres_verbose':
      return verboseText(fields);
    case 'sql_standard':
      return standardText(fields);
    case 'iso_8601':
      return isoText(fields);
  }
}

function minutesAndSeconds(fields: IntervalFields): string {
  return `:${twoDigits(Math.abs(fields.minutes))}:${twoDigits(Math.abs(fields.seconds))}${fractionText(Math.abs(fields.micros))}`;
}

function postgresText(fields: IntervalFields): string {
  let text = '';
  /** After a negative part the next one shows its plus. */
  let plus = false;
  const add = (value: number, unit: string): void => {
    if (value === 0) return;
    text += `${text === '' ? '' : ' '}${plus && value > 0 ? '+' : ''}${value} ${unit}${value === 1 ? '' : 's'}`;
    plus = value < 0;
  };
  add(fields.years, 'year');
  add(fields.months, 'mon');
  add(fields.days, 'day');
  const { hours, minutes, seconds, micros } = fields;
  if (text === '' || hours !== 0 || minutes !== 0 || seconds !== 0 || micros !== 0) {
    const minus = hours < 0 || minutes < 0 || seconds < 0 || micros < 0;
    text += `${text === '' ? '' : ' '}${minus ? '-' : plus ? '+' : ''}${String(Math.abs(hours)).padStart(2, '0')}${minutesAndSeconds(fields)}`;
  }
  return text;
}

function verboseText(fields: IntervalFields): string {
  let text = '@';
  let zero = true;
  /** The first part decides whether the interval is negative. */
  let ago = false;
  const add = (value: number, unit: string): void => {
    if (value === 0) return;
    if (zero) ago = value < 0;
    const shown = ago ? -value : value;
    text += ` ${shown} ${unit}${shown === 1 ? '' : 's'}`;
    zero = false;
  };
  add(fields.years, 'year');
  add(fields.months, 'mon');
  add(fields.days, 'day');
  add(fields.hours, 'hour');
  add(fields.minutes, 'min');
  const { seconds, micros } = fields;
  if (seconds !== 0 || micros !== 0) {
    const minus = seconds < 0 || micros < 0;
    let sign = '';
    if (zero && minus) ago = true;
    else if (minus !== ago) sign = '-';
    text += ` ${sign}${Math.abs(seconds)}${fractionText(Math.abs(micros))} sec${Math.abs(seconds) !== 1 || micros !== 0 ? 's' : ''}`;
    zero = false;
  }
  if (zero) text += ' 0';
  return ago ? text + ' ago' : text;
}

function standardText(fields: IntervalFields): string {
  const values = [fields.years, fields.months, fields.days, fields.hours, fields.minutes, fields.seconds, fields.micros];
  const negative = values.some((value) => value < 0);
  const positive = values.some((value) => value > 0);
  if (!negative && !positive) return '0';
  const hasMonths = fields.years !== 0 || fields.months !== 0;
  const hasTime = values.slice(2).some((value) => value !== 0);
  const [years, months, days, hours] = values.slice(0, 4).map(Math.abs) as [number, number, number, number];
  const time = `${hours}${minutesAndSeconds(fields)}`;
  if ((negative && positive) || (hasMonths && hasTime)) {
    // Not representable in the standard's form, so every part shows its sign.
    const monthSign = fields.years < 0 || fields.months < 0 ? '-' : '+';
    const timeSign = values.slice(3).some((value) => value < 0) ? '-' : '+';
    return `${monthSign}${years}-${months} ${fields.days < 0 ? '-' : '+'}${days} ${timeSign}${time}`;
  }
  const sign = negative ? '-' : '';
  if (hasMonths) return `${sign}${years}-${months}`;
  return days !== 0 ? `${sign}${days} ${time}` : sign + time;
}

function isoText(fields: IntervalFields): string {
  const part = (value: number, unit: string): string => (value === 0 ? '' : `${value}${unit}`);
  const { seconds, micros } = fields;
  let time = part(fields.hours, 'H') + part(fields.minutes, 'M');
  if (seconds !== 0 || micros !== 0) time += `${seconds < 0 || micros < 0 ? '-' : ''}${Math.abs(seconds)}${fractionText(Math.abs(micros))}S`;
  const date = part(fields.years, 'Y') + part(fields.months, 'M') + part(fields.days, 'D');
  if (date === '' && time === '') return 'PT0S';
  return time === '' ? `P${date}` : `P${date}T${time}`;
}
