/**
 * Arithmetic on whole numbers in the form of value.ts: a number inside ±(2^53-1), a bigint beyond. Every result is
 * canonical (and never -0). The plain forms are unbounded; those named …Int8 raise 22003 outside 64 bits.
 *
 * The first branch of each is the one that runs: two numbers whose result is safe need no bigint.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { whole, type Whole } from './value.ts';

const SAFE = 9007199254740991;
export const INT8_MIN = -9223372036854775808n;
export const INT8_MAX = 9223372036854775807n;

function outOfRange(): never {
  throw new SvcError('22003', 'bigint out of range');
}

export function divisionByZero(): never {
  throw new SvcError('22012', 'division by zero');
}

/** The canonical form of a bigint that must fit 64 bits. */
export function int8(value: bigint): Whole {
  if (value > INT8_MAX || value < INT8_MIN) outOfRange();
  return whole(value);
}

export function addWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= SAFE && sum >= -SAFE) return sum;
  }
  return whole(BigInt(a) + BigInt(b));
}

export function subWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (difference <= SAFE && difference >= -SAFE) return difference;
  }
  return whole(BigInt(a) - BigInt(b));
}

export function mulWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // The addition turns -0 into 0.
    if (product <= SAFE && product >= -SAFE) return product + 0;
  }
  return whole(BigInt(a) * BigInt(b));
}

/** Quotient truncated towards zero; the divisor is not 0. */
export function quotientWhole(a: Whole, b: Whole): Whole {
  // For safe operands the rounded quotient never reaches the next whole number, so truncating it is exact.
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return whole(BigInt(a) / BigInt(b));
}

/** Remainder with the sign of the dividend; the divisor is not 0. */
export function remainderWhole(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  return whole(BigInt(a) % BigInt(b));
}

export function negWhole(a: Whole): Whole {
  return typeof a === 'number' ? 0 - a : -a;
}

export function absWhole(a: Whole): Whole {
  return a < 0 ? negWhole(a) : a;
}

/** Greatest common divisor, not negative. */
export function gcdWhole(a: Whole, b: Whole): Whole {
  let x = absWhole(a);
  let y = absWhole(b);
  while (y !== 0) {
    const rest = remainderWhole(x, y);
    x = y;
    y = rest;
  }
  return x;
}

export function addInt8(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (sum <= SAFE && sum >= -SAFE) return sum;
  }
  return int8(BigInt(a) + BigInt(b));
}

export function subInt8(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (difference <= SAFE && difference >= -SAFE) return difference;
  }
  return int8(BigInt(a) - BigInt(b));
}

export function mulInt8(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (product <= SAFE && product >= -SAFE) return product + 0;
  }
  return int8(BigInt(a) * BigInt(b));
}

export function divInt8(a: Whole, b: Whole): Whole {
  if (b === 0) divisionByZero();
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return int8(BigInt(a) / BigInt(b));
}

export function modInt8(a: Whole, b: Whole): Whole {
  if (b === 0) divisionByZero();
  return remainderWhole(a, b);
}

export function negInt8(a: Whole): Whole {
  return typeof a === 'number' ? 0 - a : int8(-a);
}

export function absInt8(a: Whole): Whole {
  return a < 0 ? negInt8(a) : a;
}
