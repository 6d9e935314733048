/** Casts between dates, times and intervals, and the functions of the same names. Text casts go through the types' input and output. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Interval } from '../../types/interval.ts';
import { dayOfTimestamp, isInfinite, MICROS_PER_DAY, MICROS_PER_SECOND, secondsOfTimestamp, timeOfTimestamp } from '../../types/time/calendar.ts';
import { localNow } from '../../types/time/datetime-input.ts';
import { isInfiniteInterval } from '../../types/time/interval-value.ts';
import { dateOfTimestamp, localToUtc, timestampOfDate, timestampTzOfDate, utcToLocal, utcToLocalUnchecked } from '../../types/time/timestamp-arithmetic.ts';
import { remainderWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, CastContext, FunctionModule, ScalarFunction, SqlCast } from '../define.ts';
import { dateAndTime, dateAndTimeTz } from './arithmetic.ts';

/** Null for infinity, which has no time of day. */
function timeOfLocal(local: Whole): number | null {
  return isInfinite(local) ? null : timeOfTimestamp(local, dayOfTimestamp(local));
}

function timeTzOfInstant(call: Call, timestamp: Whole): TimeTz | null {
  if (isInfinite(timestamp)) return null;
  const zone = sessionZone(call.env.timeZone);
  const offset = zone.offsetAt(secondsOfTimestamp(timestamp));
  return new TimeTz(timeOfLocal(utcToLocalUnchecked(timestamp, zone))!, offset);
}

/** A time of day gets the session zone's offset of today. */
function timeTzOfTime(call: Call, time: number): TimeTz {
  const today = dayOfTimestamp(localNow(call.env));
  return new TimeTz(time, sessionZone(call.env.timeZone).offsetAtLocal(today * 86_400 + Math.floor(time / MICROS_PER_SECOND)));
}

function timeOfInterval(span: Interval): number {
  if (isInfiniteInterval(span)) throw new SvcError('22008', 'cannot convert infinite interval to time');
  const time = remainderWhole(span.micros, MICROS_PER_DAY);
  return time < 0 ? time + MICROS_PER_DAY : time;
}

function local(call: Call, timestamp: Whole): Whole {
  return utcToLocalUnchecked(timestamp, sessionZone(call.env.timeZone));
}

function cast(from: string, to: string, context: CastContext, impl: NonNullable<SqlCast['impl']>): SqlCast {
  return { from, to, context, method: 'function', volatility: 'immutable', impl };
}

function zonedCast(from: string, to: string, context: CastContext, impl: NonNullable<SqlCast['impl']>): SqlCast {
  return { from, to, context, method: 'function', volatility: 'stable', needsCall: true, impl };
}

const casts: SqlCast[] = [
  cast('date', 'timestamp', 'implicit', timestampOfDate),
  zonedCast('date', 'timestamptz', 'implicit', (call: Call, date: number) => timestampTzOfDate(date, sessionZone(call.env.timeZone))),
  cast('time', 'interval', 'implicit', (time: number) => new Interval(0, 0, time)),
  zonedCast('time', 'timetz', 'implicit', timeTzOfTime),
  cast('timestamp', 'date', 'assignment', dateOfTimestamp),
  cast('timestamp', 'time', 'assignment', timeOfLocal),
  zonedCast('timestamp', 'timestamptz', 'implicit', (call: Call, timestamp: Whole) => localToUtc(timestamp, sessionZone(call.env.timeZone))),
  zonedCast('timestamptz', 'date', 'assignment', (call: Call, timestamp: Whole) => dateOfTimestamp(local(call, timestamp))),
  zonedCast('timestamptz', 'time', 'assignment', (call: Call, timestamp: Whole) => timeOfLocal(local(call, timestamp))),
  zonedCast('timestamptz', 'timestamp', 'assignment', (call: Call, timestamp: Whole) => utcToLocal(timestamp, sessionZone(call.env.timeZone))),
  zonedCast('timestamptz', 'timetz', 'assignment', timeTzOfInstant),
  cast('interval', 'time', 'assignment', timeOfInterval),
  cast('timetz', 'time', 'assignment', (time: TimeTz) => time.micros),
];

function functionOf({ from, to, volatility, needsCall, impl }: SqlCast): ScalarFunction {
  return { kind: 'scalar', name: to, args: [from], returns: to, volatility, needsCall, doc: `Converts to ${to}.`, impl: impl! };
}

export const timeCasts: FunctionModule = {
  casts,
  functions: [
    ...casts.map(functionOf),
    { kind: 'scalar', name: 'timestamp', args: ['date', 'time'], returns: 'timestamp', doc: 'Date and time of day to a timestamp.', impl: dateAndTime },
    {
      kind: 'scalar',
      name: 'timestamptz',
      args: ['date', 'timetz'],
      returns: 'timestamptz',
      doc: 'Date and zoned time of day to an instant.',
      impl: dateAndTimeTz,
    },
    {
      kind: 'scalar',
      name: 'timestamptz',
      args: ['date', 'time'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'Date and time of day, in the zone of the session, to an instant.',
      impl: (call: Call, date: number, time: number) => localToUtc(dateAndTime(date, time), sessionZone(call.env.timeZone)),
    },
  ],
};
