/** Mathematical functions of integers. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { factorial } from '../../types/numeric.ts';
import type { Whole } from '../../types/value.ts';
import { absInt8, absWhole, gcdWhole, modInt8, mulInt8, quotientWhole } from '../../types/whole.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { int2abs, int4OutOfRange, int4abs, int4mod } from './integer-arithmetic.ts';

function gcdInt4(a: number, b: number): number {
  let x = a < 0 ? -a : a;
  let y = b < 0 ? -b : b;
  while (y !== 0) {
    const rest = x % y;
    x = y;
    y = rest;
  }
  // Only -2147483648 with itself or 0 exceeds an int4.
  if (x > 2147483647) int4OutOfRange();
  return x;
}

function lcmInt4(a: number, b: number): number {
  if (a === 0 || b === 0) return 0;
  const product = Math.abs((a / gcdInt4(a, b)) * b);
  if (product > 2147483647) int4OutOfRange();
  return product;
}

function gcdInt8(a: Whole, b: Whole): Whole {
  const result = gcdWhole(a, b);
  if (result > 9223372036854775807n) throw new SvcError('22003', 'bigint out of range');
  return result;
}

function lcmInt8(a: Whole, b: Whole): Whole {
  if (a === 0 || b === 0) return 0;
  return absInt8(mulInt8(absWhole(quotientWhole(a, gcdInt8(a, b))), b));
}

/** Digits in a base that is a power of two, in two's complement. */
function digits(base: number, bits: number): (value: Whole) => string {
  return (value) => {
    if (value >= 0) return value.toString(base);
    return bits === 32 ? ((value as number) >>> 0).toString(base) : BigInt.asUintN(64, BigInt(value)).toString(base);
  };
}

function one(name: string, type: string, returns: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args: [type], returns, doc, impl };
}

function two(name: string, type: string, doc: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name, args: [type, type], returns: type, doc, impl };
}

const ABSOLUTE = 'The absolute value.';
const REMAINDER = 'The remainder of a division, with the sign of the dividend.';
const DIVISOR = 'The greatest common divisor.';
const MULTIPLE = 'The least common multiple.';

export const integerMath: FunctionModule = {
  functions: [
    one('abs', 'int2', 'int2', ABSOLUTE, int2abs),
    one('abs', 'int4', 'int4', ABSOLUTE, int4abs),
    one('abs', 'int8', 'int8', ABSOLUTE, absInt8),
    two('mod', 'int2', REMAINDER, int4mod),
    two('mod', 'int4', REMAINDER, int4mod),
    two('mod', 'int8', REMAINDER, modInt8),
    two('gcd', 'int4', DIVISOR, gcdInt4),
    two('gcd', 'int8', DIVISOR, gcdInt8),
    two('lcm', 'int4', MULTIPLE, lcmInt4),
    two('lcm', 'int8', MULTIPLE, lcmInt8),
    one('factorial', 'int8', 'numeric', 'The factorial.', factorial),
    one('to_hex', 'int4', 'text', 'The hexadecimal digits.', digits(16, 32)),
    one('to_hex', 'int8', 'text', 'The hexadecimal digits.', digits(16, 64)),
    one('to_oct', 'int4', 'text', 'The octal digits.', digits(8, 32)),
    one('to_oct', 'int8', 'text', 'The octal digits.', digits(8, 64)),
    one('to_bin', 'int4', 'text', 'The binary digits.', digits(2, 32)),
    one('to_bin', 'int8', 'text', 'The binary digits.', digits(2, 64)),
  ],
};
