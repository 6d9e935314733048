/** Sets of ranges: the content of multiranges, and the operations that ranges and multiranges share. Manual, section 9.20. */
import { compareLower, compareLowerUpper, compareRanges, compareUpper } from './range-order.ts';
import { MultirangeValue, RangeValue } from './range-value.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export type AnyRange = RangeValue | MultirangeValue;

/** Non-empty ranges, in order. */
export function partsOf(value: AnyRange): readonly RangeValue[] {
  if (value instanceof MultirangeValue) return value.ranges;
  return value.empty ? [] : [value];
}

/** Ranges in order, merging those that overlap or are adjacent. */
export function mergedRanges(subtype: SqlType, ranges: readonly RangeValue[]): RangeValue[] {
  const sorted = ranges.filter(({ empty }) => !empty).sort((a, b) => compareRanges(subtype, a, b));
  const out: RangeValue[] = [];
  for (const range of sorted) {
    const last = out.at(-1);
    if (last === undefined || !(overlap(subtype, last, range) || adjacent(subtype, last, range))) out.push(range);
    else out[out.length - 1] = span(subtype, last, range);
  }
  return out;
}

/** The smallest range that contains two non-empty ones. */
export function span(subtype: SqlType, a: RangeValue, b: RangeValue): RangeValue {
  const low = compareLower(subtype, a, b) <= 0 ? a : b;
  const high = compareUpper(subtype, a, b) >= 0 ? a : b;
  return new RangeValue(low.lower, high.upper, low.lowerInc, high.upperInc);
}

function overlap(subtype: SqlType, a: RangeValue, b: RangeValue): boolean {
  return compareLowerUpper(subtype, a, b) <= 0 && compareLowerUpper(subtype, b, a) <= 0;
}

/** The first ends where the second begins, and one of them includes the value between. */
function meets(subtype: SqlType, a: RangeValue, b: RangeValue): boolean {
  return a.upper !== null && b.lower !== null && a.upperInc !== b.lowerInc && subtype.compare(a.upper, b.lower) === 0;
}

function adjacent(subtype: SqlType, a: RangeValue, b: RangeValue): boolean {
  return meets(subtype, a, b) || meets(subtype, b, a);
}

export function hasValue(subtype: SqlType, { empty, lower, upper, lowerInc, upperInc }: RangeValue, value: Value): boolean {
  if (empty) return false;
  if (lower !== null) {
    const order = subtype.compare(lower, value);
    if (order > 0 || (order === 0 && !lowerInc)) return false;
  }
  if (upper === null) return true;
  const order = subtype.compare(upper, value);
  return order > 0 || (order === 0 && upperInc);
}

export function contains(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const around = partsOf(a);
  return partsOf(b).every((inner) => around.some((outer) => compareLower(subtype, outer, inner) <= 0 && compareUpper(subtype, outer, inner) >= 0));
}

export function containsValue(subtype: SqlType, a: AnyRange, value: Value): boolean {
  return partsOf(a).some((range) => hasValue(subtype, range, value));
}

export function overlaps(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    if (overlap(subtype, left[i], right[j])) return true;
    if (compareUpper(subtype, left[i], right[j]) < 0) i++;
    else j++;
  }
  return false;
}

/** The ends of both, if neither is empty. */
function ends(a: AnyRange, b: AnyRange): { firstA: RangeValue; lastA: RangeValue; firstB: RangeValue; lastB: RangeValue } | null {
  const [left, right] = [partsOf(a), partsOf(b)];
  if (left.length === 0 || right.length === 0) return null;
  return { firstA: left[0], lastA: left[left.length - 1], firstB: right[0], lastB: right[right.length - 1] };
}

export function before(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const at = ends(a, b);
  return at !== null && compareLowerUpper(subtype, at.firstB, at.lastA) > 0;
}

export function notRightOf(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const at = ends(a, b);
  return at !== null && compareUpper(subtype, at.lastA, at.lastB) <= 0;
}

export function notLeftOf(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const at = ends(a, b);
  return at !== null && compareLower(subtype, at.firstA, at.firstB) >= 0;
}

export function isAdjacent(subtype: SqlType, a: AnyRange, b: AnyRange): boolean {
  const at = ends(a, b);
  return at !== null && (meets(subtype, at.lastA, at.firstB) || meets(subtype, at.lastB, at.firstA));
}

export function common(subtype: SqlType, a: AnyRange, b: AnyRange): RangeValue[] {
  const [left, right] = [partsOf(a), partsOf(b)];
  const out: RangeValue[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length && j < right.length) {
    const [x, y] = [left[i], right[j]];
    if (overlap(subtype, x, y)) {
      const low = compareLower(subtype, x, y) >= 0 ? x : y;
      const high = compareUpper(subtype, x, y) <= 0 ? x : y;
      out.push(new RangeValue(low.lower, high.upper, low.lowerInc, high.upperInc));
    }
    if (compareUpper(subtype, x, y) < 0) i++;
    else j++;
  }
  return out;
}

/** The difference of `a` and `b`. */
export function without(subtype: SqlType, a: AnyRange, b: AnyRange): RangeValue[] {
  let rest = [...partsOf(a)];
  for (const cut of partsOf(b)) {
    rest = rest.flatMap((range) => {
      if (!overlap(subtype, range, cut)) return [range];
      const out: RangeValue[] = [];
      if (compareLower(subtype, range, cut) < 0) out.push(new RangeValue(range.lower, cut.lower, range.lowerInc, !cut.lowerInc));
      if (compareUpper(subtype, range, cut) > 0) out.push(new RangeValue(cut.upper, range.upper, !cut.upperInc, range.upperInc));
      return out;
    });
  }
  return rest;
}
