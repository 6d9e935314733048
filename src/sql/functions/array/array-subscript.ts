/**
 * Subscripts and slices of arrays, read and assigned: what `a[1]`, `a[2:3]`, `SET a[1] = …` call. Manual, section
 * 8.15.3 and 8.15.4. An omitted bound of a slice is `undefined`, SQL's null is null. Where one subscript of several is
 * a slice all are; a plain `[n]` among them means `[1:n]`.
 */
import { LIMITS } from '../../../base/limits.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ARRAY_SIZE_MAX, EMPTY, arrayTooLarge } from '../../types/array-text.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';

export type Bound = number | null | undefined;

/** One element; null outside the array, for a wrong number of subscripts and for a null among them. */
export function arrayGet(array: ArrayValue, subscripts: readonly (number | null)[]): Value {
  const at = offsetOf(array, subscripts);
  return at === -1 ? null : array.elements[at];
}

/** `arrayGet` with a single subscript. */
export function arrayGetOne(array: ArrayValue, subscript: number): Value {
  if (array.lengths.length !== 1) return null;
  const at = subscript - array.lowers[0];
  return at >= 0 && at < array.elements.length ? array.elements[at] : null;
}

function offsetOf({ lengths, lowers }: ArrayValue, subscripts: readonly (number | null)[]): number {
  if (lengths.length !== subscripts.length || lengths.length === 0) return -1;
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    const subscript = subscripts[i];
    if (subscript === null) return -1;
    const step = subscript - lowers[i];
    if (step < 0 || step >= lengths[i]) return -1;
    at = at * lengths[i] + step;
  }
  return at;
}

/** A slice of an array with all lower bounds 1; empty if nothing is in range. A null bound gives null. */
export function arraySlice(array: ArrayValue, lowers: readonly Bound[], uppers: readonly Bound[]): ArrayValue | null {
  if (lowers.includes(null) || uppers.includes(null)) return null;
  const dimensions = array.lengths.length;
  if (lowers.length > dimensions) return EMPTY;
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let i = 0; i < dimensions; i++) {
    const first = array.lowers[i];
    const last = first + array.lengths[i] - 1;
    const from = Math.max(lowers[i] ?? first, first);
    const to = Math.min(uppers[i] ?? last, last);
    if (from > to) return EMPTY;
    starts.push(from - first);
    lengths.push(to - from + 1);
  }
  const elements: Value[] = [];
  visit(array.lengths, starts, lengths, (at) => elements.push(array.elements[at]));
  return new ArrayValue(elements, lengths);
}

/** Visits the offsets of a box inside an array, in order. */
function visit(lengths: readonly number[], starts: readonly number[], spans: readonly number[], call: (offset: number) => void): void {
  const level = (depth: number, base: number): void => {
    for (let i = 0; i < spans[depth]; i++) {
      const at = base * lengths[depth] + starts[depth] + i;
      if (depth === lengths.length - 1) call(at);
      else level(depth + 1, at);
    }
  };
  level(0, 0);
}

function subscriptError(message: string, detail?: string): SvcError {
  return new SvcError('2202E', message, { detail });
}

function checkAssigned(bounds: readonly Bound[]): void {
  if (bounds.includes(null)) throw new SvcError('22004', 'array subscript in assignment must not be null');
}

/** The array with one element replaced. One-dimensional arrays grow, with nulls between; a null array counts as empty. */
export function arraySet(array: ArrayValue | null, subscripts: readonly (number | null)[], value: Value): ArrayValue {
  checkAssigned(subscripts);
  const given = subscripts as readonly number[];
  if (array === null || array.lengths.length === 0) {
    return new ArrayValue(
      [value],
      given.map(() => 1),
      given,
    );
  }
  if (array.lengths.length !== given.length) throw subscriptError('wrong number of array subscripts');
  if (given.length === 1) {
    const grown = grow(array, given[0], given[0]);
    grown.elements[given[0] - grown.lower] = value;
    return new ArrayValue(grown.elements, [grown.elements.length], [grown.lower]);
  }
  const at = offsetOf(array, given);
  if (at === -1) throw subscriptError('array subscript out of range');
  return new ArrayValue(array.elements.with(at, value), array.lengths, array.lowers);
}

/** A copy of a one-dimensional array that covers at least `from` to `to`. */
function grow(array: ArrayValue, from: number, to: number): { elements: Value[]; lower: number } {
  const first = array.lowers[0];
  const last = first + array.elements.length - 1;
  const lower = Math.min(first, from);
  const length = Math.max(last, to) - lower + 1;
  if (length > ARRAY_SIZE_MAX) throw arrayTooLarge();
  if (length > LIMITS.arrayElementsMax) throw arrayTooLong(length);
  if (length === array.elements.length) return { elements: array.elements.slice(), lower };
  const elements = new Array<Value>(length).fill(null);
  for (let i = 0; i < array.elements.length; i++) elements[first - lower + i] = array.elements[i];
  return { elements, lower };
}

/** The array with a slice replaced by the elements of `source`, read serially; a null source changes nothing but a null array to an empty one. */
export function arraySetSlice(array: ArrayValue | null, lowers: readonly Bound[], uppers: readonly Bound[], source: ArrayValue | null): ArrayValue {
  checkAssigned(lowers);
  checkAssigned(uppers);
  if (source === null) return array ?? EMPTY;
  const count = lowers.length;
  if (array === null || array.lengths.length === 0) {
    if (lowers.includes(undefined) || uppers.includes(undefined)) {
      throw subscriptError(
        'array slice subscript must provide both boundaries',
        'When assigning to a slice of an empty array value, slice boundaries must be fully specified.',
      );
    }
    const lengths = lowers.map((lower, i) => uppers[i]! - lower! + 1);
    if (lengths.some((length) => length < 0)) throw arrayTooLarge();
    const size = sizeOf(lengths);
    if (source.elements.length < size) throw subscriptError('source array too small');
    return new ArrayValue(source.elements.slice(0, size), lengths, lowers as readonly number[]);
  }
  const dimensions = array.lengths.length;
  if (dimensions < count) throw subscriptError('wrong number of array subscripts');
  const from = array.lowers.map((lower, i) => lowers[i] ?? lower);
  const to = array.lowers.map((lower, i) => uppers[i] ?? lower + array.lengths[i] - 1);
  for (let i = 0; i < dimensions; i++) {
    if (from[i] > to[i]) throw subscriptError('upper bound cannot be less than lower bound');
    if (dimensions > 1 && (from[i] < array.lowers[i] || to[i] >= array.lowers[i] + array.lengths[i])) throw subscriptError('array subscript out of range');
  }
  const spans = from.map((lower, i) => to[i] - lower + 1);
  if (sizeOf(spans) > source.elements.length) throw subscriptError('source array too small');
  if (dimensions === 1) {
    const { elements, lower } = grow(array, from[0], to[0]);
    for (let i = 0; i < spans[0]; i++) elements[from[0] - lower + i] = source.elements[i];
    return new ArrayValue(elements, [elements.length], [lower]);
  }
  const elements = array.elements.slice();
  const starts = from.map((lower, i) => lower - array.lowers[i]);
  let next = 0;
  visit(array.lengths, starts, spans, (at) => {
    elements[at] = source.elements[next++];
  });
  return new ArrayValue(elements, array.lengths, array.lowers);
}

/** Number of elements for these lengths. */
export function sizeOf(lengths: readonly number[]): number {
  let size = lengths.length === 0 ? 0 : 1;
  for (const length of lengths) {
    if (length < 0) throw arrayTooLarge();
    size *= length;
  }
  if (size > ARRAY_SIZE_MAX) throw arrayTooLarge();
  if (size > LIMITS.arrayElementsMax) throw arrayTooLong(size);
  return size;
}

/** Postgres would build it, in a process of its own. */
function arrayTooLong(size: number): SvcError {
  return new SvcError('53200', 'out of memory', {
    detail: `An array of ${size} elements was requested; at most ${LIMITS.arrayElementsMax} are held at once.`,
    hint: 'Keep the elements as rows.',
  });
}
