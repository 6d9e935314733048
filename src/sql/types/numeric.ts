/**
 * An exact decimal: `coefficient` × 10^-`scale`, with Postgres's display scale (1.50 has scale 2). NaN and ±Infinity have the JS
 * number of that name as coefficient and scale 0.
 *
 * The arithmetic gives Postgres's values and display scales (manual, 8.1.2 and 9.3). Each function tries numbers first: a
 * coefficient inside ±(2^53-1) is a number, and most sums and products stay there. NaN and the infinities fail the range check of
 * that first branch, so they cost the common case nothing.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { whole, type Whole } from './value.ts';
import { absWhole, addWhole, divisionByZero, gcdWhole, mulWhole, negWhole, quotientWhole, remainderWhole, subWhole } from './whole.ts';

export class Numeric {
  readonly coefficient: Whole;
  readonly scale: number;

  constructor(coefficient: Whole, scale: number) {
    this.coefficient = coefficient;
    this.scale = scale;
  }
}

const SAFE = 9007199254740991;
/** Minimum significant digits of a quotient or a root. */
export const SIGNIFICANT_DIGITS_MIN = 16;
/** The greatest default scale of a quotient, a root or a logarithm. */
export const DISPLAY_SCALE_MAX = 1000;
/** The greatest scale that a value can have. */
export const SCALE_MAX = 16383;
/** Digits before the point that a value can have. */
export const INTEGER_DIGITS_MAX = 131072;

export const NAN = new Numeric(NaN, 0);
export const INFINITY = new Numeric(Infinity, 0);
export const NEGATIVE_INFINITY = new Numeric(-Infinity, 0);
export const ZERO = new Numeric(0, 0);
export const ONE = new Numeric(1, 0);

const SMALL_POWERS = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);
const POWERS: bigint[] = [];
const POWERS_KEPT = 2100;

export function bigPower10(exponent: number): bigint {
  if (exponent > POWERS_KEPT) return 10n ** BigInt(exponent);
  return (POWERS[exponent] ??= 10n ** BigInt(exponent));
}

export function power10(exponent: number): Whole {
  return exponent < 16 ? (SMALL_POWERS[exponent] as number) : bigPower10(exponent);
}

export function isNaNNumeric(a: Numeric): boolean {
  return Number.isNaN(a.coefficient);
}

/** Whether the value is NaN or infinite. */
export function isSpecial(a: Numeric): boolean {
  return typeof a.coefficient === 'number' && !Number.isFinite(a.coefficient);
}

export function isInfinite(a: Numeric): boolean {
  return a.coefficient === Infinity || a.coefficient === -Infinity;
}

export function overflow(): never {
  throw new SvcError('22003', 'value overflows numeric format');
}

/** The least whole number with too many digits; it and its negative take 54 KB each, and are built on first use. */
let bound: bigint | null = null;
let lowerBound = 0n;

/** A result, checked against the digits that a numeric can have. */
function result(coefficient: Whole, scale: number): Numeric {
  if (typeof coefficient === 'bigint') {
    if (bound === null) {
      bound = 10n ** BigInt(INTEGER_DIGITS_MAX);
      lowerBound = -bound;
    }
    if ((coefficient >= bound || coefficient <= lowerBound) && digitCount(coefficient) - scale > INTEGER_DIGITS_MAX) overflow();
  }
  return new Numeric(coefficient, scale);
}

/** Decimal digits of a whole number; 1 for 0. */
export function digitCount(value: Whole): number {
  if (typeof value === 'bigint') return String(value).length - (value < 0n ? 1 : 0);
  const magnitude = Math.abs(value);
  if (magnitude >= 1e15) return 16;
  let digits = 1;
  while (magnitude >= (SMALL_POWERS[digits] as number)) digits++;
  return digits;
}

/** The value times 10^places, places ≥ 0. */
export function scaleUp(coefficient: Whole, places: number): Whole {
  return places === 0 || coefficient === 0 ? coefficient : mulWhole(coefficient, power10(places));
}

/** The quotient rounded half away from zero. */
export function roundedQuotient(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const quotient = Math.trunc(a / b) + 0;
    const rest = Math.abs(a % b);
    // rest ≥ b/2 without leaving the safe range.
    return rest >= Math.abs(b) - rest ? quotient + (a < 0 === b < 0 ? 1 : -1) : quotient;
  }
  const dividend = BigInt(a);
  const divisor = BigInt(b);
  const quotient = dividend / divisor;
  const rest = dividend - quotient * divisor;
  const twice = rest < 0n ? -2n * rest : 2n * rest;
  if (twice < (divisor < 0n ? -divisor : divisor)) return whole(quotient);
  return whole(dividend < 0n === divisor < 0n ? quotient + 1n : quotient - 1n);
}

/** The value divided by 10^places and rounded half away from zero. */
function scaleDown(coefficient: Whole, places: number): Whole {
  if (coefficient === 0) return 0;
  if (places > 20 && digitCount(coefficient) < places) return 0;
  return roundedQuotient(coefficient, power10(places));
}

/** The coefficient that the value has at a scale, rounded half away from zero. */
export function coefficientAt(a: Numeric, scale: number): Whole {
  return a.scale <= scale ? scaleUp(a.coefficient, scale - a.scale) : scaleDown(a.coefficient, a.scale - scale);
}

/** The value at exactly this display scale, which is at most SCALE_MAX. */
export function withScale(a: Numeric, scale: number): Numeric {
  return a.scale === scale || isSpecial(a) ? a : result(coefficientAt(a, scale), scale);
}

export function add(a: Numeric, b: Numeric): Numeric {
  const x = a.coefficient;
  const y = b.coefficient;
  if (a.scale === b.scale && typeof x === 'number' && typeof y === 'number') {
    const sum = x + y;
    if (sum <= SAFE && sum >= -SAFE) return new Numeric(sum, a.scale);
  }
  if (isSpecial(a) || isSpecial(b)) return specialSum(a, b);
  const scale = a.scale > b.scale ? a.scale : b.scale;
  return result(addWhole(scaleUp(x, scale - a.scale), scaleUp(y, scale - b.scale)), scale);
}

export function sub(a: Numeric, b: Numeric): Numeric {
  const x = a.coefficient;
  const y = b.coefficient;
  if (a.scale === b.scale && typeof x === 'number' && typeof y === 'number') {
    const difference = x - y;
    if (difference <= SAFE && difference >= -SAFE) return new Numeric(difference, a.scale);
  }
  if (isSpecial(a) || isSpecial(b)) return specialSum(a, neg(b));
  const scale = a.scale > b.scale ? a.scale : b.scale;
  return result(subWhole(scaleUp(x, scale - a.scale), scaleUp(y, scale - b.scale)), scale);
}

/** A sum with NaN or an infinity. */
function specialSum(a: Numeric, b: Numeric): Numeric {
  if (isNaNNumeric(a) || isNaNNumeric(b)) return NAN;
  if (!isInfinite(a)) return b;
  return isInfinite(b) && a.coefficient !== b.coefficient ? NAN : a;
}

function fromSpecial(value: number): Numeric {
  return Number.isNaN(value) ? NAN : value > 0 ? INFINITY : NEGATIVE_INFINITY;
}

export function mul(a: Numeric, b: Numeric): Numeric {
  const x = a.coefficient;
  const y = b.coefficient;
  const scale = a.scale + b.scale;
  if (typeof x === 'number' && typeof y === 'number') {
    const product = x * y;
    if (product <= SAFE && product >= -SAFE && scale <= SCALE_MAX) return new Numeric(product + 0, scale);
  }
  if (isSpecial(a) || isSpecial(b)) return fromSpecial(isNaNNumeric(a) || isNaNNumeric(b) ? NaN : signOf(a) * signOf(b) * Infinity);
  const product = mulWhole(x, y);
  return scale > SCALE_MAX ? result(scaleDown(product, scale - SCALE_MAX), SCALE_MAX) : result(product, scale);
}

/** -1, 0 or 1, also for infinities. Not for NaN. */
export function signOf(a: Numeric): number {
  return a.coefficient > 0 ? 1 : a.coefficient < 0 ? -1 : 0;
}

/** Exponent of the leading decimal digit; 0 for zero. */
export function leadingExponent(a: Numeric): number {
  return a.coefficient === 0 ? 0 : digitCount(a.coefficient) - 1 - a.scale;
}

/**
 * Postgres works in base 10000, aligned at the decimal point, and chooses scales by those digits: the weight of the first non-zero
 * one, and the first `count` of them as one number.
 */
export function baseDigits(a: Numeric, count: number): { weight: number; lead: number } {
  if (a.coefficient === 0) return { weight: 0, lead: 0 };
  const digits = digitCount(a.coefficient);
  const exponent = digits - 1 - a.scale;
  const weight = Math.floor(exponent / 4);
  const wanted = exponent - 4 * weight + 1 + 4 * (count - 1);
  const magnitude = absWhole(a.coefficient);
  const lead = digits >= wanted ? quotientWhole(magnitude, power10(digits - wanted)) : mulWhole(magnitude, power10(wanted - digits));
  return { weight, lead: Number(lead) };
}

/** The display scale of a quotient (select_div_scale in Postgres's numeric.c). */
export function quotientScale(a: Numeric, b: Numeric): number {
  const x = baseDigits(a, 1);
  const y = baseDigits(b, 1);
  const weight = x.weight - y.weight - (x.lead <= y.lead ? 1 : 0);
  return Math.min(Math.max(SIGNIFICANT_DIGITS_MIN - weight * 4, a.scale, b.scale, 0), DISPLAY_SCALE_MAX);
}

/** The quotient of finite values, rounded at a scale. */
export function divideAt(a: Numeric, b: Numeric, scale: number): Numeric {
  if (b.coefficient === 0) divisionByZero();
  const places = scale - a.scale + b.scale;
  if (places >= 0) return result(roundedQuotient(scaleUp(a.coefficient, places), b.coefficient), scale);
  return result(roundedQuotient(a.coefficient, scaleUp(b.coefficient, -places)), scale);
}

export function div(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) return specialQuotient(a, b) ?? ZERO;
  return divideAt(a, b, quotientScale(a, b));
}

/** A division with a special operand; undefined if the divisor is zero. */
function specialQuotient(a: Numeric, b: Numeric): Numeric | undefined {
  if (isNaNNumeric(a) || isNaNNumeric(b)) return NAN;
  if (isInfinite(b)) return isInfinite(a) ? NAN : undefined;
  if (b.coefficient === 0) divisionByZero();
  return fromSpecial(signOf(a) * signOf(b) * Infinity);
}

/** The quotient truncated to a whole number. */
export function quotient(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) return specialQuotient(a, b) ?? ZERO;
  if (b.coefficient === 0) divisionByZero();
  const scale = Math.max(a.scale, b.scale);
  return new Numeric(quotientWhole(scaleUp(a.coefficient, scale - a.scale), scaleUp(b.coefficient, scale - b.scale)), 0);
}

export function mod(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) {
    if (isNaNNumeric(a) || isNaNNumeric(b)) return NAN;
    if (isInfinite(a)) return b.coefficient === 0 ? divisionByZero() : NAN;
    return a;
  }
  if (b.coefficient === 0) divisionByZero();
  const scale = Math.max(a.scale, b.scale);
  return new Numeric(remainderWhole(scaleUp(a.coefficient, scale - a.scale), scaleUp(b.coefficient, scale - b.scale)), scale);
}

export function neg(a: Numeric): Numeric {
  return a.coefficient === 0 ? a : new Numeric(negWhole(a.coefficient), a.scale);
}

export function abs(a: Numeric): Numeric {
  return a.coefficient < 0 ? new Numeric(negWhole(a.coefficient), a.scale) : a;
}

export function sign(a: Numeric): Numeric {
  return isNaNNumeric(a) ? NAN : new Numeric(signOf(a), 0);
}

/** NaN is greater than all others and equals itself. */
export function compare(a: Numeric, b: Numeric): number {
  const x = a.coefficient;
  const y = b.coefficient;
  if (a.scale === b.scale) {
    if (x < y) return -1;
    if (x > y) return 1;
    if (x === y) return 0;
  }
  if (isSpecial(a) || isSpecial(b)) {
    if (isNaNNumeric(a)) return isNaNNumeric(b) ? 0 : 1;
    if (isNaNNumeric(b)) return -1;
    return isInfinite(a) ? (x === y ? 0 : signOf(a)) : -signOf(b);
  }
  const signs = signOf(a) - signOf(b);
  if (signs !== 0) return signs;
  const scale = a.scale > b.scale ? a.scale : b.scale;
  const p = scaleUp(x, scale - a.scale);
  const q = scaleUp(y, scale - b.scale);
  return p < q ? -1 : p > q ? 1 : 0;
}

/** Decimals of 15 digits map to distinct doubles, and a quotient of exact doubles is the nearest one. */
const KEYED = 999999999999999;
const POWERS_22 = Float64Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/** One primitive for all equal values, independent of their scales. */
export function hashKey(a: Numeric): number | string {
  if (typeof a.coefficient === 'number' && a.scale <= 22 && a.coefficient <= KEYED && a.coefficient >= -KEYED) return a.coefficient / POWERS_22[a.scale];
  const { coefficient, scale } = trimScale(a);
  if (typeof coefficient === 'number' && scale <= 22 && coefficient <= KEYED && coefficient >= -KEYED) return coefficient / POWERS_22[scale];
  if (scale === 0) return typeof coefficient === 'number' ? coefficient : String(coefficient);
  return `${coefficient}e-${scale}`;
}

/** Rounded half away from zero at `places` after the point, or before it where negative. */
export function round(a: Numeric, places: number): Numeric {
  if (isSpecial(a)) return a;
  const clamped = Math.min(Math.max(places, -INTEGER_DIGITS_MAX - 1), SCALE_MAX);
  if (clamped >= 0) return withScale(a, clamped);
  return result(scaleUp(coefficientAt(a, clamped), -clamped), 0);
}

/** Truncated at `places` after the point, or before it if negative. */
export function trunc(a: Numeric, places: number): Numeric {
  if (isSpecial(a)) return a;
  const clamped = Math.min(Math.max(places, -INTEGER_DIGITS_MAX - 1), SCALE_MAX);
  if (clamped >= a.scale) return withScale(a, clamped);
  const kept = quotientWhole(a.coefficient, power10(a.scale - clamped));
  return clamped >= 0 ? new Numeric(kept, clamped) : new Numeric(scaleUp(kept, -clamped), 0);
}

export function floor(a: Numeric): Numeric {
  if (isSpecial(a) || a.scale === 0) return a;
  const unit = power10(a.scale);
  const cut = quotientWhole(a.coefficient, unit);
  return new Numeric(a.coefficient < 0 && remainderWhole(a.coefficient, unit) !== 0 ? subWhole(cut, 1) : cut, 0);
}

export function ceil(a: Numeric): Numeric {
  if (isSpecial(a) || a.scale === 0) return a;
  const unit = power10(a.scale);
  const cut = quotientWhole(a.coefficient, unit);
  return new Numeric(a.coefficient > 0 && remainderWhole(a.coefficient, unit) !== 0 ? addWhole(cut, 1) : cut, 0);
}

export function isIntegral(a: Numeric): boolean {
  return isInfinite(a) || a.scale === 0 || remainderWhole(a.coefficient, power10(a.scale)) === 0;
}

/** Whether a whole value is odd. */
export function remainderIsOdd(a: Numeric): boolean {
  return remainderWhole(quotientWhole(a.coefficient, power10(a.scale)), 2) !== 0;
}

/** The least scale that shows the value exactly. */
export function minScale(a: Numeric): number {
  if (a.scale === 0) return 0;
  if (a.coefficient === 0) return 0;
  if (typeof a.coefficient === 'number') {
    let rest = a.coefficient;
    let scale = a.scale;
    while (scale > 0 && rest % 10 === 0) {
      rest /= 10;
      scale--;
    }
    return scale;
  }
  const digits = String(a.coefficient);
  let zeros = 0;
  while (zeros < a.scale && digits.charCodeAt(digits.length - 1 - zeros) === 48) zeros++;
  return a.scale - zeros;
}

/** The value without trailing zeros. */
export function trimScale(a: Numeric): Numeric {
  const scale = minScale(a);
  return scale === a.scale ? a : new Numeric(quotientWhole(a.coefficient, power10(a.scale - scale)), scale);
}

export function gcd(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) return NAN;
  const scale = Math.max(a.scale, b.scale);
  return new Numeric(gcdWhole(scaleUp(a.coefficient, scale - a.scale), scaleUp(b.coefficient, scale - b.scale)), scale);
}

export function lcm(a: Numeric, b: Numeric): Numeric {
  if (isSpecial(a) || isSpecial(b)) return NAN;
  const scale = Math.max(a.scale, b.scale);
  const x = scaleUp(a.coefficient, scale - a.scale);
  const y = scaleUp(b.coefficient, scale - b.scale);
  if (x === 0 || y === 0) return new Numeric(0, scale);
  return result(absWhole(mulWhole(quotientWhole(x, gcdWhole(x, y)), y)), scale);
}

/** The greatest n with a representable factorial. */
const FACTORIAL_MAX = 32177;

export function factorial(n: Whole): Numeric {
  if (n < 0) throw new SvcError('22003', 'factorial of a negative number is undefined');
  if (n > FACTORIAL_MAX) overflow();
  return new Numeric(whole(product(1, Number(n))), 0);
}

/** The product of low … high, by halves so that the factors are of similar size. */
function product(low: number, high: number): bigint {
  if (high - low < 8) {
    let value = 1n;
    for (let factor = low; factor <= high; factor++) value *= BigInt(factor);
    return value;
  }
  const middle = (low + high) >> 1;
  return product(low, middle) * product(middle + 1, high);
}

/** The bucket of an operand in a histogram of `count` equal ones; 0 and count + 1 outside. */
export function widthBucket(operand: Numeric, low: Numeric, high: Numeric, count: number): number {
  if (count <= 0) throw new SvcError('2201G', 'count must be greater than zero');
  if (isNaNNumeric(operand) || isNaNNumeric(low) || isNaNNumeric(high)) {
    throw new SvcError('2201G', 'operand, lower bound, and upper bound cannot be NaN');
  }
  if (isSpecial(low) || isSpecial(high)) throw new SvcError('2201G', 'lower and upper bounds must be finite');
  const direction = compare(low, high);
  if (direction === 0) throw new SvcError('2201G', 'lower bound cannot equal upper bound');
  const below = compare(operand, low) * direction;
  if (below > 0) return 0;
  if (compare(operand, high) * direction <= 0) {
    if (count === 2147483647) throw new SvcError('22003', 'integer out of range');
    return count + 1;
  }
  const bucket = quotient(mul(sub(operand, low), new Numeric(count, 0)), sub(high, low));
  return Number(bucket.coefficient) + 1;
}
