/** Bounds of arrays and positions of elements. Manual, section 9.19. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { EMPTY, boundsText } from '../../types/array-text.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { comparable } from './array-compare.ts';

/** Equality in the sense of IS NOT DISTINCT FROM, with a fixed value. */
function sameAs(value: Value, element: SqlType): (item: Value) => boolean {
  if (value === null) return (item) => item === null;
  comparable(element);
  return (item) => item !== null && element.compare(item, value) === 0;
}

function requireFlat(array: ArrayValue, doing: string): void {
  if (array.lengths.length > 1) throw new SvcError('0A000', `${doing} multidimensional arrays is not supported`);
}

function position(call: Call, array: ArrayValue | null, value: Value, start: number | null | undefined): number | null {
  if (array === null) return null;
  requireFlat(array, 'searching for elements in');
  if (array.elements.length === 0) return null;
  if (value === null && !array.elements.includes(null)) return null;
  if (start === null) throw new SvcError('22004', 'initial position must not be null');
  const lower = array.lowers[0];
  const same = sameAs(value, call.argTypes[0].element!);
  for (let i = Math.max(0, (start ?? lower) - lower); i < array.elements.length; i++) if (same(array.elements[i])) return lower + i;
  return null;
}

function positions(call: Call, array: ArrayValue | null, value: Value): ArrayValue | null {
  if (array === null) return null;
  requireFlat(array, 'searching for elements in');
  if (array.elements.length === 0) return EMPTY;
  const same = sameAs(value, call.argTypes[0].element!);
  const found: number[] = [];
  for (let i = 0; i < array.elements.length; i++) if (same(array.elements[i])) found.push(array.lowers[0] + i);
  return new ArrayValue(found);
}

function remove(call: Call, array: ArrayValue | null, value: Value): ArrayValue | null {
  if (array === null) return null;
  requireFlat(array, 'removing elements from');
  const same = sameAs(value, call.argTypes[0].element!);
  const kept = array.elements.filter((item) => !same(item));
  return kept.length === array.elements.length ? array : new ArrayValue(kept, [kept.length], array.lowers);
}

function replace(call: Call, array: ArrayValue | null, value: Value, by: Value): ArrayValue | null {
  if (array === null) return null;
  const same = sameAs(value, call.argTypes[0].element!);
  return new ArrayValue(
    array.elements.map((item) => (same(item) ? by : item)),
    array.lengths,
    array.lowers,
  );
}

/** The range between sorted thresholds that contains a value: the number of thresholds it reaches. */
function widthBucket(call: Call, value: Value, thresholds: ArrayValue): number {
  if (thresholds.lengths.length > 1) throw new SvcError('2202E', 'thresholds must be one-dimensional array');
  if (thresholds.elements.includes(null)) throw new SvcError('22004', 'thresholds array must not contain NULLs');
  const { elements } = thresholds;
  const element = call.argTypes[1].element!;
  if (!element.ordered) throw new SvcError('42883', `could not identify a comparison function for type ${element.title}`);
  let low = 0;
  let high = elements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (element.compare(value, elements[middle]) < 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

export const ARRAY_INSPECT: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'array_ndims',
      args: ['anyarray'],
      returns: 'int4',
      doc: 'How many dimensions an array has; null for an empty one.',
      impl: (array: ArrayValue) => array.lengths.length || null,
    },
    {
      kind: 'scalar',
      name: 'array_dims',
      args: ['anyarray'],
      returns: 'text',
      doc: 'Bounds of all dimensions as text: [1:2][1:3].',
      impl: (array: ArrayValue) => (array.lengths.length === 0 ? null : boundsText(array)),
    },
    {
      kind: 'scalar',
      name: 'array_length',
      args: ['anyarray', 'int4'],
      returns: 'int4',
      doc: 'Length of one dimension, counted from 1; null where there is none.',
      impl: (array: ArrayValue, dimension: number) => array.lengths[dimension - 1] ?? null,
    },
    {
      kind: 'scalar',
      name: 'array_lower',
      args: ['anyarray', 'int4'],
      returns: 'int4',
      doc: 'Lower bound of one dimension.',
      impl: (array: ArrayValue, dimension: number) => array.lowers[dimension - 1] ?? null,
    },
    {
      kind: 'scalar',
      name: 'array_upper',
      args: ['anyarray', 'int4'],
      returns: 'int4',
      doc: 'Upper bound of one dimension.',
      impl: (array: ArrayValue, dimension: number) =>
        dimension < 1 || dimension > array.lengths.length ? null : array.lowers[dimension - 1] + array.lengths[dimension - 1] - 1,
    },
    {
      kind: 'scalar',
      name: 'cardinality',
      args: ['anyarray'],
      returns: 'int4',
      doc: 'How many elements an array has in all dimensions together.',
      impl: (array: ArrayValue) => array.elements.length,
    },
    {
      kind: 'scalar',
      name: 'array_position',
      args: ['anycompatiblearray', 'anycompatible'],
      returns: 'int4',
      strict: false,
      needsCall: true,
      doc: 'Subscript of the first element that equals the value; null where none does.',
      impl: (call: Call, array: ArrayValue | null, value: Value) => position(call, array, value, undefined),
    },
    {
      kind: 'scalar',
      name: 'array_position',
      args: ['anycompatiblearray', 'anycompatible', 'int4'],
      returns: 'int4',
      strict: false,
      needsCall: true,
      doc: 'Subscript of the first element, from the given subscript on, that equals the value.',
      impl: position,
    },
    {
      kind: 'scalar',
      name: 'array_positions',
      args: ['anycompatiblearray', 'anycompatible'],
      returns: '_int4',
      strict: false,
      needsCall: true,
      doc: 'Subscripts of all elements that equal the value.',
      impl: positions,
    },
    {
      kind: 'scalar',
      name: 'array_remove',
      args: ['anycompatiblearray', 'anycompatible'],
      returns: 'anycompatiblearray',
      strict: false,
      needsCall: true,
      doc: 'The array without the elements that equal the value.',
      impl: remove,
    },
    {
      kind: 'scalar',
      name: 'array_replace',
      args: ['anycompatiblearray', 'anycompatible', 'anycompatible'],
      returns: 'anycompatiblearray',
      strict: false,
      needsCall: true,
      doc: 'The array with the elements that equal one value replaced by another.',
      impl: replace,
    },
    {
      kind: 'scalar',
      name: 'width_bucket',
      args: ['anycompatible', 'anycompatiblearray'],
      returns: 'int4',
      needsCall: true,
      doc: 'How many of the sorted thresholds the value reaches.',
      impl: widthBucket,
    },
  ],
};
