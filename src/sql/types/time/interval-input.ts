/**
 * Parses intervals: Postgres's own form, the verbose and the SQL standard's (all by fields with units, from right to left), and ISO
 * 8601's with designators or in its alternative format (manual, 8.5.4).
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../environment.ts';
import { Interval } from '../interval.ts';
import { whole, type Whole } from '../value.ts';
import { MICROS_PER_DAY, MICROS_PER_HOUR, MICROS_PER_MINUTE, MICROS_PER_SECOND } from './calendar.ts';
import { DateTimeFields, fractionOf, readTime } from './datetime-fields.ts';
import { datetimeWord, INTERVAL_SIZE_MAX, intervalWord, splitFields, type Unit } from './datetime-tokens.ts';
import { BAD_FORMAT, FIELD_OVERFLOW, INTERVAL_OVERFLOW, inputError } from './input-failure.ts';
import { coerceInterval, MINUTE_TO_SECOND, rangeOfTypmod, smallestUnit } from './interval-typmod.ts';
import { NEGATIVE_INFINITY, POSITIVE_INFINITY } from './interval-value.ts';
import { addWhole, fitsInt32, fitsInt64, multiplyWhole, negateWhole, roundHalfEven } from './whole-arithmetic.ts';

/** Parts of an interval during parsing; years are separate because they have a range of their own. */
class Parts {
  years = 0;
  months = 0;
  days = 0;
  micros: Whole = 0;

  addMicros(value: Whole, fraction: number, unit: number): void {
    this.#setMicros(addWhole(this.micros, multiplyWhole(value, unit)));
    this.addFractionMicros(fraction, unit);
  }

  addFractionMicros(fraction: number, unit: number): void {
    if (fraction === 0) return;
    const exact = fraction * unit;
    let micros = Math.trunc(exact);
    const rest = exact - micros;
    if (rest > 0.5) micros++;
    else if (rest < -0.5) micros--;
    this.#setMicros(addWhole(this.micros, micros));
  }

  addDays(value: Whole, scale: number): void {
    this.days = int32(this.days + int32(int32(value) * scale));
  }

  addFractionDays(fraction: number, scale: number): void {
    if (fraction === 0) return;
    const exact = fraction * scale;
    const days = Math.trunc(exact);
    this.days = int32(this.days + days);
    this.addFractionMicros(exact - days, MICROS_PER_DAY);
  }

  addMonths(value: Whole): void {
    this.months = int32(this.months + int32(value));
  }

  addYears(value: Whole, fraction: number, scale: number): void {
    this.years = int32(this.years + int32(int32(value) * scale));
    this.months = int32(this.months + roundHalfEven(fraction * scale * 12));
  }

  negate(): void {
    this.years = int32(0 - this.years);
    this.months = int32(0 - this.months);
    this.days = int32(0 - this.days);
    this.#setMicros(negateWhole(this.micros));
  }

  /** The time of day replaces fractions of days added so far. */
  setTime(fields: DateTimeFields): void {
    this.micros = fields.micros;
    this.addMicros(fields.hour, 0, MICROS_PER_HOUR);
    this.addMicros(fields.minute, 0, MICROS_PER_MINUTE);
    this.addMicros(fields.second, 0, MICROS_PER_SECOND);
  }

  negateTime(): void {
    this.#setMicros(negateWhole(this.micros));
  }

  #setMicros(micros: Whole): void {
    if (!fitsInt64(micros)) throw FIELD_OVERFLOW;
    this.micros = micros;
  }
}

function int32(value: Whole): number {
  if (!fitsInt32(value)) throw FIELD_OVERFLOW;
  return Number(value) + 0;
}

type Input = Parts | 'infinity' | '-infinity';

export function parseInterval(text: string, typmod: number, env: Environment): Interval {
  let input: Input;
  try {
    try {
      input = readFields(text, rangeOfTypmod(typmod), env.intervalStyle === 'sql_standard');
    } catch (failure) {
      if (failure !== BAD_FORMAT) throw failure;
      input = readIso(text);
    }
  } catch (failure) {
    throw inputError(failure === FIELD_OVERFLOW ? INTERVAL_OVERFLOW : failure, text, 'interval');
  }
  if (input === 'infinity') return POSITIVE_INFINITY;
  if (input === '-infinity') return NEGATIVE_INFINITY;
  const months = input.years * 12 + input.months;
  if (!fitsInt32(months)) throw new SvcError('22008', 'interval out of range');
  return coerceInterval(new Interval(months, input.days, input.micros), typmod);
}

const BIT: Readonly<Partial<Record<Unit, number>>> = {
  year: 1,
  month: 2,
  day: 4,
  hour: 8,
  minute: 16,
  second: 32,
  millisecond: 64,
  microsecond: 128,
  week: 256,
  decade: 512,
  century: 1024,
  millennium: 2048,
};
const ALL_SECONDS = 32 | 64 | 128;
const TIME = 8 | 16 | ALL_SECONDS;
const DATE = 1 | 2 | 4;

function readFields(text: string, range: number, sqlStandard: boolean): Input {
  const list = splitFields(text, INTERVAL_SIZE_MAX);
  const parts = new Parts();
  // `-1 1:00` of the SQL standard negates both; an explicit sign on any other field disables that.
  const negative = sqlStandard && list.length > 0 && list[0]!.text[0] === '-' && !list.slice(1).some(({ text: t }) => t[0] === '-' || t[0] === '+');
  let unit: Unit | null = null;
  /** A unit whose number is still to come. */
  let pending = false;
  let ago = false;
  let infinite: 'infinity' | '-infinity' | null = null;
  let seen = 0;

  for (let i = list.length - 1; i >= 0; i--) {
    const { kind, text: value } = list[i]!;
    let bits = 0;
    if (kind === 'time' || (kind === 'zone' && value.includes(':'))) {
      if (kind === 'time') readTimePart(parts, value, range);
      else readSignedTime(parts, value, range);
      if (negative && parts.micros > 0) parts.negateTime();
      bits = TIME;
      unit = 'day';
      pending = false;
    } else if (kind === 'zone' || kind === 'date' || kind === 'number') {
      unit ??= smallestUnit(range);
      const number = readNumber(value);
      if (number.yearMonth) unit = 'month';
      let { integer, fraction } = number;
      if (negative) {
        if (integer > 0) integer = negateWhole(integer);
        if (fraction > 0) fraction = -fraction;
      }
      bits = unit === 'second' && fraction !== 0 ? ALL_SECONDS : (BIT[unit] ?? 0);
      addUnit(parts, unit, integer, fraction);
      if (unit === 'hour') unit = 'day';
      pending = false;
    } else {
      if (pending) throw BAD_FORMAT;
      const word = intervalWord(value) ?? datetimeWord(value);
      if (word?.kind === 'ignore') {
        unit = null;
        continue;
      }
      if (word?.kind === 'unit') {
        unit = word.value;
        pending = true;
      } else if (word?.kind === 'ago') {
        if (i !== list.length - 1) throw BAD_FORMAT;
        ago = true;
        unit = 'epoch';
      } else if (word?.kind === 'special' && (word.value === 'infinity' || word.value === '-infinity')) {
        if (i !== list.length - 1) throw BAD_FORMAT;
        infinite = word.value;
        bits = DATE | TIME;
        unit = 'epoch';
      } else throw BAD_FORMAT;
    }
    if (bits & seen) throw BAD_FORMAT;
    seen |= bits;
  }
  if (seen === 0 || pending) throw BAD_FORMAT;
  if (infinite !== null) return infinite;
  if (ago) parts.negate();
  return parts;
}

function readTimePart(parts: Parts, text: string, range: number): void {
  const fields = new DateTimeFields();
  readTime(text, fields, range === MINUTE_TO_SECOND);
  parts.setTime(fields);
}

/** The error of a signed time is not reported: Postgres takes it for an invalid number. */
function readSignedTime(parts: Parts, text: string, range: number): void {
  try {
    readTimePart(parts, text.slice(1), range);
  } catch {
    throw BAD_FORMAT;
  }
  if (text[0] === '-') parts.negateTime();
}

/** Units that intervals do not have mean that no number may follow. */
function addUnit(parts: Parts, unit: Unit, integer: Whole, fraction: number): void {
  switch (unit) {
    case 'microsecond':
      return parts.addMicros(integer, fraction, 1);
    case 'millisecond':
      return parts.addMicros(integer, fraction, 1000);
    case 'second':
      return parts.addMicros(integer, fraction, MICROS_PER_SECOND);
    case 'minute':
      return parts.addMicros(integer, fraction, MICROS_PER_MINUTE);
    case 'hour':
      return parts.addMicros(integer, fraction, MICROS_PER_HOUR);
    case 'day':
      parts.addDays(integer, 1);
      return parts.addFractionMicros(fraction, MICROS_PER_DAY);
    case 'week':
      parts.addDays(integer, 7);
      return parts.addFractionDays(fraction, 7);
    case 'month':
      parts.addMonths(integer);
      return parts.addFractionDays(fraction, 30);
    case 'year':
      return parts.addYears(integer, fraction, 1);
    case 'decade':
      return parts.addYears(integer, fraction, 10);
    case 'century':
      return parts.addYears(integer, fraction, 100);
    case 'millennium':
      return parts.addYears(integer, fraction, 1000);
    default:
      throw BAD_FORMAT;
  }
}

/** `12`, `-1.5`, or `1-2`: years and months of the SQL standard, in months. */
function readNumber(text: string): { integer: Whole; fraction: number; yearMonth: boolean } {
  const [, sign, digits, rest] = /^([+-]?)(\d*)(.*)$/.exec(text) as unknown as [string, string, string, string];
  const minus = sign === '-';
  let integer: Whole = digits.length <= 15 ? Number(digits) : whole(BigInt(digits));
  if (minus) integer = negateWhole(integer);
  if (!fitsInt64(integer)) throw FIELD_OVERFLOW;
  if (rest === '') return { integer, fraction: 0, yearMonth: false };
  if (rest[0] === '.') {
    const fraction = fractionOf(rest);
    return { integer, fraction: minus ? -fraction : fraction, yearMonth: false };
  }
  const [, monthDigits, junk] = /^-([+-]?\d+|)(.*)$/.exec(rest) ?? [];
  if (monthDigits === undefined) throw BAD_FORMAT;
  const months = Number(monthDigits);
  if (!(months >= 0 && months < 12)) throw FIELD_OVERFLOW;
  if (junk !== '') throw BAD_FORMAT;
  integer = addWhole(multiplyWhole(integer, 12), minus ? -months : months);
  if (!fitsInt64(integer)) throw FIELD_OVERFLOW;
  return { integer, fraction: 0, yearMonth: true };
}

/** Beyond it a double could not represent both the integer and the fraction. */
const ISO_NUMBER_MAX = 1e15;

/** Walks over an ISO 8601 interval; `unit` is the character after the number, '' at the end. */
function readIso(text: string): Input {
  if (text.length < 2 || text[0] !== 'P') throw BAD_FORMAT;
  const parts = new Parts();
  let at = 1;
  let integer = 0;
  let fraction = 0;
  const number = (): void => {
    const match = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/.exec(text.slice(at));
    if (match === null) throw BAD_FORMAT;
    const value = Number(match[0]);
    if (!Number.isFinite(value)) throw BAD_FORMAT;
    if (Math.abs(value) > ISO_NUMBER_MAX) throw FIELD_OVERFLOW;
    at += match[0].length;
    integer = Math.trunc(value) + 0;
    fraction = value - integer;
  };
  /** Digits before the point of a number that starts at a position. */
  const width = (from: number): number => /^-?(\d*)/.exec(text.slice(from))![1]!.length;

  let inDate = true;
  let haveField = false;
  while (at < text.length) {
    if (text[at] === 'T') {
      inDate = false;
      haveField = false;
      at++;
      continue;
    }
    const start = at;
    number();
    const unit = text[at++] ?? '';
    if (inDate) {
      switch (unit) {
        case 'Y':
          parts.addYears(integer, fraction, 1);
          break;
        case 'M':
          addUnit(parts, 'month', integer, fraction);
          break;
        case 'W':
          addUnit(parts, 'week', integer, fraction);
          break;
        case 'D':
          addUnit(parts, 'day', integer, fraction);
          break;
        case 'T':
        case '':
        case '-':
          if (unit !== '-' && width(start) === 8 && !haveField) {
            // YYYYMMDD
            parts.addYears(Math.trunc(integer / 10000), 0, 1);
            parts.addMonths(Math.trunc(integer / 100) % 100);
            parts.addDays(integer % 100, 1);
            parts.addFractionMicros(fraction, MICROS_PER_DAY);
          } else {
            // YYYY-MM-DD
            if (haveField) throw BAD_FORMAT;
            parts.addYears(integer, fraction, 1);
            if (unit === '-') {
              number();
              addUnit(parts, 'month', integer, fraction);
              if (text[at] === '-') {
                at++;
                number();
                addUnit(parts, 'day', integer, fraction);
              }
              if (at < text.length && text[at] !== 'T') throw BAD_FORMAT;
              at++;
            }
          }
          if (at > text.length) return parts;
          inDate = false;
          haveField = false;
          continue;
        default:
          throw BAD_FORMAT;
      }
    } else {
      switch (unit) {
        case 'H':
          addUnit(parts, 'hour', integer, fraction);
          break;
        case 'M':
          addUnit(parts, 'minute', integer, fraction);
          break;
        case 'S':
          addUnit(parts, 'second', integer, fraction);
          break;
        case '':
        case ':':
          if (unit === '' && width(start) === 6 && !haveField) {
            // HHMMSS
            parts.addMicros(Math.trunc(integer / 10000), 0, MICROS_PER_HOUR);
            parts.addMicros(Math.trunc(integer / 100) % 100, 0, MICROS_PER_MINUTE);
            parts.addMicros(integer % 100, 0, MICROS_PER_SECOND);
            parts.addFractionMicros(fraction, 1);
            return parts;
          }
          // HH:MM:SS
          if (haveField) throw BAD_FORMAT;
          addUnit(parts, 'hour', integer, fraction);
          if (unit === '') return parts;
          number();
          addUnit(parts, 'minute', integer, fraction);
          if (at === text.length) return parts;
          if (text[at] !== ':') throw BAD_FORMAT;
          at++;
          number();
          addUnit(parts, 'second', integer, fraction);
          if (at === text.length) return parts;
          throw BAD_FORMAT;
        default:
          throw BAD_FORMAT;
      }
    }
    haveField = true;
  }
  return parts;
}
