/** Parsing of integers: optional blanks and sign, decimal, 0x, 0o or 0b digits with single underscores between them (Postgres 16 on). */
import { SvcError } from '../../base/errors/svc-error.ts';
import { whole, type Whole } from './value.ts';

const INTEGER = /^[ \t\n\v\f\r]*([+-]?)(?:(\d+(?:_\d+)*)|(0[xX](?:_?[0-9a-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+))[ \t\n\v\f\r]*$/;

/** The whole number in `text`, or undefined for invalid syntax. */
export function readInteger(text: string): Whole | undefined {
  const negative = text.charCodeAt(0) === MINUS;
  const plain = plainDigits(text, negative ? 1 : 0);
  if (plain >= 0) return negative ? 0 - plain : plain;
  const match = INTEGER.exec(text);
  if (match === null) return undefined;
  const digits = (match[2] ?? match[3] ?? '').replaceAll('_', '');
  if (digits.length < 16 && match[2] !== undefined) return match[1] === '-' ? 0 - Number(digits) : Number(digits);
  const magnitude = BigInt(digits);
  return whole(match[1] === '-' ? -magnitude : magnitude);
}

const MINUS = 45;

/** The common case: up to 15 digits and nothing else; -1 for any other text. */
function plainDigits(text: string, from: number): number {
  const { length } = text;
  if (length === from || length - from > 15) return -1;
  let value = 0;
  for (let i = from; i < length; i++) {
    const digit = text.charCodeAt(i) - 48;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** An integer of the type titled `title` between the bounds; 22P02 and 22003 with Postgres's messages. */
export function parseInteger(text: string, title: string, min: Whole, max: Whole): Whole {
  const value = readInteger(text);
  if (value === undefined && !isPast(text, min)) throw new SvcError('22P02', `invalid input syntax for type ${title}: "${text}"`);
  if (value === undefined || value < min || value > max) throw new SvcError('22003', `value "${text}" is out of range for type ${title}`);
  return value;
}

/** Whether the leading digits of an invalid text already overflow: Postgres reports that first. */
function isPast(text: string, min: Whole): boolean {
  const digits = /^[ \t\n\v\f\r]*[+-]?(\d+)/.exec(text)?.[1];
  return digits !== undefined && BigInt(digits) > -BigInt(min);
}

const UNSIGNED = /^[ \t\n\v\f\r]*([+-]?)(?:(0[xX][0-9a-fA-F]+)|(0[0-7]*)|([1-9]\d*))[ \t\n\v\f\r]*$/;

/** An unsigned 32-bit number, octal after a 0; a negative one counts from the top. */
export function parseUnsigned(text: string, title: string): number {
  const match = UNSIGNED.exec(text);
  if (match === null) throw new SvcError('22P02', `invalid input syntax for type ${title}: "${text}"`);
  const magnitude = match[2] !== undefined ? Number(match[2]) : match[3] !== undefined ? Number.parseInt(match[3], 8) : Number(match[4]);
  const value = match[1] === '-' ? 0 - magnitude : magnitude;
  if (value < -2147483648 || value > 4294967295) throw new SvcError('22003', `value "${text}" is out of range for type ${title}`);
  return value < 0 ? value + 4294967296 : value;
}

const LEADING = /^[ \t\n\v\f\r]*([+-]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]*)|(\d+))/;

/** The result of C's strtoul: leading digits, octal after a 0, and 0 if there are none. */
export function leadingUnsigned(text: string): bigint {
  const found = LEADING.exec(text);
  if (found === null) return 0n;
  const [, sign, hex, octal, digits] = found;
  const magnitude = BigInt(hex !== undefined ? `0x${hex}` : octal !== undefined ? `0o0${octal}` : digits);
  if (magnitude > 18446744073709551615n) return 18446744073709551615n;
  return sign === '-' ? BigInt.asUintN(64, -magnitude) : magnitude;
}
