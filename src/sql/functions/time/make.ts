/** Dates, times and intervals from their parts, and timestamps from Unix time. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import {
  daysFromCivil,
  daysInMonth,
  isDateRange,
  isJulianRange,
  isTimestampRange,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  SECONDS_PER_DAY,
  TIMESTAMP_END_DAY,
  timestampOf,
  UNIX_EPOCH_DAYS,
  DATE_MIN,
} from '../../types/time/calendar.ts';
import { readOffset } from '../../types/time/datetime-fields.ts';
import { DISPLACEMENT_OVERFLOW, InputFailure } from '../../types/time/input-failure.ts';
import { intervalOf, intervalOutOfRange } from '../../types/time/interval-value.ts';
import { localToUtcUnchecked } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, fitsInt64, multiplyWhole, roundHalfEven, wholeFromDouble } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { localToUtcIn } from './at-time-zone.ts';

const two = (n: number): string => (n < 0 ? String(n) : String(n).padStart(2, '0'));

/** C's `%g`, with Postgres's names for NaN and infinities. */
export function shortFloat(x: number): string {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return Object.is(x, -0) ? '-0' : '0';
  const [mantissa, exponentText] = x.toExponential(5).split('e') as [string, string];
  const exponent = Number(exponentText);
  const trim = (digits: string): string => (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);
  if (exponent < -4 || exponent >= 6) return `${trim(mantissa)}e${exponent < 0 ? '-' : '+'}${two(Math.abs(exponent))}`;
  return trim(x.toFixed(5 - exponent));
}

/** C's `%d-%02d-%02d`. */
const dateText = (year: number, month: number, day: number): string => `${year}-${two(month)}-${two(day)}`;
const timeText = (hour: number, minute: number, second: number): string => `${hour}:${two(minute)}:${shortFloat(second).padStart(2, '0')}`;

/** Days of a date, a negative year being BC. Errors show `shown`, whose year may be in another form. */
function daysOf(year: number, month: number, day: number, shown: string): number {
  const astronomical = year < 0 ? year + 1 : year;
  const valid = year !== 0 && year !== -2147483648 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(astronomical, month);
  if (!valid) throw new SvcError('22008', `date field value out of range: ${shown}`);
  if (!isJulianRange(astronomical, month)) throw new SvcError('22008', `date out of range: ${shown}`);
  return daysFromCivil(astronomical, month, day);
}

function makeDate(year: number, month: number, day: number): number {
  const shown = dateText(year < 0 && year !== -2147483648 ? year + 1 : year, month, day);
  const days = daysOf(year, month, day, shown);
  if (!isDateRange(days)) throw new SvcError('22008', `date out of range: ${shown}`);
  return days;
}

function makeTime(hour: number, minute: number, second: number): number {
  const micros = roundHalfEven(second * MICROS_PER_SECOND);
  const time = hour * MICROS_PER_HOUR + minute * MICROS_PER_MINUTE + micros;
  const fits = hour >= 0 && hour <= 24 && minute >= 0 && minute <= 59 && micros >= 0 && micros <= 60 * MICROS_PER_SECOND && time <= MICROS_PER_DAY;
  if (!fits) throw new SvcError('22008', `time field value out of range: ${timeText(hour, minute, second)}`);
  return time;
}

function makeLocal(year: number, month: number, day: number, hour: number, minute: number, second: number): Whole {
  const shown = dateText(year, month, day);
  const days = daysOf(year, month, day, shown);
  const timestamp = timestampOf(days, makeTime(hour, minute, second));
  if (!isTimestampRange(timestamp)) throw new SvcError('22008', `timestamp out of range: ${shown} ${timeText(hour, minute, second)}`);
  return timestamp;
}

function checked(timestamp: Whole): Whole {
  if (!isTimestampRange(timestamp)) throw new SvcError('22008', 'timestamp out of range');
  return timestamp;
}

/** The zone may be a name, or an offset with a sign. */
function inZone(call: Call, local: Whole, zone: string): Whole {
  if (/^\d/.test(zone)) {
    throw new SvcError('22023', `invalid input syntax for type numeric time zone: "${zone}"`, {
      hint: 'Numeric time zones must have "-" or "+" as first character.',
    });
  }
  let offset: number;
  try {
    offset = readOffset(zone);
  } catch (failure) {
    if (failure === DISPLACEMENT_OVERFLOW) throw new SvcError('22023', `numeric time zone "${zone}" out of range`);
    if (!(failure instanceof InputFailure)) throw failure;
    if (failure.kind !== 'format') throw new SvcError('22023', `time zone "${zone}" not recognized`);
    return localToUtcIn(call, zone, local);
  }
  return checked(addWhole(local, -offset * MICROS_PER_SECOND));
}

function makeInterval(years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0): Interval {
  const micros = roundHalfEven(seconds * MICROS_PER_SECOND);
  if (!(micros >= -9223372036854775808 && micros < 9223372036854775808)) throw intervalOutOfRange();
  const time = addWhole(multiplyWhole(hours, MICROS_PER_HOUR), addWhole(multiplyWhole(minutes, MICROS_PER_MINUTE), wholeFromDouble(micros)));
  if (!fitsInt64(time)) throw intervalOutOfRange();
  return intervalOf(years * 12 + months, weeks * 7 + days, time);
}

function fromUnix(seconds: number): Whole {
  if (seconds !== seconds) throw new SvcError('22008', 'timestamp cannot be NaN');
  if (seconds === Infinity || seconds === -Infinity) return seconds;
  const outOfRange = (): SvcError => new SvcError('22008', `timestamp out of range: "${shortFloat(seconds)}"`);
  if (seconds < SECONDS_PER_DAY * (DATE_MIN - UNIX_EPOCH_DAYS) || seconds >= SECONDS_PER_DAY * (TIMESTAMP_END_DAY - UNIX_EPOCH_DAYS)) throw outOfRange();
  const timestamp = wholeFromDouble(roundHalfEven((seconds + UNIX_EPOCH_DAYS * SECONDS_PER_DAY) * MICROS_PER_SECOND));
  if (!isTimestampRange(timestamp)) throw outOfRange();
  return timestamp;
}

const DATE_ARGS = ['int4', 'int4', 'int4'];
const TIME_ARGS = ['int4', 'int4', 'float8'];

export const makers: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'make_date',
      args: DATE_ARGS,
      argNames: ['year', 'month', 'day'],
      returns: 'date',
      doc: 'A date from its parts; negative years are BC.',
      impl: makeDate,
    },
    {
      kind: 'scalar',
      name: 'make_time',
      args: TIME_ARGS,
      argNames: ['hour', 'min', 'sec'],
      returns: 'time',
      doc: 'A time of day from its parts.',
      impl: makeTime,
    },
    {
      kind: 'scalar',
      name: 'make_timestamp',
      args: [...DATE_ARGS, ...TIME_ARGS],
      argNames: ['year', 'month', 'mday', 'hour', 'min', 'sec'],
      returns: 'timestamp',
      doc: 'A timestamp from its parts; negative years are BC.',
      impl: makeLocal,
    },
    {
      kind: 'scalar',
      name: 'make_timestamptz',
      args: [...DATE_ARGS, ...TIME_ARGS],
      argNames: ['year', 'month', 'mday', 'hour', 'min', 'sec'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'An instant from the parts of a local time in the zone of the session.',
      impl: (call: Call, year: number, month: number, day: number, hour: number, minute: number, second: number) =>
        checked(localToUtcUnchecked(makeLocal(year, month, day, hour, minute, second), sessionZone(call.env.timeZone))),
    },
    {
      kind: 'scalar',
      name: 'make_timestamptz',
      args: [...DATE_ARGS, ...TIME_ARGS, 'text'],
      argNames: ['year', 'month', 'mday', 'hour', 'min', 'sec', 'timezone'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'An instant from the parts of a local time in the given zone.',
      impl: (call: Call, year: number, month: number, day: number, hour: number, minute: number, second: number, zone: string) =>
        inZone(call, makeLocal(year, month, day, hour, minute, second), zone),
    },
    {
      kind: 'scalar',
      name: 'make_interval',
      args: ['int4', 'int4', 'int4', 'int4', 'int4', 'int4', 'float8'],
      argNames: ['years', 'months', 'weeks', 'days', 'hours', 'mins', 'secs'],
      optional: 7,
      returns: 'interval',
      doc: 'An interval from its parts.',
      impl: makeInterval,
    },
    {
      kind: 'scalar',
      name: 'to_timestamp',
      args: ['float8'],
      returns: 'timestamptz',
      doc: 'An instant from seconds since 1970-01-01 00:00 UTC.',
      impl: fromUnix,
    },
  ],
};
