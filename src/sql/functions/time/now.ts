/**
 * The clocks. `now()` and the CURRENT_… words give the start of the transaction; CURRENT_DATE, CURRENT_TIME and similar are grammar
 * rather than calls, so they are plain functions here.
 */
import type { Environment } from '../../types/environment.ts';
import { dayOfTimestamp, momentOf, secondsOfTimestamp, timeOfTimestamp } from '../../types/time/calendar.ts';
import { localNow } from '../../types/time/datetime-input.ts';
import { twoDigits } from '../../types/time/datetime-output.ts';
import { roundMicros } from '../../types/time/precision.ts';
import { addWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';

/** CURRENT_DATE */
export function currentDate(env: Environment): number {
  return dayOfTimestamp(localNow(env));
}

/** CURRENT_TIMESTAMP and CURRENT_TIMESTAMP(precision) */
export function currentTimestamp(env: Environment, precision = 6): Whole {
  return roundMicros(env.transactionStart, Math.min(precision, 6));
}

/** LOCALTIMESTAMP and LOCALTIMESTAMP(precision) */
export function localTimestamp(env: Environment, precision = 6): Whole {
  return roundMicros(localNow(env), Math.min(precision, 6));
}

/** LOCALTIME and LOCALTIME(precision) */
export function localTime(env: Environment, precision = 6): number {
  const now = localNow(env);
  return roundMicros(timeOfTimestamp(now, dayOfTimestamp(now)), Math.min(precision, 6)) as number;
}

/** CURRENT_TIME and CURRENT_TIME(precision) */
export function currentTime(env: Environment, precision = 6): TimeTz {
  return new TimeTz(localTime(env, precision), sessionZone(env.timeZone).offsetAt(secondsOfTimestamp(env.transactionStart)));
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function timeOfDay(call: Call): string {
  const now = call.env.clock();
  const zone = sessionZone(call.env.timeZone);
  const seconds = secondsOfTimestamp(now);
  const local = addWhole(now, zone.offsetAt(seconds) * 1_000_000);
  const { year, month, day, hour, minute, second, micros } = momentOf(local);
  const weekday = DAYS[(((dayOfTimestamp(local) + 6) % 7) + 7) % 7]!;
  const time = `${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)}.${String(micros).padStart(6, '0')}`;
  return `${weekday} ${MONTHS[month - 1]!} ${twoDigits(day)} ${time} ${String(year).padStart(4, '0')} ${zone.abbreviationAt(seconds)}`;
}

function clock(name: string, volatility: 'stable' | 'volatile', doc: string, impl: (call: Call) => Whole): ScalarFunction {
  return { kind: 'scalar', name, args: [], returns: 'timestamptz', volatility, needsCall: true, doc, impl };
}

export const clocks: FunctionModule = {
  functions: [
    clock('now', 'stable', 'Start of the transaction.', (call) => call.env.transactionStart),
    clock('transaction_timestamp', 'stable', 'Start of the transaction.', (call) => call.env.transactionStart),
    clock('statement_timestamp', 'stable', 'Start of the statement.', (call) => call.env.statementStart),
    clock('clock_timestamp', 'volatile', 'The time now; changes within a statement.', (call) => call.env.clock()),
    { kind: 'scalar', name: 'timeofday', args: [], returns: 'text', volatility: 'volatile', needsCall: true, doc: 'The time now, as text.', impl: timeOfDay },
  ],
};
