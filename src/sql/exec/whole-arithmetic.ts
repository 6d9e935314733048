/**
 * Slow paths of whole numbers: called by inlined code when a sum or product leaves the safe range or an operand is a bigint. Int8
 * forms raise 22003; the plain ones are the coefficients of numerics.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Numeric, add, compare, hashKey, mul, sub } from '../types/numeric.ts';
import { whole, type Whole } from '../types/value.ts';

const INT8_MIN = -9223372036854775808n;
const INT8_MAX = 9223372036854775807n;

export function int8Overflow(): never {
  throw new SvcError('22003', 'bigint out of range');
}
export function int4Overflow(): never {
  throw new SvcError('22003', 'integer out of range');
}
export function int2Overflow(): never {
  throw new SvcError('22003', 'smallint out of range');
}
export function divisionByZero(): never {
  throw new SvcError('22012', 'division by zero');
}

function int8(value: bigint): Whole {
  if (value > INT8_MAX || value < INT8_MIN) int8Overflow();
  return whole(value);
}
export function addInt8(a: Whole, b: Whole): Whole {
  return int8(BigInt(a) + BigInt(b));
}
export function subInt8(a: Whole, b: Whole): Whole {
  return int8(BigInt(a) - BigInt(b));
}
export function mulInt8(a: Whole, b: Whole): Whole {
  return int8(BigInt(a) * BigInt(b));
}
export function divInt8(a: Whole, b: Whole): Whole {
  return int8(BigInt(a) / BigInt(b));
}
export function modInt8(a: Whole, b: Whole): Whole {
  return int8(BigInt(a) % BigInt(b));
}
export function negInt8(a: Whole): Whole {
  return typeof a === 'number' ? 0 - a : int8(-a);
}

// A numeric's coefficient may be NaN or infinite: such operands are numbers and stay as they are.
function special(a: Whole, b: Whole): boolean {
  return (typeof a === 'number' && !Number.isFinite(a)) || (typeof b === 'number' && !Number.isFinite(b));
}
export function addScaled(a: Whole, b: Whole): Whole {
  return special(a, b) ? Number(a) + Number(b) : whole(BigInt(a) + BigInt(b));
}
export function subScaled(a: Whole, b: Whole): Whole {
  return special(a, b) ? Number(a) - Number(b) : whole(BigInt(a) - BigInt(b));
}
export function mulScaled(a: Whole, b: Whole): Whole {
  return special(a, b) ? Number(a) * Number(b) : whole(BigInt(a) * BigInt(b));
}

/** The part of a sum that does not fit a double, with `sum` and `value` added; a number only if the sum is not finite. */
export function sumRest(rest: Whole | undefined, sum: number, value: Whole): Whole {
  if (typeof rest === 'number') return rest + Number(value);
  if (typeof value === 'number' && value - value !== 0) return value;
  return (rest ?? 0n) + BigInt(sum) + BigInt(value);
}

export function power10(exponent: number): Whole {
  return exponent < 16 ? 10 ** exponent : 10n ** BigInt(exponent);
}

/** The coefficient at a scale that is `places` greater. */
export function scaleUp(value: Whole, places: number): Whole {
  if (places === 0 || value === 0) return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return value;
    if (places < 16) {
      const product = value * 10 ** places;
      if (Number.isSafeInteger(product)) return product;
    }
  }
  return whole(BigInt(value) * 10n ** BigInt(places));
}

const NUMERIC_NAN = new Numeric(NaN, 0);

export function numericOf(coefficient: Whole, scale: number): Numeric {
  if (typeof coefficient === 'number' && coefficient - coefficient !== 0) return Number.isNaN(coefficient) ? NUMERIC_NAN : new Numeric(coefficient, 0);
  return new Numeric(coefficient, scale);
}

function isSpecial(a: Numeric): boolean {
  return typeof a.coefficient === 'number' && !Number.isFinite(a.coefficient);
}

/** NaN equals itself and is greater than all others. */
export function compareNumeric(a: Numeric, b: Numeric): number {
  if (a.scale === b.scale || isSpecial(a) || isSpecial(b)) return compareScaled(a.coefficient, b.coefficient);
  const scale = Math.max(a.scale, b.scale);
  return compareScaled(scaleUp(a.coefficient, scale - a.scale), scaleUp(b.coefficient, scale - b.scale));
}
export function compareScaled(a: Whole, b: Whole): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1;
}

export function addNumeric(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) return numericOf(Number(a.coefficient) * (isSpecial(a) ? 1 : 0) + Number(b.coefficient) * (isSpecial(b) ? 1 : 0), 0);
  const scale = Math.max(a.scale, b.scale);
  const x = scaleUp(a.coefficient, scale - a.scale);
  const y = scaleUp(b.coefficient, scale - b.scale);
  if (typeof x === 'number' && typeof y === 'number' && Number.isSafeInteger(x + y)) return new Numeric(x + y, scale);
  return new Numeric(whole(BigInt(x) + BigInt(y)), scale);
}

/** Powers of ten as doubles: exact up to 10^22; beyond, only to detect that a product is too large. */
export const POWERS_10 = Float64Array.from({ length: 512 }, (_, exponent) => Number(`1e${exponent}`));

/** The value with its display scale. */
export function shownNumeric(coefficient: Whole, scale: number, shown: number): Numeric {
  return numericOf(shown === scale ? coefficient : scaleUp(coefficient, shown - scale), shown);
}

/** The hash key of a numeric. */
export function decimalKey(coefficient: Whole, scale: number): number | string {
  if (typeof coefficient === 'number' && scale <= 22 && coefficient < 1e15 && coefficient > -1e15) return coefficient / POWERS_10[scale];
  return hashKey(numericOf(coefficient, scale));
}

// Arithmetic of numerics without a fixed scale, if doubles are not exact.
export function addDecimals(a: Whole, aScale: number, b: Whole, bScale: number): Numeric {
  return add(numericOf(a, aScale), numericOf(b, bScale));
}
export function subDecimals(a: Whole, aScale: number, b: Whole, bScale: number): Numeric {
  return sub(numericOf(a, aScale), numericOf(b, bScale));
}
export function mulDecimals(a: Whole, aScale: number, b: Whole, bScale: number): Numeric {
  return mul(numericOf(a, aScale), numericOf(b, bScale));
}
export function compareDecimals(a: Whole, aScale: number, b: Whole, bScale: number): number {
  return compare(numericOf(a, aScale), numericOf(b, bScale));
}

/** First base-10000 digit and its weight, by which Postgres chooses the scale of a quotient. */
function leadingDigit(value: Whole, scale: number): { weight: number; lead: number } {
  if (value === 0) return { weight: 0, lead: 0 };
  const digits = String(value < 0 ? -value : value);
  const weight = Math.floor((digits.length - 1 - scale) / 4);
  const wanted = digits.length - 1 - scale - 4 * weight + 1;
  return { weight, lead: Number(digits.slice(0, wanted).padEnd(wanted, '0')) };
}

/** sum / count as Postgres's numeric division gives it (select_div_scale in numeric.c), for averages. */
export function averageNumeric(sum: Whole, scale: number, count: number): Numeric {
  if (typeof sum === 'number' && !Number.isFinite(sum)) return numericOf(sum, 0);
  const x = leadingDigit(sum, scale);
  const y = leadingDigit(count, 0);
  const weight = x.weight - y.weight - (x.lead <= y.lead ? 1 : 0);
  const wanted = Math.min(Math.max(16 - weight * 4, scale, 0), 1000);
  const dividend = BigInt(sum) * 10n ** BigInt(wanted - scale);
  const divisor = BigInt(count);
  let quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  if (2n * (rest < 0n ? -rest : rest) >= divisor) quotient += dividend < 0n ? -1n : 1n;
  return new Numeric(whole(quotient), wanted);
}

/** The nearest whole number, half to even. */
export function roundHalfEven(value: number): number {
  const rounded = Math.round(value);
  return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}
export function floatToInt2(value: number): number {
  const rounded = roundHalfEven(value);
  if (!(rounded >= -32768 && rounded <= 32767)) int2Overflow();
  return rounded + 0;
}
export function floatToInt4(value: number): number {
  const rounded = roundHalfEven(value);
  if (!(rounded >= -2147483648 && rounded <= 2147483647)) int4Overflow();
  return rounded + 0;
}
export function floatToInt8(value: number): Whole {
  const rounded = roundHalfEven(value);
  if (Number.isSafeInteger(rounded)) return rounded + 0;
  if (!(rounded >= -9223372036854775808 && rounded < 9223372036854775808)) int8Overflow();
  return whole(BigInt(rounded));
}

/** Digits of coefficient × 10^-scale. */
export function decimalText(coefficient: Whole, scale: number): string {
  return `${coefficient}e-${scale}`;
}
