/**
 * Approximate comparison of numbers as in Postgres's geometric types (less than a millionth), and computations with points and
 * slopes. Overflow of float8 is refused (22003).
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Geometry } from './geometry.ts';

export type Point = readonly [x: number, y: number];

const EPSILON = 1e-6;

export const isZero = (a: number): boolean => Math.abs(a) <= EPSILON;
export const isSame = (a: number, b: number): boolean => a === b || Math.abs(a - b) <= EPSILON;
/** Not the negation of the equality for NaN. */
export const isOther = (a: number, b: number): boolean => a !== b && Math.abs(a - b) > EPSILON;
export const isLess = (a: number, b: number): boolean => a + EPSILON < b;
export const isLessOrSame = (a: number, b: number): boolean => a <= b + EPSILON;
export const isMore = (a: number, b: number): boolean => a > b + EPSILON;
export const isMoreOrSame = (a: number, b: number): boolean => a + EPSILON >= b;

function checked(result: number, a: number, b: number): number {
  if ((result === Infinity || result === -Infinity) && Number.isFinite(a) && Number.isFinite(b)) throw new SvcError('22003', 'value out of range: overflow');
  return result;
}

export const plus = (a: number, b: number): number => checked(a + b, a, b);
export const minus = (a: number, b: number): number => checked(a - b, a, b);
export function times(a: number, b: number): number {
  const result = checked(a * b, a, b);
  if (result === 0 && a !== 0 && b !== 0) throw new SvcError('22003', 'value out of range: underflow');
  return result;
}
export function over(a: number, b: number): number {
  if (b === 0 && a === a) throw new SvcError('22012', 'division by zero');
  const result = a / b;
  if ((result === Infinity || result === -Infinity) && Number.isFinite(a)) throw new SvcError('22003', 'value out of range: overflow');
  if (result === 0 && a !== 0 && Number.isFinite(b)) throw new SvcError('22003', 'value out of range: underflow');
  return result;
}

/** The length of a vector. */
export function hypotenuse(x: number, y: number): number {
  if (Math.abs(x) === Infinity || Math.abs(y) === Infinity) return Infinity;
  if (x !== x || y !== y) return NaN;
  const long = Math.max(Math.abs(x), Math.abs(y));
  const short = Math.min(Math.abs(x), Math.abs(y));
  if (short === 0) return long;
  const ratio = short / long;
  return checked(long * Math.sqrt(1 + ratio * ratio), x, y);
}

export function distance(a: Point, b: Point): number {
  return hypotenuse(minus(a[0], b[0]), minus(a[1], b[1]));
}

const same = (a: number, b: number): boolean => a === b || (a !== a && b !== b);

export function samePoints(a: Point, b: Point): boolean {
  // With NaN, only exactly equal values are equal.
  if (a[0] !== a[0] || a[1] !== a[1] || b[0] !== b[0] || b[1] !== b[1]) return same(a[0], b[0]) && same(a[1], b[1]);
  return isSame(a[0], b[0]) && isSame(a[1], b[1]);
}

export function slope(a: Point, b: Point): number {
  if (isSame(a[0], b[0])) return Infinity;
  return isSame(a[1], b[1]) ? 0 : over(minus(a[1], b[1]), minus(a[0], b[0]));
}

/** The slope of a perpendicular. */
export function uprightSlope(a: Point, b: Point): number {
  if (isSame(a[0], b[0])) return 0;
  return isSame(a[1], b[1]) ? Infinity : over(minus(a[0], b[0]), minus(b[1], a[1]));
}

/** Ax + By + C = 0 through a point. */
export function lineAt([x, y]: Point, m: number): Geometry {
  if (Math.abs(m) === Infinity) return new Geometry([-1, 0, x]);
  if (m === 0) return new Geometry([0, -1, y]);
  // Adding zero turns -0 into 0.
  return new Geometry([m, -1, minus(y, times(m, x)) + 0]);
}

export function lineThrough(a: Point, b: Point): Geometry {
  return lineAt(a, slope(a, b));
}
