/** Comparison of range bounds. Manual, section 8.17. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { EMPTY_RANGE, RangeValue } from './range-value.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

/** Lower bounds: an inclusive one comes before an exclusive one. */
export function compareLower(subtype: SqlType, a: RangeValue, b: RangeValue): number {
  if (a.lower === null || b.lower === null) return a.lower === b.lower ? 0 : a.lower === null ? -1 : 1;
  const order = subtype.compare(a.lower, b.lower);
  return order !== 0 ? order : a.lowerInc === b.lowerInc ? 0 : a.lowerInc ? -1 : 1;
}

export function compareUpper(subtype: SqlType, a: RangeValue, b: RangeValue): number {
  if (a.upper === null || b.upper === null) return a.upper === b.upper ? 0 : a.upper === null ? 1 : -1;
  const order = subtype.compare(a.upper, b.upper);
  return order !== 0 ? order : a.upperInc === b.upperInc ? 0 : a.upperInc ? 1 : -1;
}

/** Compares the lower bound of one with the upper bound of another: above 0 if nothing is between them. */
export function compareLowerUpper(subtype: SqlType, a: RangeValue, b: RangeValue): number {
  if (a.lower === null || b.upper === null) return -1;
  const order = subtype.compare(a.lower, b.upper);
  return order !== 0 ? order : a.lowerInc && b.upperInc ? 0 : 1;
}

/** Btree order: empty ranges first. */
export function compareRanges(subtype: SqlType, a: RangeValue, b: RangeValue): number {
  if (a.empty || b.empty) return a.empty === b.empty ? 0 : a.empty ? -1 : 1;
  return compareLower(subtype, a, b) || compareUpper(subtype, a, b);
}

/** The value after a discrete one; the value itself if it has none (infinity). */
export type Successor = (value: Value) => Value;

/** A range in canonical form: `[)` for discrete values, and `empty` if it contains nothing. 22000 for bounds in the wrong order. */
export function makeRange(subtype: SqlType, next: Successor | null, lower: Value, upper: Value, lowerInc: boolean, upperInc: boolean): RangeValue {
  const given = new RangeValue(lower, upper, lowerInc, upperInc);
  if (lower !== null && upper !== null) {
    const order = subtype.compare(lower, upper);
    if (order > 0) throw new SvcError('22000', 'range lower bound must be less than or equal to range upper bound');
    if (order === 0 && !(lowerInc && upperInc)) return EMPTY_RANGE;
  }
  if (next === null) return given;
  const from = given.lower === null || given.lowerInc ? given.lower : next(given.lower);
  const to = given.upper === null || !given.upperInc ? given.upper : next(given.upper);
  // An infinite date has no successor: its bound stays as written.
  const startInc = given.lowerInc || (from !== null && from !== given.lower);
  const endInc = given.upperInc && to === given.upper;
  if (from !== null && to !== null) {
    const order = subtype.compare(from, to);
    if (order > 0 || (order === 0 && !(startInc && endInc))) return EMPTY_RANGE;
  }
  return new RangeValue(from, to, startInc, endInc);
}
