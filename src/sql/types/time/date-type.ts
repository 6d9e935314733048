/** `date`: days since 2000-01-01, ±Infinity for infinity. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../environment.ts';
import { makeType } from '../make-type.ts';
import type { SqlType } from '../type.ts';
import type { Value } from '../value.ts';
import { daysFromCivil, isDateRange, isJulianRange, UNIX_EPOCH_DAYS } from './calendar.ts';
import { readDateTime } from './datetime-input.ts';
import { formatDate } from './datetime-output.ts';
import { inputError } from './input-failure.ts';
import { readIsoDays } from './iso-input.ts';

export function parseDate(text: string, env: Environment): number {
  if (text.length === 10) {
    const days = readIsoDays(text);
    if (days === days) return days;
  }
  try {
    const input = readDateTime(text, env);
    if (input.kind !== 'fields') return input.kind === 'epoch' ? UNIX_EPOCH_DAYS : input.kind === 'infinity' ? Infinity : -Infinity;
    const { year, month, day } = input.fields;
    const days = daysFromCivil(year, month, day);
    if (!isJulianRange(year, month) || !isDateRange(days)) throw new SvcError('22008', `date out of range: "${text}"`);
    return days;
  } catch (failure) {
    throw inputError(failure, text, 'date');
  }
}

export const dateType: SqlType = makeType({
  oid: 1082,
  name: 'date',
  title: 'date',
  category: 'D',
  length: 4,
  repr: 'f64',
  arrayOid: 1182,
  parse: (text, _typmod, env) => parseDate(text, env),
  format: (value: Value, env) => formatDate(value as number, env.dateStyle, env.dateOrder),
  json: (value: Value) => formatDate(value as number, 'ISO', 'MDY'),
});
