/** money: whole cents, as the locale C and that of the United States print them. Manual, section 8.2. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';
import { type Whole, whole } from './value.ts';

const MIN = -9223372036854775808n;
const MAX = 9223372036854775807n;

export function checkedCents(cents: bigint): Whole {
  if (cents < MIN || cents > MAX) throw new SvcError('22003', 'money out of range');
  return whole(cents);
}

/** A sign or an opening parenthesis before or after the currency, optional digits, and after them parentheses, signs and the currency in any order. */
const FORM = /^\s*\$?\s*([-+(])?\s*\$?\s*([\d,]*)(?:\.(\d*))?([\s)$+-]*)$/;

/** `$1,234.56`, `-1234.565`, `(12)`: a third decimal digit rounds. */
export function parseMoney(text: string): Whole {
  const found = FORM.exec(text);
  if (found === null) throw new SvcError('22P02', `invalid input syntax for type money: "${text}"`);
  const [, sign, digits = '', fraction = '', behind] = found;
  const kept = fraction.padEnd(3, '0');
  let cents = BigInt((digits.replaceAll(',', '') || '0') + kept.slice(0, 2));
  if (kept[2] >= '5') cents += 1n;
  if (sign === '-' || sign === '(' || behind.includes('-')) cents = -cents;
  if (cents < MIN || cents > MAX) throw new SvcError('22003', `value "${text}" is out of range for type money`);
  return whole(cents);
}

export function moneyText(cents: Whole): string {
  const negative = cents < 0;
  const digits = String(negative ? -BigInt(cents) : cents).padStart(3, '0');
  const units = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',');
  return `${negative ? '-' : ''}$${units}.${digits.slice(-2)}`;
}

export const MONEY: SqlType = makeType({
  oid: 790,
  name: 'money',
  title: 'money',
  category: 'N',
  length: 8,
  repr: 'whole',
  arrayOid: 791,
  parse: parseMoney,
  format: (value) => moneyText(value as Whole),
});
