/**
 * erf, erfc, gamma and lgamma. Their results agree with C libraries to about 14 digits: series of positive terms where
 * they converge fast, a continued fraction for the tail of erfc, Lanczos's approximation (g = 7, nine terms) for gamma.
 */
import type { FunctionModule } from '../define.ts';
import { scalar } from '../text/declare.ts';
import { floatOverflow, floatUnderflow, isInfinite } from './float-arithmetic.ts';

const TWO_OVER_ROOT_PI = 2 / Math.sqrt(Math.PI);

/** e^-x²·Σ 2^n·x^(2n+1)/(1·3·…·(2n+1)) */
function erfSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; term > sum * 1e-17; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return TWO_OVER_ROOT_PI * Math.exp(-x * x) * sum;
}

/** The continued fraction of erfc, from its end. */
function erfcTail(x: number): number {
  let fraction = x;
  for (let n = 120; n > 0; n--) fraction = x + n / 2 / fraction;
  return Math.exp(-x * x) / (fraction * Math.sqrt(Math.PI));
}

function erf(x: number): number {
  if (x !== x) return x;
  const size = Math.abs(x);
  const value = size === 0 ? size : size < 2.5 ? erfSeries(size) : 1 - erfc(size);
  return x < 0 || Object.is(x, -0) ? -value : value;
}

function erfc(x: number): number {
  if (x !== x) return x;
  if (x < 0) return 1 + erf(-x);
  if (x < 1.5) return 1 - erf(x);
  return x > 28 ? 0 : erfcTail(x);
}

const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905, -0.13857109526572012,
  9.984369578019572e-6, 1.5056327351493116e-7,
];

function lanczos(x: number): number {
  let sum = LANCZOS[0] as number;
  for (let i = 1; i < LANCZOS.length; i++) sum += (LANCZOS[i] as number) / (x + i);
  return sum;
}

/** Γ of a finite number. */
function gammaOf(x: number): number {
  if (Number.isInteger(x) && x > 0 && x < 23) {
    let product = 1;
    for (let factor = 2; factor < x; factor++) product *= factor;
    return product;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * gammaOf(1 - x));
  const shifted = x - 1;
  const base = shifted + 7.5;
  // In two halves, so that the power does not overflow before the exponential reduces it.
  const half = base ** ((shifted + 0.5) / 2);
  return Math.sqrt(2 * Math.PI) * half * Math.exp(-base) * half * lanczos(shifted);
}

function gamma(x: number): number {
  if (x !== x || x === Infinity) return x;
  if (x === -Infinity || (x <= 0 && Number.isInteger(x))) floatOverflow();
  const result = x < -190 ? 0 : gammaOf(x);
  if (isInfinite(result) || result !== result) floatOverflow();
  return result === 0 ? floatUnderflow() : result;
}

/** ln |Γ| of a finite number. */
function lgammaOf(x: number): number {
  if (x === 1 || x === 2) return 0;
  if (Math.abs(x) < 1e-17) return -Math.log(Math.abs(x));
  if (x < 0.5) return Math.log(Math.PI / Math.abs(Math.sin(Math.PI * x))) - lgammaOf(1 - x);
  if (x > 1e15) return x * (Math.log(x) - 1);
  const shifted = x - 1;
  const base = shifted + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(lanczos(shifted));
}

function lgamma(x: number): number {
  if (x !== x) return x;
  if (isInfinite(x)) return Infinity;
  if (x <= 0 && Number.isInteger(x)) floatOverflow();
  const result = lgammaOf(x);
  return isInfinite(result) ? floatOverflow() : result;
}

export const specialFunctions: FunctionModule = {
  functions: [
    scalar('erf', ['float8'], 'float8', 'The error function.', erf),
    scalar('erfc', ['float8'], 'float8', 'One less the error function.', erfc),
    scalar('gamma', ['float8'], 'float8', 'The gamma function.', gamma),
    scalar('lgamma', ['float8'], 'float8', 'Logarithm of the size of the gamma function.', lgamma),
  ],
};
