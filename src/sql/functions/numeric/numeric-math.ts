/** Mathematical functions of numeric. */
import * as exact from '../../types/numeric.ts';
import * as analysis from '../../types/numeric-analysis.ts';
import type { Numeric } from '../../types/numeric.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';

function one(name: string, doc: string, impl: (a: Numeric) => Numeric): ScalarFunction {
  return { kind: 'scalar', name, args: ['numeric'], returns: 'numeric', doc, impl };
}

function two(name: string, doc: string, impl: (a: Numeric, b: Numeric) => Numeric): ScalarFunction {
  return { kind: 'scalar', name, args: ['numeric', 'numeric'], returns: 'numeric', doc, impl };
}

/** NaN and infinities have no scale. */
function scale(a: Numeric): number | null {
  return exact.isSpecial(a) ? null : a.scale;
}

function minScale(a: Numeric): number | null {
  return exact.isSpecial(a) ? null : exact.minScale(a);
}

function places(name: string, doc: string, impl: (a: Numeric, count: number) => Numeric): ScalarFunction {
  return { kind: 'scalar', name, args: ['numeric', 'int4'], returns: 'numeric', doc, impl };
}

export const numericMath: FunctionModule = {
  functions: [
    one('abs', 'The absolute value.', exact.abs),
    one('sign', 'The sign: -1, 0 or 1.', exact.sign),
    one('ceil', 'The least whole number that is not less.', exact.ceil),
    one('ceiling', 'The least whole number that is not less.', exact.ceil),
    one('floor', 'The greatest whole number that is not greater.', exact.floor),
    one('round', 'The nearest whole number, half away from zero.', (a) => exact.round(a, 0)),
    places('round', 'Rounded to n decimal places, half away from zero.', exact.round),
    one('trunc', 'Cut towards zero to a whole number.', (a) => exact.trunc(a, 0)),
    places('trunc', 'Truncated towards zero to n decimal places.', exact.trunc),
    one('sqrt', 'The square root.', analysis.sqrt),
    one('exp', 'The exponential.', analysis.exp),
    one('ln', 'The natural logarithm.', analysis.ln),
    one('log', 'The logarithm to base 10.', analysis.log10),
    one('log10', 'The logarithm to base 10.', analysis.log10),
    two('log', 'The logarithm of the second argument to the base of the first.', analysis.log),
    two('power', 'The first argument raised to the power of the second.', analysis.power),
    two('pow', 'The first argument raised to the power of the second.', analysis.power),
    two('mod', 'The remainder of a division, with the sign of the dividend.', exact.mod),
    two('div', 'The quotient cut to a whole number.', exact.quotient),
    two('gcd', 'The greatest common divisor.', exact.gcd),
    two('lcm', 'The least common multiple.', exact.lcm),
    { kind: 'scalar', name: 'scale', args: ['numeric'], returns: 'int4', doc: 'Digits after the point.', impl: scale },
    { kind: 'scalar', name: 'min_scale', args: ['numeric'], returns: 'int4', doc: 'Digits after the point that the value needs.', impl: minScale },
    one('trim_scale', 'The value without zeros at its end.', (a) => (exact.isSpecial(a) ? a : exact.trimScale(a))),
    {
      kind: 'scalar',
      name: 'width_bucket',
      args: ['numeric', 'numeric', 'numeric', 'int4'],
      returns: 'int4',
      doc: 'The bucket of the operand in a histogram of equal ones between two bounds.',
      impl: exact.widthBucket,
    },
  ],
};
