/**
 * Roots, exponentials, logarithms and powers of numeric, with Postgres's display scales (numeric.c). Values are computed in binary
 * fixed point, as bigints times 2^-bits, with enough guard bits that the last decimal digit is correct; Postgres keeps some guard
 * digits for that.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import {
  DISPLAY_SCALE_MAX,
  INFINITY,
  INTEGER_DIGITS_MAX,
  NAN,
  NEGATIVE_INFINITY,
  Numeric,
  ONE,
  SIGNIFICANT_DIGITS_MIN,
  ZERO,
  abs,
  baseDigits,
  bigPower10,
  compare,
  digitCount,
  divideAt,
  isInfinite,
  isIntegral,
  isNaNNumeric,
  isSpecial,
  leadingExponent,
  mul,
  overflow,
  remainderIsOdd,
  signOf,
  sub,
  withScale,
} from './numeric.ts';
import { toFloat8Unchecked } from './numeric-text.ts';
import { whole } from './value.ts';
import { divisionByZero } from './whole.ts';

const LOG10_E = 0.434294481903252;
const BITS_A_DIGIT = 3.3219280948873626;
/** The greatest |x| of exp(x): three times the digits of a result. */
const EXPONENT_MAX = 6000;
const NINE_TENTHS = new Numeric(9, 1);
const ELEVEN_TENTHS = new Numeric(11, 1);
const TEN = new Numeric(10, 0);

function clampScale(...scales: number[]): number {
  return Math.min(Math.max(0, ...scales), DISPLAY_SCALE_MAX);
}

function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex[0] as string, 16)) + 28;
}

function bitsFor(digits: number): number {
  return Math.ceil(Math.max(digits, 0) * BITS_A_DIGIT) + 64;
}

/** value × 2^-bits as a decimal at a scale, rounded half away from zero. */
function toDecimal(value: bigint, bits: number, scale: number): Numeric {
  const negative = value < 0n;
  const scaled = (negative ? -value : value) * bigPower10(scale);
  const magnitude = bits <= 0 ? scaled << BigInt(-bits) : (scaled + (1n << BigInt(bits - 1))) >> BigInt(bits);
  return new Numeric(whole(negative ? -magnitude : magnitude), scale);
}

/** Σ z^(2k+1)/(2k+1) for |z| < 1, both at 2^-bits. */
function atanhSeries(z: bigint, bits: number): bigint {
  const shift = BigInt(bits);
  const square = (z * z) >> shift;
  let term = z;
  let sum = z;
  for (let k = 3n; term !== 0n && term !== -1n; k += 2n) {
    term = (term * square) >> shift;
    sum += term / k;
  }
  return sum;
}

let ln2Bits = 0;
let ln2Value = 0n;

/** ln 2 at 2^-bits, kept for the next call. */
function ln2(bits: number): bigint {
  if (ln2Bits < bits) {
    ln2Bits = bits + 64;
    const one = 1n << BigInt(ln2Bits);
    ln2Value = 18n * atanhSeries(one / 26n, ln2Bits) - 2n * atanhSeries(one / 4801n, ln2Bits) + 8n * atanhSeries(one / 8749n, ln2Bits);
  }
  return ln2Value >> BigInt(ln2Bits - bits);
}

/** ln of a positive finite value at 2^-bits. */
function lnFixed(a: Numeric, bits: number): bigint {
  let numerator = BigInt(a.coefficient);
  let denominator = bigPower10(a.scale);
  // x = m·2^k with m near 1: ln x = k·ln 2 + 2·atanh((m-1)/(m+1)).
  let k = bitLength(numerator) - bitLength(denominator);
  if (k === 1 && numerator * 5n < denominator * 7n) k = 0;
  if (k === -1 && numerator * 7n > denominator * 5n) k = 0;
  if (k > 0) denominator <<= BigInt(k);
  else if (k < 0) numerator <<= BigInt(-k);
  const z = ((numerator - denominator) << BigInt(bits)) / (numerator + denominator);
  return BigInt(k) * ln2(bits) + 2n * atanhSeries(z, bits);
}

/** e^x rounded at a scale; x at 2^-bits. `digits` are the significant digits that the result needs. */
function expFixed(x: bigint, bits: number, digits: number, scale: number): Numeric {
  const logOf2 = ln2(bits);
  let n = x / logOf2;
  let rest = x - n * logOf2;
  if (rest < 0n) {
    rest += logOf2;
    n -= 1n;
  }
  const halvings = Math.ceil(Math.sqrt(Math.max(digits, 1))) + 4;
  const work = bitsFor(digits) + 2 * halvings;
  const shift = BigInt(work);
  const r = (work >= bits ? rest << BigInt(work - bits) : rest >> BigInt(bits - work)) >> BigInt(halvings);
  // e^r - 1, so that squaring loses no digits of a small r: (1+s)² - 1 = s·(2+s).
  let term = r;
  let s = r;
  for (let k = 2n; term !== 0n; k++) {
    term = ((term * r) >> shift) / k;
    s += term;
  }
  for (let i = 0; i < halvings; i++) s = 2n * s + ((s * s) >> shift);
  return toDecimal(s + (1n << shift), work - Number(n), scale);
}

/** The decimal exponent of ln(a), as Postgres estimates it from the first digits. */
function lnExponent(a: Numeric): number {
  if (signOf(a) <= 0) return 0;
  if (compare(a, NINE_TENTHS) >= 0 && compare(a, ELEVEN_TENTHS) <= 0) return leadingExponent(sub(a, ONE));
  const { weight, lead } = baseDigits(a, 2);
  return Math.trunc(Math.log10(Math.abs(Math.log(lead) + (weight - 1) * 4 * 2.302585092994046)));
}

/** Square root of a finite value ≥ 0, rounded at a scale. */
export function sqrtAt(a: Numeric, scale: number): Numeric {
  const places = 2 * scale - a.scale;
  const coefficient = BigInt(a.coefficient);
  const square = places >= 0 ? coefficient * bigPower10(places) : coefficient / bigPower10(-places);
  const root = integerRoot(square);
  return new Numeric(whole(square - root * root > root ? root + 1n : root), scale);
}

function integerRoot(square: bigint): bigint {
  if (square < 2n) return square;
  const spare = Math.max(0, (bitLength(square) - 100) & ~1);
  // A start with about 50 correct bits, from above.
  let root = (BigInt(Math.ceil(Math.sqrt(Number(square >> BigInt(spare))))) + 1n) << BigInt(spare / 2);
  for (;;) {
    const next = (root + square / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

export function sqrt(a: Numeric): Numeric {
  if (isNaNNumeric(a)) return NAN;
  if (signOf(a) < 0) throw new SvcError('2201F', 'cannot take square root of a negative number');
  if (isInfinite(a)) return a;
  const { weight } = baseDigits(a, 1);
  return sqrtAt(a, clampScale(SIGNIFICANT_DIGITS_MIN - ((weight + 1) * 2 - 1), a.scale));
}

export function exp(a: Numeric): Numeric {
  if (isSpecial(a)) return a.coefficient === -Infinity ? ZERO : a;
  const value = toFloat8Unchecked(a);
  const exponent = Math.trunc(Math.min(Math.max(value * LOG10_E, -2000), 2000));
  const scale = clampScale(SIGNIFICANT_DIGITS_MIN - exponent, a.scale);
  if (Math.abs(value) >= EXPONENT_MAX) return value > 0 ? overflow() : new Numeric(0, scale);
  const digits = scale + Math.trunc(value * LOG10_E) + 8;
  const bits = bitsFor(digits) + 32;
  return expFixed((BigInt(a.coefficient) << BigInt(bits)) / bigPower10(a.scale), bits, digits, scale);
}

function checkLogarithm(a: Numeric): void {
  if (isNaNNumeric(a) || signOf(a) > 0) return;
  throw new SvcError('2201E', `cannot take logarithm of ${signOf(a) < 0 ? 'a negative number' : 'zero'}`);
}

export function ln(a: Numeric): Numeric {
  checkLogarithm(a);
  if (isSpecial(a)) return a;
  const scale = clampScale(SIGNIFICANT_DIGITS_MIN - lnExponent(a), a.scale);
  const bits = bitsFor(scale + 8);
  return toDecimal(lnFixed(a, bits), bits, scale);
}

/** Logarithm of `a` to a base. */
export function log(base: Numeric, a: Numeric): Numeric {
  if (isNaNNumeric(base) || isNaNNumeric(a)) return NAN;
  // With an infinity, a negative argument is reported before a zero.
  if (signOf(a) < 0 && (isSpecial(a) || isSpecial(base))) checkLogarithm(a);
  checkLogarithm(base);
  checkLogarithm(a);
  if (isInfinite(base)) return isInfinite(a) ? NAN : ZERO;
  if (isInfinite(a)) return INFINITY;
  const baseExponent = lnExponent(base);
  const exponent = lnExponent(a) - baseExponent;
  const scale = clampScale(SIGNIFICANT_DIGITS_MIN - exponent, base.scale, a.scale);
  const bits = bitsFor(scale + Math.abs(exponent) + 2 * Math.abs(baseExponent) + 12);
  const divisor = lnFixed(base, bits);
  if (divisor === 0n) divisionByZero();
  return toDecimal((lnFixed(a, bits) << BigInt(bits)) / divisor, bits, scale);
}

export function log10(a: Numeric): Numeric {
  return log(TEN, a);
}

export function power(base: Numeric, exponent: Numeric): Numeric {
  if (isSpecial(base) || isSpecial(exponent)) return specialPower(base, exponent);
  checkPower(base, exponent);
  if (isIntegral(exponent)) {
    const value = toFloat8Unchecked(exponent);
    if (value >= -2147483648 && value <= 2147483647) return integerPower(base, Math.trunc(value));
  }
  if (base.coefficient === 0) return new Numeric(0, SIGNIFICANT_DIGITS_MIN);
  const negative = signOf(base) < 0 && remainderIsOdd(exponent);
  const magnitude = abs(base);
  // A first product of about eight digits, rounded as in Postgres, gives the weight of the result.
  const estimateScale = Math.max(8 - lnExponent(magnitude), 0);
  const estimateBits = bitsFor(estimateScale + 8);
  const estimate = toFloat8Unchecked(withScale(mul(toDecimal(lnFixed(magnitude, estimateBits), estimateBits, estimateScale), exponent), estimateScale));
  if (Math.abs(estimate) > EXPONENT_MAX * 1.0033333333333334) return estimate > 0 ? overflow() : new Numeric(0, DISPLAY_SCALE_MAX);
  const weight = Math.trunc(estimate * LOG10_E);
  const scale = clampScale(SIGNIFICANT_DIGITS_MIN - weight, base.scale, exponent.scale);
  if (Math.abs(estimate) >= EXPONENT_MAX) return estimate > 0 ? overflow() : new Numeric(0, scale);
  const digits = Math.max(scale + weight, 0) + 10;
  const bits = bitsFor(digits + Math.max(0, leadingExponent(exponent)) + 8) + 32;
  const result = expFixed((lnFixed(magnitude, bits) * BigInt(exponent.coefficient)) / bigPower10(exponent.scale), bits, digits, scale);
  return negative ? new Numeric(whole(-BigInt(result.coefficient)), scale) : result;
}

function checkPower(base: Numeric, exponent: Numeric): void {
  if (signOf(base) === 0 && signOf(exponent) < 0) throw new SvcError('2201F', 'zero raised to a negative power is undefined');
  if (signOf(base) < 0 && !isIntegral(exponent)) {
    throw new SvcError('2201F', 'a negative number raised to a non-integer power yields a complex result');
  }
}

/** POSIX's rules for pow with NaN and infinities. */
function specialPower(base: Numeric, exponent: Numeric): Numeric {
  if (isNaNNumeric(base)) return exponent.coefficient === 0 ? ONE : NAN;
  const baseIsOne = !isInfinite(base) && compare(base, ONE) === 0;
  if (isNaNNumeric(exponent)) return baseIsOne ? ONE : NAN;
  checkPower(base, exponent);
  if (baseIsOne || exponent.coefficient === 0) return ONE;
  if (base.coefficient === 0) return ZERO;
  const rising = signOf(exponent) > 0;
  if (isInfinite(exponent)) {
    const size = isInfinite(base) ? 1 : compare(abs(base), ONE);
    if (size === 0) return ONE;
    return size > 0 === rising ? INFINITY : ZERO;
  }
  if (!rising) return ZERO;
  return signOf(base) < 0 && remainderIsOdd(exponent) ? NEGATIVE_INFINITY : INFINITY;
}

/** Beyond this many digits a power is computed with truncated factors. */
const EXACT_DIGITS_MAX = 5000;

/** Sixteen digits after the point or the base's own, for results of any size. */
function integerPower(base: Numeric, exponent: number): Numeric {
  let estimate = 0;
  if (base.coefficient !== 0) {
    const { weight, lead } = baseDigits(base, 4);
    estimate = exponent * (Math.log10(lead) + (weight - 3) * 4);
  }
  if (estimate > INTEGER_DIGITS_MAX) overflow();
  const scale = clampScale(SIGNIFICANT_DIGITS_MIN, base.scale, 0);
  if (base.coefficient !== 0 && estimate + 1 < -scale) return new Numeric(0, scale);
  if (exponent === 0) return withScale(ONE, scale);
  if (exponent === 1) return withScale(base, scale);
  if (base.coefficient === 0) return exponent < 0 ? divisionByZero() : new Numeric(0, scale);
  if (exponent === 2) return withScale(mul(base, base), scale);
  const times = Math.abs(exponent);
  if (digitCount(base.coefficient) * times <= EXACT_DIGITS_MAX && base.scale * times <= 2 * EXACT_DIGITS_MAX) {
    const exact = new Numeric(whole(BigInt(base.coefficient) ** BigInt(times)), base.scale * times);
    return checkDigits(exponent < 0 ? divideAt(ONE, exact, scale) : withScale(exact, scale));
  }
  return checkDigits(cutPower(base, exponent, scale, Math.max(scale + Math.trunc(Math.abs(estimate)), 0) + 24));
}

function checkDigits(a: Numeric): Numeric {
  return digitCount(a.coefficient) - a.scale > INTEGER_DIGITS_MAX ? overflow() : a;
}

/** Power by squaring, every factor truncated to `digits` digits: mantissas with decimal exponents. */
function cutPower(base: Numeric, exponent: number, scale: number, digits: number): Numeric {
  let factor = { mantissa: BigInt(base.coefficient), tens: -base.scale };
  let product = { mantissa: 1n, tens: 0 };
  const keep = digits + Math.ceil(Math.log10(Math.abs(exponent)));
  for (let rest = Math.abs(exponent); ;) {
    if (rest % 2 === 1) product = cut(product.mantissa * factor.mantissa, product.tens + factor.tens, keep);
    rest = Math.floor(rest / 2);
    if (rest === 0) break;
    factor = cut(factor.mantissa * factor.mantissa, 2 * factor.tens, keep);
  }
  if (exponent > 0) return fromParts(product.mantissa, product.tens, scale);
  const places = keep + digitCount(product.mantissa);
  return fromParts(bigPower10(places) / product.mantissa, -places - product.tens, scale);
}

function cut(mantissa: bigint, tens: number, digits: number): { mantissa: bigint; tens: number } {
  // Bits approximate the digits well enough.
  const extra = Math.floor(bitLength(mantissa) / BITS_A_DIGIT) - digits;
  return extra > 0 ? { mantissa: mantissa / bigPower10(extra), tens: tens + extra } : { mantissa, tens };
}

function fromParts(mantissa: bigint, tens: number, scale: number): Numeric {
  return tens >= 0 ? withScale(new Numeric(whole(mantissa * bigPower10(tens)), 0), scale) : withScale(new Numeric(whole(mantissa), -tens), scale);
}
