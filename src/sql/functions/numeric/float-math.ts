/** Mathematical functions of float4 and float8, except trigonometry. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { dcbrt, dpow, dsqrt, float8div, float8mul, floatOverflow, floatUnderflow, isInfinite } from './float-arithmetic.ts';
import { int4OutOfRange } from './integer-arithmetic.ts';
import { roundHalfEven } from './number-casts.ts';

export const RADIANS_PER_DEGREE = Math.PI / 180;

function exp(a: number): number {
  const result = Math.exp(a);
  if (result - result === 0 && result !== 0) return result;
  if (a !== a || isInfinite(a)) return result;
  return result === 0 ? floatUnderflow() : floatOverflow();
}

function checkLogarithm(a: number): void {
  if (a === 0) throw new SvcError('2201E', 'cannot take logarithm of zero');
  if (a < 0) throw new SvcError('2201E', 'cannot take logarithm of a negative number');
}

function ln(a: number): number {
  checkLogarithm(a);
  return Math.log(a);
}

function log10(a: number): number {
  checkLogarithm(a);
  return Math.log10(a);
}

function sign(a: number): number {
  return a > 0 ? 1 : a < 0 ? -1 : 0;
}

function widthBucket(operand: number, low: number, high: number, count: number): number {
  if (count <= 0) throw new SvcError('2201G', 'count must be greater than zero');
  if (operand !== operand || low !== low || high !== high) throw new SvcError('2201G', 'operand, lower bound, and upper bound cannot be NaN');
  if (isInfinite(low) || isInfinite(high)) throw new SvcError('2201G', 'lower and upper bounds must be finite');
  if (low === high) throw new SvcError('2201G', 'lower bound cannot equal upper bound');
  const rising = low < high;
  if (rising ? operand < low : operand > low) return 0;
  if (rising ? operand >= high : operand <= high) return count === 2147483647 ? int4OutOfRange() : count + 1;
  const range = high - low;
  const part = isInfinite(range) ? (operand / 2 - low / 2) / (high / 2 - low / 2) : (operand - low) / range;
  return Math.min(Math.trunc(count * part), count - 1) + 1;
}

function one(name: string, doc: string, impl: (a: number) => number, type = 'float8'): ScalarFunction {
  return { kind: 'scalar', name, args: [type], returns: type, doc, impl };
}

function two(name: string, doc: string, impl: (a: number, b: number) => number): ScalarFunction {
  return { kind: 'scalar', name, args: ['float8', 'float8'], returns: 'float8', doc, impl };
}

export const floatMath: FunctionModule = {
  functions: [
    one('abs', 'The absolute value.', Math.abs, 'float4'),
    one('abs', 'The absolute value.', Math.abs),
    one('sign', 'The sign: -1, 0 or 1.', sign),
    one('ceil', 'The least whole number that is not less.', Math.ceil),
    one('ceiling', 'The least whole number that is not less.', Math.ceil),
    one('floor', 'The greatest whole number that is not greater.', Math.floor),
    one('round', 'The nearest whole number, half to even.', roundHalfEven),
    one('trunc', 'Cut towards zero to a whole number.', Math.trunc),
    one('sqrt', 'The square root.', dsqrt),
    one('cbrt', 'The cube root.', dcbrt),
    one('exp', 'The exponential.', exp),
    one('ln', 'The natural logarithm.', ln),
    one('log', 'The logarithm to base 10.', log10),
    one('log10', 'The logarithm to base 10.', log10),
    two('power', 'The first argument raised to the power of the second.', dpow),
    two('pow', 'The first argument raised to the power of the second.', dpow),
    one('degrees', 'Radians in degrees.', (a) => float8div(a, RADIANS_PER_DEGREE)),
    one('radians', 'Degrees in radians.', (a) => float8mul(a, RADIANS_PER_DEGREE)),
    { kind: 'scalar', name: 'pi', args: [], returns: 'float8', doc: 'The number π.', impl: () => Math.PI },
    {
      kind: 'scalar',
      name: 'width_bucket',
      args: ['float8', 'float8', 'float8', 'int4'],
      returns: 'int4',
      doc: 'The bucket of the operand in a histogram of equal ones between two bounds.',
      impl: widthBucket,
    },
  ],
};
