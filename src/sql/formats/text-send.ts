/**
 * Values as text, as `SqlType.format` prints them, written directly as bytes: results of the wire protocol and COPY are mostly
 * numbers and times, for which intermediate strings would be most of the work.
 */
import { civilFromDays, dayOfTimestamp, secondsOfTimestamp, timeOfTimestamp } from '../types/time/calendar.ts';
import { offsetText } from '../types/time/datetime-output.ts';
import { addWhole } from '../types/time/whole-arithmetic.ts';
import { sessionZone } from '../types/time/zones.ts';
import type { Environment } from '../types/environment.ts';
import type { Numeric } from '../types/numeric.ts';
import type { SqlType } from '../types/type.ts';
import type { Value, Whole } from '../types/value.ts';
import type { BinaryWriter } from './binary-writer.ts';

/** Appends the text of a value (not null). */
export type TextSender = (out: BinaryWriter, value: Value, env: Environment) => void;

const T = 116;
const F = 102;
const BLANK = 32;

const text: TextSender = (out, value) => out.utf8(value as string);
const wholeNumber: TextSender = (out, value) => {
  if (typeof value === 'number') out.digits(value);
  else out.utf8(String(value));
};

/** False unless the form is four digits of a year, month and day. */
function isoDay(out: BinaryWriter, days: number): boolean {
  const slot = days & (DAYS_KEPT - 1);
  if (keptDays[slot] !== days) {
    keptDays[slot] = days;
    keptDates[slot] = civilFromDays(days);
  }
  const { year, month, day } = keptDates[slot];
  if (year < 1 || year > 9999) return false;
  out.isoDate(year, month, day);
  return true;
}
/** Consecutive rows are often of one day, or of the days of a year. */
const DAYS_KEPT = 512;
const keptDays = new Array<number>(DAYS_KEPT).fill(0);
const keptDates = new Array<ReturnType<typeof civilFromDays>>(DAYS_KEPT).fill(civilFromDays(0));

function isoTimestamp(out: BinaryWriter, timestamp: Whole): boolean {
  // Infinities are no whole numbers.
  if (!Number.isSafeInteger(timestamp)) return false;
  const day = dayOfTimestamp(timestamp);
  if (!isoDay(out, day)) return false;
  out.byte(BLANK);
  out.isoTime(timeOfTimestamp(timestamp, day));
  return true;
}

/** Fast paths besides `format`, by type name. */
const SENDERS: Record<string, (type: SqlType) => TextSender> = {
  int2: () => wholeNumber,
  int4: () => wholeNumber,
  int8: () => wholeNumber,
  oid: () => wholeNumber,
  text: () => text,
  varchar: () => text,
  refcursor: () => text,
  json: () => text,
  jsonb: () => text,
  uuid: () => text,
  bool: () => (out, value) => out.byte(value === true ? T : F),
  numeric: (type) => (out, value, env) => {
    const { coefficient, scale } = value as Numeric;
    if (Number.isSafeInteger(coefficient) && scale <= 15) out.decimal(coefficient as number, scale);
    else out.utf8(type.format(value, env));
  },
  date: (type) => (out, value, env) => {
    if (env.dateStyle === 'ISO' && Number.isSafeInteger(value) && isoDay(out, value as number)) return;
    out.utf8(type.format(value, env));
  },
  timestamp: (type) => (out, value, env) => {
    if (env.dateStyle === 'ISO' && isoTimestamp(out, value as Whole)) return;
    out.utf8(type.format(value, env));
  },
  timestamptz: (type) => (out, value, env) => {
    if (env.dateStyle === 'ISO' && Number.isSafeInteger(value)) {
      const offset = sessionZone(env.timeZone).offsetAt(secondsOfTimestamp(value as Whole));
      if (isoTimestamp(out, addWhole(value as Whole, offset * 1_000_000))) {
        out.utf8(offsetText(offset, 'ISO'));
        return;
      }
    }
    out.utf8(type.format(value, env));
  },
};

const known = new WeakMap<SqlType, TextSender>();

export function textSender(type: SqlType): TextSender {
  let sender = known.get(type);
  if (sender === undefined) {
    if (type.domain !== null) return textSender(type.domain.root);
    const make = type.element === null && type.labels === null && Object.hasOwn(SENDERS, type.name) ? SENDERS[type.name] : null;
    sender = make === null ? (out, value, env) => out.utf8(type.format(value, env)) : make(type);
    known.set(type, sender);
  }
  return sender;
}

/** Whether the text of its values always consists of digits, letters, blanks and `+-:.`. */
export function textIsPlain(type: SqlType): boolean {
  return type.element === null && type.labels === null && PLAIN.has(type.name);
}
const PLAIN = new Set(['int2', 'int4', 'int8', 'oid', 'bool', 'numeric', 'float4', 'float8', 'date', 'time', 'timetz', 'timestamp', 'timestamptz', 'uuid']);
