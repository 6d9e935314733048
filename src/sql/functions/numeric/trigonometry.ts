/**
 * Trigonometry in radians and degrees, and hyperbolic functions. Those in degrees are exact at multiples of 30 and 45: arguments are
 * reduced to the first quadrant and results normalised by the value that the same computation gives there.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { isInfinite } from './float-arithmetic.ts';
import { RADIANS_PER_DEGREE } from './float-math.ts';

function outOfRange(): never {
  throw new SvcError('22003', 'input is out of range');
}

function finite(impl: (a: number) => number): (a: number) => number {
  return (a) => (isInfinite(a) ? outOfRange() : impl(a));
}

function unit(impl: (a: number) => number): (a: number) => number {
  return (a) => (a < -1 || a > 1 ? outOfRange() : impl(a));
}

const SIN_30 = Math.sin(30 * RADIANS_PER_DEGREE);
const ONE_MINUS_COS_60 = 1 - Math.cos(60 * RADIANS_PER_DEGREE);
const ASIN_HALF = Math.asin(0.5);
const ACOS_HALF = Math.acos(0.5);
const ATAN_ONE = Math.atan(1);

const sinTo30 = (a: number): number => Math.sin(a * RADIANS_PER_DEGREE) / SIN_30 / 2;
const cosTo60 = (a: number): number => 1 - (1 - Math.cos(a * RADIANS_PER_DEGREE)) / ONE_MINUS_COS_60 / 2;
const sinTo90 = (a: number): number => (a <= 30 ? sinTo30(a) : cosTo60(90 - a));
const cosTo90 = (a: number): number => (a <= 60 ? cosTo60(a) : sinTo30(90 - a));

const TAN_45 = sinTo90(45) / cosTo90(45);
const COT_45 = cosTo90(45) / sinTo90(45);

function cosDegrees(a: number): number {
  let angle = Math.abs(a % 360);
  if (angle > 180) angle = 360 - angle;
  return angle > 90 ? -cosTo90(180 - angle) : cosTo90(angle);
}

/** The angle reduced to 0 … 90 for functions that change sign with it; `flips` if they do so past 90 too. */
function quadrant(a: number, flips: boolean): { angle: number; sign: number } {
  let angle = a % 360;
  let sign = 1;
  if (angle < 0) {
    angle = -angle;
    sign = -sign;
  }
  if (angle > 180) {
    angle = 360 - angle;
    sign = -sign;
  }
  if (angle > 90) {
    angle = 180 - angle;
    if (flips) sign = -sign;
  }
  return { angle, sign };
}

function sinDegrees(a: number): number {
  const { angle, sign } = quadrant(a, false);
  return sign * sinTo90(angle);
}

function tanDegrees(a: number): number {
  const { angle, sign } = quadrant(a, true);
  return sign * (sinTo90(angle) / cosTo90(angle) / TAN_45) + 0;
}

function cotDegrees(a: number): number {
  const { angle, sign } = quadrant(a, true);
  return sign * (cosTo90(angle) / sinTo90(angle) / COT_45) + 0;
}

const asinTo90 = (a: number): number => (a <= 0.5 ? (Math.asin(a) / ASIN_HALF) * 30 : 90 - (Math.acos(a) / ACOS_HALF) * 60);
const acosTo90 = (a: number): number => (a <= 0.5 ? 90 - (Math.asin(a) / ASIN_HALF) * 30 : (Math.acos(a) / ACOS_HALF) * 60);
const asinDegrees = (a: number): number => (a >= 0 ? asinTo90(a) : -asinTo90(-a));
const acosDegrees = (a: number): number => (a >= 0 ? acosTo90(a) : 90 + asinTo90(-a));

const atanDegrees = (a: number): number => (Math.atan(a) / ATAN_ONE) * 45;
const atan2Degrees = (a: number, b: number): number => (Math.atan2(a, b) / ATAN_ONE) * 45;

function one(name: string, doc: string, impl: (a: number) => number): ScalarFunction {
  return { kind: 'scalar', name, args: ['float8'], returns: 'float8', doc, impl };
}

function two(name: string, doc: string, impl: (a: number, b: number) => number): ScalarFunction {
  return { kind: 'scalar', name, args: ['float8', 'float8'], returns: 'float8', doc, impl };
}

export const trigonometry: FunctionModule = {
  functions: [
    one('sin', 'Sine of radians.', finite(Math.sin)),
    one('cos', 'Cosine of radians.', finite(Math.cos)),
    one('tan', 'Tangent of radians.', finite(Math.tan)),
    one(
      'cot',
      'Cotangent of radians.',
      finite((a) => 1 / Math.tan(a)),
    ),
    one('asin', 'Inverse sine in radians.', unit(Math.asin)),
    one('acos', 'Inverse cosine in radians.', unit(Math.acos)),
    one('atan', 'Inverse tangent in radians.', Math.atan),
    two('atan2', 'Inverse tangent of y/x in radians.', Math.atan2),
    one('sind', 'Sine of degrees.', finite(sinDegrees)),
    one('cosd', 'Cosine of degrees.', finite(cosDegrees)),
    one('tand', 'Tangent of degrees.', finite(tanDegrees)),
    one('cotd', 'Cotangent of degrees.', finite(cotDegrees)),
    one('asind', 'Inverse sine in degrees.', unit(asinDegrees)),
    one('acosd', 'Inverse cosine in degrees.', unit(acosDegrees)),
    one('atand', 'Inverse tangent in degrees.', atanDegrees),
    two('atan2d', 'Inverse tangent of y/x in degrees.', atan2Degrees),
    one('sinh', 'Hyperbolic sine.', Math.sinh),
    one('cosh', 'Hyperbolic cosine.', Math.cosh),
    one('tanh', 'Hyperbolic tangent.', Math.tanh),
    one('asinh', 'Inverse hyperbolic sine.', Math.asinh),
    one('acosh', 'Inverse hyperbolic cosine.', (a) => (a < 1 ? outOfRange() : Math.acosh(a))),
    one('atanh', 'Inverse hyperbolic tangent.', unit(Math.atanh)),
  ],
};
