/** `timetz`: a time of day with a fixed offset. Ordered by the instant; of two at one instant the one further west is the later. */
import type { Environment } from '../environment.ts';
import { makeType } from '../make-type.ts';
import { TimeTz } from '../timetz.ts';
import type { SqlType } from '../type.ts';
import type { Value } from '../value.ts';
import { timeOf } from './calendar.ts';
import { readTimeOfDay } from './datetime-input.ts';
import { formatTime, offsetText } from './datetime-output.ts';
import { inputError } from './input-failure.ts';
import { checkPrecision, roundMicros } from './precision.ts';

export function parseTimeTz(text: string, env: Environment): TimeTz {
  try {
    const { fields, offset } = readTimeOfDay(text, env);
    return new TimeTz(timeOf(fields.hour, fields.minute, fields.second, fields.micros), offset);
  } catch (failure) {
    throw inputError(failure, text, 'time with time zone');
  }
}

export function compareTimeTz(a: TimeTz, b: TimeTz): number {
  const difference = a.micros - a.offset * 1_000_000 - (b.micros - b.offset * 1_000_000);
  return difference !== 0 ? difference : b.offset - a.offset;
}

function coerceTimeTz(value: Value, typmod: number): TimeTz {
  const time = value as TimeTz;
  if (typmod < 0) return time;
  checkPrecision(typmod, 'time');
  const rounded = roundMicros(time.micros, typmod) as number;
  return rounded === time.micros ? time : new TimeTz(rounded, time.offset);
}

const HALF_DAY_MICROS = 43_200_000_000;
const OFFSET_MAX = 57_599;

export const timetzType: SqlType = makeType({
  oid: 1266,
  name: 'timetz',
  title: 'time with time zone',
  category: 'D',
  length: 12,
  repr: 'object',
  arrayOid: 1270,
  parse: (text, typmod, env) => coerceTimeTz(parseTimeTz(text, env), typmod),
  format: (value: Value) => formatTime((value as TimeTz).micros) + offsetText((value as TimeTz).offset, 'ISO'),
  compare: (a, b) => compareTimeTz(a as TimeTz, b as TimeTz),
  // Time and offset in one number, which centred times keep within the safe range.
  hashKey: (value) => ((value as TimeTz).micros - HALF_DAY_MICROS) * (2 * OFFSET_MAX + 1) + (value as TimeTz).offset,
  json: (value: Value) => formatTime((value as TimeTz).micros) + offsetText((value as TimeTz).offset, 'ISO'),
  coerce: coerceTimeTz,
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});
