/**
 * `extract(unit from value)` as numeric, and `date_part(unit, value)` as float8. For infinity, monotonic units (year, epoch, …) are
 * infinite and cyclic ones (hour, month, …) are null.
 */
import { Interval } from '../../types/interval.ts';
import { Numeric } from '../../types/numeric.ts';
import {
  civilFromDays,
  dayOfTimestamp,
  dayOfWeek,
  dayOfYear,
  EPOCH_JULIAN_DAY,
  isInfinite,
  isoWeekOf,
  isoYearOf,
  MICROS_PER_DAY,
  MICROS_PER_HOUR,
  MICROS_PER_MINUTE,
  MICROS_PER_SECOND,
  SECONDS_PER_DAY,
  secondsOfTimestamp,
  timeOfTimestamp,
  UNIX_EPOCH_DAYS,
  UNIX_EPOCH_MICROS,
} from '../../types/time/calendar.ts';
import type { Unit } from '../../types/time/datetime-tokens.ts';
import { intervalFields } from '../../types/time/interval-output.ts';
import { isInfiniteInterval, isPositiveInfinity } from '../../types/time/interval-value.ts';
import { timestampOfDate, utcToLocalUnchecked } from '../../types/time/timestamp-arithmetic.ts';
import { addWhole, fitsInt64, multiplyWhole, subtractWhole } from '../../types/time/whole-arithmetic.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { TimeTz } from '../../types/timetz.ts';
import { whole, type Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { unitOf, unsupportedUnit, type TimeTypeName } from './units.ts';

/** The value of a unit: an exact decimal, and the float8 if that is rounded in another way. */
interface Part {
  readonly coefficient: Whole;
  readonly scale: number;
  readonly float: number;
}

function part(coefficient: Whole, scale = 0, float = scale === 0 ? Number(coefficient) : Number(coefficient) / 10 ** scale): Part {
  return { coefficient, scale, float };
}

const GROWING: ReadonlySet<Unit> = new Set(['year', 'decade', 'century', 'millennium', 'julian', 'isoyear', 'epoch']);
const RECURRING: ReadonlySet<Unit> = new Set([
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'month',
  'quarter',
  'week',
  'dow',
  'isodow',
  'doy',
]);
const ZONE_UNITS: ReadonlySet<Unit> = new Set(['timezone', 'timezone_hour', 'timezone_minute']);
const ZONED_RECURRING: ReadonlySet<Unit> = new Set([...RECURRING, ...ZONE_UNITS]);
const TIME_UNITS: ReadonlySet<Unit> = new Set(['microsecond', 'millisecond', 'second', 'minute', 'hour']);

/** Postgres's integer division, towards zero. */
const quotient = (a: number, b: number): number => Math.trunc(a / b) + 0;

/** The BC-less year 0 is 1 BC, shown as -1. */
const shownYear = (year: number): number => (year > 0 ? year : year - 1);

function datePart(unit: Unit, day: number): number | null {
  switch (unit) {
    case 'dow':
      return dayOfWeek(day);
    case 'isodow':
      return dayOfWeek(day) || 7;
    case 'week':
      return isoWeekOf(day);
    case 'isoyear':
      return shownYear(isoYearOf(day));
  }
  const { year, month, day: monthDay } = civilFromDays(day);
  switch (unit) {
    case 'year':
      return shownYear(year);
    case 'quarter':
      return quotient(month - 1, 3) + 1;
    case 'month':
      return month;
    case 'day':
      return monthDay;
    case 'doy':
      return dayOfYear(year, month, monthDay);
    case 'decade':
      return Math.floor(year / 10) + 0;
    case 'century':
      return year > 0 ? quotient(year + 99, 100) : -quotient(99 - (year - 1), 100);
    case 'millennium':
      return year > 0 ? quotient(year + 999, 1000) : -quotient(999 - (year - 1), 1000);
    default:
      return null;
  }
}

function timePart(unit: Unit, time: number): Part | null {
  const below = time % MICROS_PER_MINUTE;
  const second = Math.floor(below / MICROS_PER_SECOND);
  const micros = below % MICROS_PER_SECOND;
  switch (unit) {
    case 'microsecond':
      return part(below);
    case 'millisecond':
      return part(below, 3, second * 1000 + micros / 1000);
    case 'second':
      return part(below, 6, second + micros / 1_000_000);
    case 'minute':
      return part(Math.floor(time / MICROS_PER_MINUTE) % 60);
    case 'hour':
      return part(Math.floor(time / MICROS_PER_HOUR));
    default:
      return null;
  }
}

/** The Julian day with the day's fraction, with as many digits as numeric division gives. */
function julianPart(day: number, time: number): Part {
  const julian = day + EPOCH_JULIAN_DAY;
  let groups = 0;
  let leading = time;
  while (leading >= 10_000) {
    leading = Math.floor(leading / 10_000);
    groups++;
  }
  // 86 400 000 000 has two groups of four digits below its leading 864.
  const weight = groups - 2 - (leading <= 864 ? 1 : 0);
  const scale = 16 - weight * 4;
  const power = 10n ** BigInt(scale);
  const divisor = BigInt(MICROS_PER_DAY);
  const fraction = (BigInt(time) * power * 2n + divisor) / (divisor * 2n);
  const second = Math.floor(time / MICROS_PER_SECOND);
  const micros = time % MICROS_PER_SECOND;
  return part(whole(BigInt(julian) * power + fraction), scale, julian + (second + micros / 1_000_000) / SECONDS_PER_DAY);
}

/** If the microseconds exceed 64 bits, numeric division keeps only four digits. */
function epochPart(timestamp: Whole): Part {
  const micros = subtractWhole(timestamp, UNIX_EPOCH_MICROS);
  return part(fitsInt64(micros) ? micros : ((BigInt(micros) + 50n) / 100n) * 100n, 6, Number(micros) / 1_000_000);
}

type Extractor<T> = (text: string, value: T, call: Call) => Part | null;

/** For an infinite value. */
function infinitePart(text: string, unit: Unit, positive: boolean, type: TimeTypeName, growing: ReadonlySet<Unit>, recurring: ReadonlySet<Unit>): Part | null {
  if (recurring.has(unit)) return null;
  if (growing.has(unit)) return part(positive ? Infinity : -Infinity);
  throw unsupportedUnit(text, type);
}

const DATE_RECURRING: ReadonlySet<Unit> = new Set([...RECURRING].filter((unit) => !TIME_UNITS.has(unit)));

const ofDate: Extractor<number> = (text, date) => {
  const unit = unitOf(text, 'date', true);
  if (isInfinite(date)) return infinitePart(text, unit, date > 0, 'date', GROWING, DATE_RECURRING);
  if (unit === 'julian') return part(date + EPOCH_JULIAN_DAY);
  if (unit === 'epoch') return part((date - UNIX_EPOCH_DAYS) * SECONDS_PER_DAY);
  const value = datePart(unit, date);
  if (value === null) throw unsupportedUnit(text, 'date');
  return part(value);
};

function ofLocal(text: string, unit: Unit, local: Whole, type: TimeTypeName): Part {
  const day = dayOfTimestamp(local);
  const time = timeOfTimestamp(local, day);
  if (unit === 'julian') return julianPart(day, time);
  const date = TIME_UNITS.has(unit) ? null : datePart(unit, day);
  const result = date === null ? timePart(unit, time) : part(date);
  if (result === null) throw unsupportedUnit(text, type);
  return result;
}

const ofTimestamp: Extractor<Whole> = (text, timestamp) => {
  const unit = unitOf(text, 'timestamp', true);
  if (isInfinite(timestamp)) return infinitePart(text, unit, timestamp > 0, 'timestamp', GROWING, ZONED_RECURRING);
  if (unit === 'epoch') return epochPart(timestamp);
  return ofLocal(text, unit, timestamp, 'timestamp');
};

const ofTimestampTz: Extractor<Whole> = (text, timestamp, call) => {
  const unit = unitOf(text, 'timestamptz', true);
  if (isInfinite(timestamp)) return infinitePart(text, unit, timestamp > 0, 'timestamptz', GROWING, ZONED_RECURRING);
  if (unit === 'epoch') return epochPart(timestamp);
  const zone = sessionZone(call.env.timeZone);
  if (ZONE_UNITS.has(unit)) return part(offsetPart(unit, zone.offsetAt(secondsOfTimestamp(timestamp))));
  return ofLocal(text, unit, utcToLocalUnchecked(timestamp, zone), 'timestamptz');
};

function offsetPart(unit: Unit, offset: number): number {
  if (unit === 'timezone') return offset;
  return unit === 'timezone_hour' ? quotient(offset, 3600) : (quotient(offset, 60) % 60) + 0;
}

const ofTime: Extractor<number> = (text, time) => {
  const unit = unitOf(text, 'time', false);
  const result = unit === 'epoch' ? part(time, 6) : timePart(unit, time);
  if (result === null) throw unsupportedUnit(text, 'time');
  return result;
};

const ofTimeTz: Extractor<TimeTz> = (text, time) => {
  const unit = unitOf(text, 'timetz', false);
  if (ZONE_UNITS.has(unit)) return part(offsetPart(unit, time.offset));
  const result = unit === 'epoch' ? part(time.micros - time.offset * MICROS_PER_SECOND, 6, time.micros / 1_000_000 - time.offset) : timePart(unit, time.micros);
  if (result === null) throw unsupportedUnit(text, 'timetz');
  return result;
};

const INTERVAL_GROWING: ReadonlySet<Unit> = new Set(['hour', 'day', 'year', 'decade', 'century', 'millennium', 'epoch']);
const INTERVAL_RECURRING: ReadonlySet<Unit> = new Set(['microsecond', 'millisecond', 'second', 'minute', 'week', 'month', 'quarter']);

const ofInterval: Extractor<Interval> = (text, span) => {
  const infinite = isInfiniteInterval(span);
  const unit = unitOf(text, 'interval', infinite);
  if (infinite) return infinitePart(text, unit, isPositiveInfinity(span), 'interval', INTERVAL_GROWING, INTERVAL_RECURRING);
  const { years, months, days, hours, minutes, seconds, micros } = intervalFields(span);
  const below = seconds * MICROS_PER_SECOND + micros;
  switch (unit) {
    case 'microsecond':
      return part(below);
    case 'millisecond':
      return part(below, 3, seconds * 1000 + micros / 1000);
    case 'second':
      return part(below, 6, seconds + micros / 1_000_000);
    case 'minute':
      return part(minutes);
    case 'hour':
      return part(hours);
    case 'day':
      return part(days);
    case 'week':
      return part(quotient(days, 7));
    case 'month':
      return part(months);
    case 'quarter':
      return part(span.months >= 0 ? quotient(months, 3) + 1 : -(quotient(-months, 3) + 1));
    case 'year':
      return part(years);
    case 'decade':
      return part(quotient(years, 10));
    case 'century':
      return part(quotient(years, 100));
    case 'millennium':
      return part(quotient(years, 1000));
    case 'epoch': {
      // A year counts 365.25 days here.
      const days4 = 1461 * years + 120 * months + 4 * days;
      const exact = addWhole(multiplyWhole(days4 * (SECONDS_PER_DAY / 4), MICROS_PER_SECOND), span.micros);
      const float = Number(span.micros) / 1_000_000 + 365.25 * SECONDS_PER_DAY * years + 30 * SECONDS_PER_DAY * months + SECONDS_PER_DAY * days;
      return part(exact, 6, float);
    }
    default:
      throw unsupportedUnit(text, 'interval');
  }
};

// oxlint-disable-next-line no-explicit-any
function both(type: TimeTypeName, extractor: Extractor<any>, floatExtractor: Extractor<any> = extractor): ScalarFunction[] {
  const common = { kind: 'scalar', args: ['text', type], volatility: type === 'timestamptz' ? 'stable' : 'immutable', needsCall: true } as const;
  return [
    {
      ...common,
      name: 'extract',
      returns: 'numeric',
      doc: 'A field of a date, time or interval, exactly.',
      impl: (call: Call, text: string, value: unknown) => {
        const result = extractor(text, value, call);
        return result === null ? null : new Numeric(result.coefficient, result.scale);
      },
    },
    {
      ...common,
      name: 'date_part',
      returns: 'float8',
      doc: 'A field of a date, time or interval.',
      impl: (call: Call, text: string, value: unknown) => floatExtractor(text, value, call)?.float ?? null,
    },
  ];
}

export const extractFunctions: FunctionModule = {
  functions: [
    ...both('date', ofDate, (text, date: number, call) => ofTimestamp(text, timestampOfDate(date), call)),
    ...both('time', ofTime),
    ...both('timetz', ofTimeTz),
    ...both('timestamp', ofTimestamp),
    ...both('timestamptz', ofTimestampTz),
    ...both('interval', ofInterval),
  ],
};
