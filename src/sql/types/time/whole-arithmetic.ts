/** Sums and products of whole numbers in their run-time form (value.ts): number inside ±(2^53-1), bigint beyond. */
import { whole, type Whole } from '../value.ts';

const INT64_MIN = -9223372036854775808n;
const INT64_MAX = 9223372036854775807n;

export function addWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return whole(BigInt(a) + BigInt(b));
}

export function subtractWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return whole(BigInt(a) - BigInt(b));
}

export function multiplyWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // + 0 turns -0 into 0, which has one form only.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return whole(BigInt(a) * BigInt(b));
}

export function negateWhole(a: Whole): Whole {
  return typeof a === 'number' ? 0 - a : whole(-a);
}

/** Quotient towards zero. */
export function divideWhole(a: Whole, b: number): Whole {
  if (typeof a === 'number') return Math.trunc((a - (a % b)) / b) + 0;
  return whole(a / BigInt(b));
}

/** Remainder with the sign of `a`. */
export function remainderWhole(a: Whole, b: number): number {
  if (typeof a === 'number') return (a % b) + 0;
  return Number(a % BigInt(b));
}

export function fitsInt64(a: Whole): boolean {
  return typeof a === 'number' || (a >= INT64_MIN && a <= INT64_MAX);
}

export function fitsInt32(a: Whole): boolean {
  return typeof a === 'number' && a >= -2147483648 && a <= 2147483647;
}

/** Rounds to the nearest integer, ties to even, as C's rint. */
export function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const rest = x - floor;
  if (rest < 0.5) return floor;
  if (rest > 0.5) return floor + 1;
  return floor % 2 === 0 ? floor : floor + 1;
}

/** A double with an integral value, as a whole number; exact also beyond the safe range. */
export function wholeFromDouble(x: number): Whole {
  return Number.isSafeInteger(x) ? x + 0 : whole(BigInt(x));
}
