/** `timestamp` and `timestamptz`: microseconds since 2000-01-01 00:00, local or UTC; ±Infinity for infinity. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../environment.ts';
import { makeType } from '../make-type.ts';
import type { SqlType } from '../type.ts';
import type { Value, Whole } from '../value.ts';
import { isJulianRange, isTimestampRange, MICROS_PER_SECOND, SECONDS_PER_DAY, timestampOf, UNIX_EPOCH_MICROS } from './calendar.ts';
import { readDateTime, timestampOfFields, type DateTimeInput } from './datetime-input.ts';
import { formatTimestamp, formatTimestampTz } from './datetime-output.ts';
import { inputError } from './input-failure.ts';
import { readIsoTimestamp } from './iso-input.ts';
import { checkPrecision, roundMicros } from './precision.ts';
import { subtractWhole } from './whole-arithmetic.ts';
import { sessionZone } from './zones.ts';

/** The parsed value, `null` if it is out of range. */
function valueOf(input: DateTimeInput, zoned: boolean): Whole | null {
  if (input.kind !== 'fields') return input.kind === 'epoch' ? UNIX_EPOCH_MICROS : input.kind === 'infinity' ? Infinity : -Infinity;
  if (!isJulianRange(input.fields.year, input.fields.month)) return null;
  const local = timestampOfFields(input.fields);
  const timestamp = zoned ? subtractWhole(local, input.offset * MICROS_PER_SECOND) : local;
  return isTimestampRange(timestamp) ? timestamp : null;
}

export function parseTimestamp(text: string, env: Environment): Whole {
  const iso = readIsoTimestamp(text);
  if (iso !== null) return timestampOf(iso.day, iso.time);
  try {
    const timestamp = valueOf(readDateTime(text, env), false);
    if (timestamp === null) throw new SvcError('22008', `timestamp out of range: "${text}"`);
    return timestamp;
  } catch (failure) {
    throw inputError(failure, text, 'timestamp');
  }
}

export function parseTimestampTz(text: string, env: Environment): Whole {
  const iso = readIsoTimestamp(text);
  if (iso !== null) {
    const offset =
      iso.offset === iso.offset ? iso.offset : sessionZone(env.timeZone).offsetAtLocal(iso.day * SECONDS_PER_DAY + Math.floor(iso.time / MICROS_PER_SECOND));
    return timestampOf(iso.day, iso.time - offset * MICROS_PER_SECOND);
  }
  try {
    const timestamp = valueOf(readDateTime(text, env), true);
    if (timestamp === null) throw new SvcError('22008', `timestamp out of range: "${text}"`);
    return timestamp;
  } catch (failure) {
    throw inputError(failure, text, 'timestamp with time zone');
  }
}

function coerceTimestamp(value: Value, typmod: number): Whole {
  const timestamp = value as Whole;
  if (typmod < 0 || timestamp === Infinity || timestamp === -Infinity) return timestamp;
  checkPrecision(typmod, 'timestamp');
  return roundMicros(timestamp, typmod);
}

const shared = {
  category: 'D',
  length: 8,
  repr: 'whole',
  coerce: coerceTimestamp,
  formatTypmod: (typmod: number) => (typmod < 0 ? '' : `(${typmod})`),
} as const;

export const timestampType: SqlType = makeType({
  ...shared,
  oid: 1114,
  name: 'timestamp',
  title: 'timestamp without time zone',
  arrayOid: 1115,
  parse: (text, typmod, env) => coerceTimestamp(parseTimestamp(text, env), typmod),
  format: (value: Value, env) => formatTimestamp(value as Whole, env.dateStyle, env.dateOrder),
  json: (value: Value) => formatTimestamp(value as Whole, 'XSD', 'MDY'),
});

export const timestamptzType: SqlType = makeType({
  ...shared,
  oid: 1184,
  name: 'timestamptz',
  title: 'timestamp with time zone',
  preferred: true,
  arrayOid: 1185,
  parse: (text, typmod, env) => coerceTimestamp(parseTimestampTz(text, env), typmod),
  format: (value: Value, env) => formatTimestampTz(value as Whole, env.dateStyle, env.dateOrder, env.timeZone),
  json: (value: Value, env) => formatTimestampTz(value as Whole, 'XSD', 'MDY', env.timeZone),
});
