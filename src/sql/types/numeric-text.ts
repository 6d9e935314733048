/** Conversions of numeric: from and to text, whole numbers and floats. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { formatPrecision, parseFloat8 } from './float-text.ts';
import { readInteger } from './integer-text.ts';
import {
  INFINITY,
  INTEGER_DIGITS_MAX,
  NAN,
  NEGATIVE_INFINITY,
  Numeric,
  SCALE_MAX,
  ZERO,
  coefficientAt,
  digitCount,
  isInfinite,
  isNaNNumeric,
  isSpecial,
  overflow,
  power10,
  scaleUp,
} from './numeric.ts';
import { whole, type Whole } from './value.ts';
import { INT8_MAX, INT8_MIN, negWhole } from './whole.ts';

const PLAIN = /^(-?)(\d+)(?:\.(\d*))?$/;
const DECIMAL = /^[ \t\n\v\f\r]*([+-]?)(?:(\d+(?:_\d+)*)(?:\.(\d+(?:_\d+)*)?)?|\.(\d+(?:_\d+)*))(?:[eE]([+-]?\d+(?:_\d+)*))?[ \t\n\v\f\r]*$/;
const SPECIAL = /^[ \t\n\v\f\r]*(?:(nan)|([+-]?)inf(?:inity)?)[ \t\n\v\f\r]*$/i;
const EXPONENT_MAX = 1073741823;

/** Text to numeric; 22P02 for invalid syntax, 22003 beyond the format. */
export function parseNumeric(text: string): Numeric {
  // Fifteen digits and a point are a safe whole number.
  if (text.length <= 16) {
    const plain = PLAIN.exec(text);
    if (plain !== null) {
      const fraction = plain[3] ?? '';
      const magnitude = Number((plain[2] as string) + fraction);
      if (magnitude <= 1e15) return new Numeric(plain[1] === '-' ? 0 - magnitude : magnitude, fraction.length);
    }
  }
  return parseSlowly(text);
}

function parseSlowly(text: string): Numeric {
  const match = DECIMAL.exec(text);
  if (match === null) {
    const special = SPECIAL.exec(text);
    if (special !== null) return special[1] !== undefined ? NAN : special[2] === '-' ? NEGATIVE_INFINITY : INFINITY;
    const integer = readInteger(text);
    if (integer === undefined) throw new SvcError('22P02', `invalid input syntax for type numeric: "${text}"`);
    return checked(integer, 0);
  }
  const integer = (match[2] ?? '').replaceAll('_', '');
  const fraction = (match[3] ?? match[4] ?? '').replaceAll('_', '');
  const exponent = Number((match[5] ?? '0').replaceAll('_', ''));
  if (Math.abs(exponent) >= EXPONENT_MAX) overflow();
  const magnitude = whole(BigInt(integer + fraction));
  const coefficient = match[1] === '-' ? negWhole(magnitude) : magnitude;
  const scale = fraction.length - exponent;
  if (scale >= 0) return checked(coefficient, scale);
  if (coefficient === 0) return ZERO;
  if (digitCount(coefficient) - scale > INTEGER_DIGITS_MAX) overflow();
  return new Numeric(scaleUp(coefficient, -scale), 0);
}

function checked(coefficient: Whole, scale: number): Numeric {
  if (scale > SCALE_MAX || (typeof coefficient === 'bigint' && digitCount(coefficient) - scale > INTEGER_DIGITS_MAX)) overflow();
  return new Numeric(coefficient, scale);
}

export function formatNumeric(a: Numeric): string {
  const { coefficient, scale } = a;
  if (scale === 0) return String(coefficient);
  const negative = coefficient < 0;
  const digits = negative ? String(coefficient).slice(1) : String(coefficient);
  const point = digits.length - scale;
  const sign = negative ? '-' : '';
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}

export function fromWhole(value: Whole): Numeric {
  return new Numeric(value, 0);
}

/** Postgres keeps 15 digits of a float8 and 6 of a float4. */
export function fromFloat(value: number, digits: number): Numeric {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? NAN : value > 0 ? INFINITY : NEGATIVE_INFINITY;
  if (Number.isInteger(value) && Math.abs(value) < 10 ** digits) return new Numeric(value + 0, 0);
  return parseNumeric(formatPrecision(value, digits));
}

/** The nearest float8; 22003 beyond its range. */
export function toFloat8(a: Numeric): number {
  const { coefficient, scale } = a;
  // Both are exact doubles, so the quotient is correctly rounded.
  if (typeof coefficient === 'number' && scale <= 22) return scale === 0 ? coefficient : coefficient / 10 ** scale;
  return parseFloat8(formatNumeric(a));
}

/** As toFloat8, but with infinities and zeros out of range. */
export function toFloat8Unchecked(a: Numeric): number {
  const { coefficient, scale } = a;
  if (typeof coefficient === 'number' && scale <= 22) return scale === 0 ? coefficient : coefficient / 10 ** scale;
  return Number(formatNumeric(a));
}

const TITLES = { int2: 'smallint', int4: 'integer', int8: 'bigint' } as const;

/** The whole number nearest to the value, half away from zero, within the bounds of an integer type. */
function toInteger(a: Numeric, type: 'int2' | 'int4' | 'int8', min: Whole, max: Whole): Whole {
  if (isSpecial(a)) throw new SvcError('0A000', `cannot convert ${isInfinite(a) ? 'infinity' : 'NaN'} to ${TITLES[type]}`);
  const value = a.scale === 0 ? a.coefficient : coefficientAt(a, 0);
  if (value < min || value > max) throw new SvcError('22003', `${TITLES[type]} out of range`);
  return value;
}

export function toInt2(a: Numeric): number {
  return toInteger(a, 'int2', -32768, 32767) as number;
}

export function toInt4(a: Numeric): number {
  return toInteger(a, 'int4', -2147483648, 2147483647) as number;
}

export function toInt8(a: Numeric): Whole {
  return toInteger(a, 'int8', INT8_MIN, INT8_MAX);
}

/** The value under numeric(p,s): rounded to the scale; 22003 if it exceeds the precision. */
export function coerceNumeric(a: Numeric, typmod: number): Numeric {
  if (typmod < 4 || isNaNNumeric(a)) return a;
  const precision = typmodPrecision(typmod);
  const scale = typmodScale(typmod);
  if (isInfinite(a)) {
    throw new SvcError('22003', 'numeric field overflow', { detail: `A field with precision ${precision}, scale ${scale} cannot hold an infinite value.` });
  }
  const coefficient = coefficientAt(a, scale);
  // At `scale`, a value of the precision has at most `precision` digits.
  if (coefficient >= power10(precision) || coefficient <= negWhole(power10(precision))) {
    const digits = precision - scale;
    throw new SvcError('22003', 'numeric field overflow', {
      detail: `A field with precision ${precision}, scale ${scale} must round to an absolute value less than ${digits === 0 ? '1' : `10^${digits}`}.`,
    });
  }
  if (scale < 0) return new Numeric(scaleUp(coefficient, -scale), 0);
  return a.scale === scale ? a : new Numeric(coefficient, scale);
}

export function typmodPrecision(typmod: number): number {
  return ((typmod - 4) >> 16) & 0xffff;
}

/** The scale of a typmod has 11 bits and a sign. */
export function typmodScale(typmod: number): number {
  return (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
}
