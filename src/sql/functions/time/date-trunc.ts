/** `date_trunc`: rounds down to the start of a unit. */
import { Interval } from '../../types/interval.ts';
import {
  civilFromDays,
  dayOfTimestamp,
  dayOfWeek,
  daysFromCivil,
  isInfinite,
  isTimestampRange,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  secondsOfTimestamp,
  timeOfTimestamp,
  timestampOf,
} from '../../types/time/calendar.ts';
import type { Unit } from '../../types/time/datetime-tokens.ts';
import { isInfiniteInterval } from '../../types/time/interval-value.ts';
import { localToUtcUnchecked, timestampOutOfRange } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, remainderWhole, subtractWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone, type Zone } from '../../types/time/zones.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { truncateZone } from './at-time-zone.ts';
import { truncationUnitOf, unsupportedUnit, type TimeTypeName } from './units.ts';

/** Microseconds of the units below a day. */
const SHORT: Readonly<Partial<Record<Unit, number>>> = {
  microsecond: 1,
  millisecond: 1000,
  second: MICROS_PER_SECOND,
  minute: MICROS_PER_MINUTE,
  hour: MICROS_PER_HOUR,
};

const quotient = (a: number, b: number): number => Math.trunc(a / b);

/** First day of the unit that contains a day; null for units below a day. */
function truncateDay(unit: Unit, day: number): number | null {
  if (unit === 'day') return day;
  if (unit === 'week') return day - ((dayOfWeek(day) + 6) % 7);
  const { year, month } = civilFromDays(day);
  switch (unit) {
    case 'month':
      return daysFromCivil(year, month, 1);
    case 'quarter':
      return daysFromCivil(year, month - ((month - 1) % 3), 1);
    case 'year':
      return daysFromCivil(year, 1, 1);
    case 'decade':
      return daysFromCivil(Math.floor(year / 10) * 10, 1, 1);
    // There is no year 0: centuries and millennia begin with years 1, 101, 1001.
    case 'century':
      return daysFromCivil(year > 0 ? quotient(year + 99, 100) * 100 - 99 : -quotient(99 - (year - 1), 100) * 100 + 1, 1, 1);
    case 'millennium':
      return daysFromCivil(year > 0 ? quotient(year + 999, 1000) * 1000 - 999 : -quotient(999 - (year - 1), 1000) * 1000 + 1, 1, 1);
    default:
      return null;
  }
}

function truncateLocal(text: string, local: Whole, unit: Unit, type: TimeTypeName): Whole {
  const short = SHORT[unit];
  const day = dayOfTimestamp(local);
  if (short !== undefined) {
    const time = timeOfTimestamp(local, day);
    return timestampOf(day, time - (time % short));
  }
  const first = truncateDay(unit, day);
  if (first === null) throw unsupportedUnit(text, type);
  return timestampOf(first, 0);
}

function checked(timestamp: Whole): Whole {
  if (!isTimestampRange(timestamp)) throw timestampOutOfRange();
  return timestamp;
}

/** Infinity stays, but the unit is checked first. */
function truncateTimestamp(text: string, timestamp: Whole): Whole {
  const unit = truncationUnitOf(text, 'timestamp');
  const result = truncateLocal(text, isInfinite(timestamp) ? 0 : timestamp, unit, 'timestamp');
  return isInfinite(timestamp) ? timestamp : checked(result);
}

export function truncateTimestampTz(text: string, timestamp: Whole, zone: Zone): Whole {
  const unit = truncationUnitOf(text, 'timestamptz');
  if (isInfinite(timestamp)) {
    truncateLocal(text, 0, unit, 'timestamptz');
    return timestamp;
  }
  const offset = zone.offsetAt(secondsOfTimestamp(timestamp)) * MICROS_PER_SECOND;
  const local = truncateLocal(text, addWhole(timestamp, offset), unit, 'timestamptz');
  // Hours and below keep the offset, so that a repeated hour stays itself.
  return checked(SHORT[unit] !== undefined ? subtractWhole(local, offset) : localToUtcUnchecked(local, zone));
}

const MONTHS: Readonly<Partial<Record<Unit, number>>> = { month: 1, quarter: 3, year: 12, decade: 120, century: 1200, millennium: 12000 };

function truncateInterval(text: string, span: Interval): Interval {
  const unit = truncationUnitOf(text, 'interval');
  const months = MONTHS[unit];
  const short = SHORT[unit];
  if (months === undefined && short === undefined && unit !== 'day') {
    throw unsupportedUnit(text, 'interval', unit === 'week' ? 'Months usually have fractional weeks.' : undefined);
  }
  if (isInfiniteInterval(span)) return span;
  if (months !== undefined) return new Interval(span.months - (span.months % months) + 0, 0, 0);
  if (short === undefined) return new Interval(span.months, span.days, 0);
  return new Interval(span.months, span.days, subtractWhole(span.micros, remainderWhole(span.micros, short)));
}

export const truncation: FunctionModule = {
  functions: [
    { kind: 'scalar', name: 'date_trunc', args: ['text', 'timestamp'], returns: 'timestamp', doc: 'Truncates to a unit.', impl: truncateTimestamp },
    {
      kind: 'scalar',
      name: 'date_trunc',
      args: ['text', 'timestamptz'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'Truncates to a unit, in the zone of the session.',
      impl: (call: Call, text: string, timestamp: Whole) => truncateTimestampTz(text, timestamp, sessionZone(call.env.timeZone)),
    },
    {
      kind: 'scalar',
      name: 'date_trunc',
      args: ['text', 'timestamptz', 'text'],
      returns: 'timestamptz',
      needsCall: true,
      doc: 'Truncates to a unit, in the given zone.',
      impl: (call: Call, text: string, timestamp: Whole, zone: string) => truncateTimestampTz(text, timestamp, truncateZone(call, zone)),
    },
    { kind: 'scalar', name: 'date_trunc', args: ['text', 'interval'], returns: 'interval', doc: 'Truncates to a unit.', impl: truncateInterval },
  ],
};
