/** `time`: microseconds since midnight, 24:00:00 included. */
import type { Environment } from '../environment.ts';
import { makeType } from '../make-type.ts';
import type { SqlType } from '../type.ts';
import type { Value } from '../value.ts';
import { timeOf } from './calendar.ts';
import { readTimeOfDay } from './datetime-input.ts';
import { formatTime } from './datetime-output.ts';
import { inputError } from './input-failure.ts';
import { readIsoTimeOfDay } from './iso-input.ts';
import { checkPrecision, roundMicros } from './precision.ts';

export function parseTime(text: string, env: Environment): number {
  if (text.length >= 8 && text.length <= 15) {
    const time = readIsoTimeOfDay(text);
    if (time === time) return time;
  }
  try {
    const { fields } = readTimeOfDay(text, env);
    return timeOf(fields.hour, fields.minute, fields.second, fields.micros);
  } catch (failure) {
    throw inputError(failure, text, 'time');
  }
}

function coerceTime(value: Value, typmod: number): number {
  if (typmod < 0) return value as number;
  checkPrecision(typmod, 'time');
  return roundMicros(value as number, typmod) as number;
}

export const timeType: SqlType = makeType({
  oid: 1083,
  name: 'time',
  title: 'time without time zone',
  category: 'D',
  length: 8,
  repr: 'f64',
  arrayOid: 1183,
  parse: (text, typmod, env) => coerceTime(parseTime(text, env), typmod),
  format: (value: Value) => formatTime(value as number),
  coerce: coerceTime,
  formatTypmod: (typmod) => (typmod < 0 ? '' : `(${typmod})`),
});
