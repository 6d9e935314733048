/** `+ - * /` over dates, times and intervals. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../../types/interval.ts';
import { isDateRange, isInfinite, isTimestampRange, MICROS_PER_DAY, MICROS_PER_SECOND } from '../../types/time/calendar.ts';
import { addIntervals, divideInterval, multiplyInterval, negateInterval, subtractIntervals } from '../../types/time/interval-arithmetic.ts';
import { isInfiniteInterval } from '../../types/time/interval-value.ts';
import {
  addInterval,
  dateOutOfRangeForTimestamp,
  subtractInterval,
  subtractTimestamps,
  timestampOfDate,
  timestampOutOfRange,
} from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, remainderWhole, subtractWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule, SqlOperator } from '../define.ts';

export function addDays(date: number, days: number): number {
  if (isInfinite(date)) return date;
  const result = date + days;
  if (!isDateRange(result)) throw new SvcError('22008', 'date out of range');
  return result;
}

function subtractDates(a: number, b: number): number {
  if (isInfinite(a) || isInfinite(b)) throw new SvcError('22008', 'cannot subtract infinite dates');
  return a - b;
}

/** A time of day moved by an interval; months and days do not count, and it wraps at midnight. */
function moveTime(time: number, span: Interval, sign: 1 | -1): number {
  if (isInfiniteInterval(span)) throw new SvcError('22008', sign > 0 ? 'cannot add infinite interval to time' : 'cannot subtract infinite interval from time');
  const sum = sign > 0 ? addWhole(time, span.micros) : subtractWhole(time, span.micros);
  // As in Postgres, the sum wraps around at 64 bits.
  const moved = remainderWhole(typeof sum === 'bigint' ? BigInt.asIntN(64, sum) : sum, MICROS_PER_DAY);
  return moved < 0 ? moved + MICROS_PER_DAY : moved + 0;
}

function moveTimeTz(time: TimeTz, span: Interval, sign: 1 | -1): TimeTz {
  return new TimeTz(moveTime(time.micros, span, sign), time.offset);
}

export function dateAndTime(date: number, time: number): Whole {
  const midnight = timestampOfDate(date);
  if (isInfinite(midnight)) return midnight;
  const timestamp = addWhole(midnight, time);
  if (!isTimestampRange(timestamp)) throw timestampOutOfRange();
  return timestamp;
}

export function dateAndTimeTz(date: number, time: TimeTz): Whole {
  const midnight = timestampOfDate(date);
  if (isInfinite(midnight)) return midnight;
  const timestamp = addWhole(midnight, time.micros - time.offset * MICROS_PER_SECOND);
  if (!isTimestampRange(timestamp)) throw dateOutOfRangeForTimestamp();
  return timestamp;
}

const dateMinus = (date: number, span: Interval): Whole => subtractInterval(timestampOfDate(date), span, null);
const datePlus = (date: number, span: Interval): Whole => addInterval(timestampOfDate(date), span, null);
const timestampPlus = (timestamp: Whole, span: Interval): Whole => addInterval(timestamp, span, null);
const timestampTzPlus = (call: Call, timestamp: Whole, span: Interval): Whole => addInterval(timestamp, span, sessionZone(call.env.timeZone));
export const addToTime = (time: number, span: Interval): number => moveTime(time, span, 1);
const timeTzPlus = (time: TimeTz, span: Interval): TimeTz => moveTimeTz(time, span, 1);

type Impl = SqlOperator['impl'];

function plus(left: string, right: string, returns: string, proc: string, impl: Impl, more: Partial<SqlOperator> = {}): SqlOperator {
  return { name: '+', left, right, returns, proc, commutator: '+', impl, ...more };
}

function minus(left: string, right: string, returns: string, proc: string, impl: Impl, more: Partial<SqlOperator> = {}): SqlOperator {
  return { name: '-', left, right, returns, proc, impl, ...more };
}

const zoned = { volatility: 'stable', needsCall: true } as const;

export const timeArithmetic: FunctionModule = {
  operators: [
    plus('date', 'int4', 'date', 'date_pli', addDays),
    plus('int4', 'date', 'date', 'integer_pl_date', (days: number, date: number) => addDays(date, days)),
    minus('date', 'int4', 'date', 'date_mii', (date: number, days: number) => addDays(date, -days)),
    minus('date', 'date', 'int4', 'date_mi', subtractDates),
    plus('date', 'interval', 'timestamp', 'date_pl_interval', datePlus),
    plus('interval', 'date', 'timestamp', 'interval_pl_date', (span: Interval, date: number) => datePlus(date, span)),
    minus('date', 'interval', 'timestamp', 'date_mi_interval', dateMinus),
    plus('date', 'time', 'timestamp', 'datetime_pl', dateAndTime),
    plus('time', 'date', 'timestamp', 'timedate_pl', (time: number, date: number) => dateAndTime(date, time)),
    plus('date', 'timetz', 'timestamptz', 'datetimetz_pl', dateAndTimeTz),
    plus('timetz', 'date', 'timestamptz', 'timetzdate_pl', (time: TimeTz, date: number) => dateAndTimeTz(date, time)),

    plus('timestamp', 'interval', 'timestamp', 'timestamp_pl_interval', timestampPlus),
    plus('interval', 'timestamp', 'timestamp', 'interval_pl_timestamp', (span: Interval, timestamp: Whole) => timestampPlus(timestamp, span)),
    minus('timestamp', 'interval', 'timestamp', 'timestamp_mi_interval', (timestamp: Whole, span: Interval) => subtractInterval(timestamp, span, null)),
    minus('timestamp', 'timestamp', 'interval', 'timestamp_mi', subtractTimestamps),
    plus('timestamptz', 'interval', 'timestamptz', 'timestamptz_pl_interval', timestampTzPlus, zoned),
    plus(
      'interval',
      'timestamptz',
      'timestamptz',
      'interval_pl_timestamptz',
      (call: Call, span: Interval, timestamp: Whole) => timestampTzPlus(call, timestamp, span),
      zoned,
    ),
    minus(
      'timestamptz',
      'interval',
      'timestamptz',
      'timestamptz_mi_interval',
      (call: Call, timestamp: Whole, span: Interval) => subtractInterval(timestamp, span, sessionZone(call.env.timeZone)),
      zoned,
    ),
    minus('timestamptz', 'timestamptz', 'interval', 'timestamptz_mi', subtractTimestamps),

    plus('time', 'interval', 'time', 'time_pl_interval', addToTime),
    plus('interval', 'time', 'time', 'interval_pl_time', (span: Interval, time: number) => addToTime(time, span)),
    minus('time', 'interval', 'time', 'time_mi_interval', (time: number, span: Interval) => moveTime(time, span, -1)),
    minus('time', 'time', 'interval', 'time_mi_time', (a: number, b: number) => new Interval(0, 0, a - b)),
    plus('timetz', 'interval', 'timetz', 'timetz_pl_interval', timeTzPlus),
    plus('interval', 'timetz', 'timetz', 'interval_pl_timetz', (span: Interval, time: TimeTz) => timeTzPlus(time, span)),
    minus('timetz', 'interval', 'timetz', 'timetz_mi_interval', (time: TimeTz, span: Interval) => moveTimeTz(time, span, -1)),

    plus('interval', 'interval', 'interval', 'interval_pl', addIntervals),
    minus('interval', 'interval', 'interval', 'interval_mi', subtractIntervals),
    { name: '-', left: null, right: 'interval', returns: 'interval', proc: 'interval_um', impl: negateInterval },
    { name: '*', left: 'interval', right: 'float8', returns: 'interval', proc: 'interval_mul', commutator: '*', impl: multiplyInterval },
    {
      name: '*',
      left: 'float8',
      right: 'interval',
      returns: 'interval',
      proc: 'mul_d_interval',
      commutator: '*',
      impl: (factor: number, span: Interval) => multiplyInterval(span, factor),
    },
    { name: '/', left: 'interval', right: 'float8', returns: 'interval', proc: 'interval_div', impl: divideInterval },
  ],
};
