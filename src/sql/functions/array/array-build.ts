/** Constructing arrays from arrays and elements: `||`, array_append, array_prepend, array_cat, array_fill, trim_array. Manual, section 9.19. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ARRAY_DIMENSIONS_MAX, EMPTY } from '../../types/array-text.ts';
import { compareArrays } from '../../types/array-type.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { arraySlice, sizeOf } from './array-subscript.ts';

function requireFlat(array: ArrayValue): void {
  if (array.lengths.length > 1) throw new SvcError('22000', 'argument must be empty or one-dimensional array');
}

export function arrayAppend(array: ArrayValue | null, value: Value): ArrayValue {
  if (array === null || array.elements.length === 0) return new ArrayValue([value]);
  requireFlat(array);
  const elements = array.elements.slice();
  elements.push(value);
  return new ArrayValue(elements, [elements.length], array.lowers);
}

function arrayPrepend(value: Value, array: ArrayValue | null): ArrayValue {
  if (array === null || array.elements.length === 0) return new ArrayValue([value]);
  requireFlat(array);
  return new ArrayValue([value, ...array.elements], [array.elements.length + 1], array.lowers);
}

function incompatible(detail: string): SvcError {
  return new SvcError('2202E', 'cannot concatenate incompatible arrays', { detail });
}

/** Two arrays of one dimensionality concatenated, or one as a further element of the other's outer dimension. */
function arrayCat(a: ArrayValue | null, b: ArrayValue | null): ArrayValue | null {
  if (a === null) return b;
  if (b === null) return a;
  const left = a.lengths.length;
  const right = b.lengths.length;
  if (left === 0) return b;
  if (right === 0) return a;
  if (Math.abs(left - right) > 1) throw incompatible(`Arrays of ${left} and ${right} dimensions are not compatible for concatenation.`);
  const outer = left >= right ? a : b;
  const sameInner = (inner: ArrayValue, skip: number): boolean => {
    for (let i = skip; i < inner.lengths.length; i++) {
      const at = i + outer.lengths.length - inner.lengths.length;
      if (inner.lengths[i] !== outer.lengths[at] || inner.lowers[i] !== outer.lowers[at]) return false;
    }
    return true;
  };
  const lengths = outer.lengths.slice();
  if (left === right) {
    if (!sameInner(b, 1)) throw incompatible('Arrays with differing element dimensions are not compatible for concatenation.');
    lengths[0] += b.lengths[0];
  } else {
    if (!sameInner(outer === a ? b : a, 0)) throw incompatible('Arrays with differing dimensions are not compatible for concatenation.');
    lengths[0]++;
  }
  return new ArrayValue(a.elements.concat(b.elements), lengths, outer.lowers);
}

/** A one-dimensional list of int4 without nulls, as array_fill takes two of. */
function intList(array: ArrayValue): readonly number[] {
  if (array.lengths.length > 1) throw new SvcError('2202E', 'wrong number of array subscripts', { detail: 'Dimension array must be one dimensional.' });
  if (array.elements.includes(null)) throw new SvcError('22004', 'dimension values cannot be null');
  return array.elements as readonly number[];
}

function fill(value: Value, dimensions: ArrayValue | null, bounds: ArrayValue | null | undefined): ArrayValue {
  if (dimensions === null || bounds === null) throw new SvcError('22004', 'dimension array or low bound array cannot be null');
  const lengths = intList(dimensions);
  if (lengths.length > ARRAY_DIMENSIONS_MAX) {
    throw new SvcError('54000', `number of array dimensions (${lengths.length}) exceeds the maximum allowed (${ARRAY_DIMENSIONS_MAX})`);
  }
  const lowers = bounds === undefined ? lengths.map(() => 1) : intList(bounds);
  if (lowers.length !== lengths.length) {
    throw new SvcError('2202E', 'wrong number of array subscripts', { detail: 'Low bound array has different size than dimensions array.' });
  }
  const size = sizeOf(lengths);
  for (let i = 0; i < lengths.length; i++) {
    if (lowers[i] + lengths[i] > 2_147_483_647) throw new SvcError('54000', `array lower bound is too large: ${lowers[i]}`);
  }
  return size === 0 ? EMPTY : new ArrayValue(new Array<Value>(size).fill(value), lengths, lowers);
}

function trim(array: ArrayValue, count: number): ArrayValue {
  const length = array.lengths[0] ?? 0;
  if (count < 0 || count > length) throw new SvcError('2202E', `number of elements to trim must be between 0 and ${length}`);
  return length === 0 ? EMPTY : arraySlice(array, [undefined], [array.lowers[0] + length - count - 1])!;
}

/** The items of the outer dimension, each a run of elements. */
function outerItems(array: ArrayValue): Value[][] {
  const { elements, lengths } = array;
  const run = elements.length / lengths[0];
  return Array.from({ length: lengths[0] }, (_, i) => elements.slice(i * run, (i + 1) * run));
}

function fromOuterItems(array: ArrayValue, items: readonly Value[][], lower: number): ArrayValue {
  return new ArrayValue(items.flat(), array.lengths.with(0, items.length), array.lowers.with(0, lower));
}

/** The first `count` items of a random order (Fisher and Yates, as Knuth gives it). */
function shuffled(array: ArrayValue, count: number, call: Call): Value[][] {
  const items = outerItems(array);
  for (let i = 0; i < count; i++) {
    const j = i + Math.floor(call.env.random() * (items.length - i));
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items.slice(0, count);
}

function sample(call: Call, array: ArrayValue, count: number): ArrayValue {
  const length = array.lengths[0] ?? 0;
  if (count < 0 || count > length) throw new SvcError('22023', `sample size must be between 0 and ${length}`);
  return count === 0 ? EMPTY : fromOuterItems(array, shuffled(array, count, call), 1);
}

function sort(element: SqlType, array: ArrayValue, descending: boolean, nullsFirst: boolean): ArrayValue {
  if (array.lengths.length === 0 || array.lengths[0] < 2) return array;
  if (!element.ordered) throw new SvcError('42883', `could not identify a comparison function for type ${element.title}`);
  const sign = descending ? -1 : 1;
  if (array.lengths.length > 1) {
    const items = outerItems(array).map((item) => new ArrayValue(item, array.lengths.slice(1), array.lowers.slice(1)));
    items.sort((a, b) => sign * compareArrays(a, b, element));
    return new ArrayValue(
      items.flatMap((item) => item.elements),
      array.lengths,
      array.lowers,
    );
  }
  const some = array.elements.filter((value) => value !== null).sort((a, b) => sign * element.compare(a, b));
  const nulls = new Array<Value>(array.elements.length - some.length).fill(null);
  return new ArrayValue(nullsFirst ? [...nulls, ...some] : [...some, ...nulls], array.lengths, array.lowers);
}

const APPEND = {
  doc: 'The array with an element after its last.',
  impl: arrayAppend,
} as const;
const PREPEND = {
  doc: 'The array with an element before its first.',
  impl: arrayPrepend,
} as const;
const CAT = {
  doc: 'Two arrays end to end; of arrays whose dimensions differ by one the smaller becomes an element of the other.',
  impl: arrayCat,
} as const;

const FUNCTIONS: readonly ScalarFunction[] = [
  { kind: 'scalar', name: 'array_append', args: ['anycompatiblearray', 'anycompatible'], returns: 'anycompatiblearray', strict: false, ...APPEND },
  { kind: 'scalar', name: 'array_prepend', args: ['anycompatible', 'anycompatiblearray'], returns: 'anycompatiblearray', strict: false, ...PREPEND },
  { kind: 'scalar', name: 'array_cat', args: ['anycompatiblearray', 'anycompatiblearray'], returns: 'anycompatiblearray', strict: false, ...CAT },
  {
    kind: 'scalar',
    name: 'array_fill',
    args: ['anyelement', '_int4', '_int4'],
    optional: 1,
    returns: 'anyarray',
    strict: false,
    doc: 'An array of copies of a value, with the given lengths and lower bounds.',
    impl: fill,
  },
  { kind: 'scalar', name: 'trim_array', args: ['anyarray', 'int4'], returns: 'anyarray', doc: 'The array without its last n elements.', impl: trim },
  {
    kind: 'scalar',
    name: 'array_shuffle',
    args: ['anyarray'],
    returns: 'anyarray',
    volatility: 'volatile',
    needsCall: true,
    doc: 'The array with its outer dimension in random order.',
    impl: (call: Call, array: ArrayValue) =>
      array.lengths.length === 0 || array.lengths[0] < 2 ? array : fromOuterItems(array, shuffled(array, array.lengths[0], call), array.lowers[0]),
  },
  {
    kind: 'scalar',
    name: 'array_sample',
    args: ['anyarray', 'int4'],
    returns: 'anyarray',
    volatility: 'volatile',
    needsCall: true,
    doc: 'n items of the outer dimension, picked at random.',
    impl: sample,
  },
  {
    kind: 'scalar',
    name: 'array_reverse',
    args: ['anyarray'],
    returns: 'anyarray',
    doc: 'The array with its outer dimension back to front.',
    impl: (array: ArrayValue) => (array.lengths.length === 0 ? array : fromOuterItems(array, outerItems(array).reverse(), array.lowers[0])),
  },
  {
    kind: 'scalar',
    name: 'array_sort',
    args: ['anyarray', 'bool', 'bool'],
    argNames: ['array', 'descending', 'nulls_first'],
    optional: 2,
    returns: 'anyarray',
    needsCall: true,
    doc: 'The array with its outer dimension in order; nulls come last, or first where descending, unless nulls_first says otherwise.',
    impl: (call: Call, array: ArrayValue, descending = false, nullsFirst = descending) => sort(call.argTypes[0].element!, array, descending, nullsFirst),
  },
];

export const ARRAY_BUILD: FunctionModule = {
  operators: [
    {
      name: '||',
      left: 'anycompatiblearray',
      right: 'anycompatible',
      returns: 'anycompatiblearray',
      proc: 'array_append',
      strict: false,
      impl: arrayAppend,
    },
    {
      name: '||',
      left: 'anycompatible',
      right: 'anycompatiblearray',
      returns: 'anycompatiblearray',
      proc: 'array_prepend',
      strict: false,
      impl: arrayPrepend,
    },
    {
      name: '||',
      left: 'anycompatiblearray',
      right: 'anycompatiblearray',
      returns: 'anycompatiblearray',
      proc: 'array_cat',
      strict: false,
      impl: arrayCat,
    },
  ],
  functions: FUNCTIONS,
};
