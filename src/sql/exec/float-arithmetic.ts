/** Slow paths of floats: checks a result that is not an ordinary number for overflow and underflow. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { divisionByZero } from './whole-arithmetic.ts';

const infinite = (value: number): boolean => value === Infinity || value === -Infinity;

export function floatOverflow(): never {
  throw new SvcError('22003', 'value out of range: overflow');
}
function floatUnderflow(): never {
  throw new SvcError('22003', 'value out of range: underflow');
}
export function oddSum(result: number, a: number, b: number): number {
  if (infinite(result) && !infinite(a) && !infinite(b)) floatOverflow();
  return result;
}
export function oddProduct(result: number, a: number, b: number): number {
  if (infinite(result)) {
    if (!infinite(a) && !infinite(b)) floatOverflow();
  } else if (result === 0 && a !== 0 && b !== 0) floatUnderflow();
  return result;
}
export function oddQuotient(result: number, a: number, b: number): number {
  if (b === 0 && a === a) divisionByZero();
  if (infinite(result)) {
    if (!infinite(a)) floatOverflow();
  } else if (result === 0 && a !== 0 && !infinite(b)) floatUnderflow();
  return result;
}
export function toFloat4(value: number): number {
  const narrow = Math.fround(value);
  if (infinite(narrow) && !infinite(value)) floatOverflow();
  if (narrow === 0 && value !== 0) floatUnderflow();
  return narrow;
}
export function compareFloats(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  return Number.isNaN(a) ? (Number.isNaN(b) ? 0 : 1) : -1;
}
