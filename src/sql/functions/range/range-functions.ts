/** Functions of ranges and multiranges: constructors, bounds, merging, unnesting. Manual, sections 8.17 and 9.20. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import { type AnyRange, mergedRanges, partsOf, span } from '../../types/multirange.ts';
import { makeRange } from '../../types/range-order.ts';
import { successorOf } from '../../types/range-type.ts';
import { EMPTY_RANGE, MultirangeValue, type RangeValue } from '../../types/range-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction, SqlCast, SqlFunction } from '../define.ts';
import { MULTIRANGES, RANGES } from '../../types/ranges.ts';

/** `[)` and similar, as the third argument of a constructor. */
function inclusions(text: string | null): { lower: boolean; upper: boolean } {
  if (text === null) throw new SvcError('22000', 'range constructor flags argument must not be null');
  if (!/^[[(][\])]$/.test(text)) {
    throw new SvcError('42601', 'invalid range bound flags', { hint: 'Valid values are "[]", "[)", "(]", and "()".' });
  }
  return { lower: text[0] === '[', upper: text[1] === ']' };
}

/** The functions that a range type defines by its name. */
export function rangeConstructors(range: SqlType, multirange: SqlType): ScalarFunction[] {
  const { subtype } = range.range!;
  const next = successorOf(range);
  const common = { kind: 'scalar', strict: false } as const;
  return [
    {
      ...common,
      name: range.name,
      args: [subtype.name, subtype.name],
      returns: range.name,
      doc: 'The range from the first value up to the second, which is left out; null bounds are without end.',
      impl: (lower: Value, upper: Value) => makeRange(subtype, next, lower, upper, true, false),
    },
    {
      ...common,
      name: range.name,
      args: [subtype.name, subtype.name, 'text'],
      returns: range.name,
      doc: 'The range between two values; the third argument says which of them are in it, as `[)`.',
      impl: (lower: Value, upper: Value, flags: string | null) => {
        const inc = inclusions(flags);
        return makeRange(subtype, next, lower, upper, inc.lower, inc.upper);
      },
    },
    {
      ...common,
      strict: true,
      name: multirange.name,
      args: [],
      returns: multirange.name,
      doc: 'The multirange that holds nothing.',
      impl: () => new MultirangeValue([]),
    },
    {
      ...common,
      strict: true,
      name: multirange.name,
      args: [range.name],
      returns: multirange.name,
      doc: 'The multirange of one range.',
      impl: (only: RangeValue) => new MultirangeValue(mergedRanges(subtype, [only])),
    },
    {
      ...common,
      strict: true,
      name: multirange.name,
      args: [],
      variadic: range.name,
      returns: multirange.name,
      doc: 'The multirange of the ranges.',
      impl: (ranges: ArrayValue) => {
        if (ranges.lengths.length > 1) throw new SvcError('21000', 'multiranges cannot be constructed from multidimensional arrays');
        if (ranges.elements.includes(null)) throw new SvcError('22004', 'multirange values cannot contain null members');
        return new MultirangeValue(mergedRanges(subtype, ranges.elements as RangeValue[]));
      },
    },
  ];
}

const first = (value: AnyRange): RangeValue | null => partsOf(value)[0] ?? null;
const last = (value: AnyRange): RangeValue | null => partsOf(value).at(-1) ?? null;

type Reading = readonly [name: string, returns: 'anyelement' | 'bool', doc: string, of: (value: AnyRange) => Value];

const READINGS: readonly Reading[] = [
  ['lower', 'anyelement', 'The lower bound; null where it is empty or without one.', (value) => first(value)?.lower ?? null],
  ['upper', 'anyelement', 'The upper bound; null where it is empty or without one.', (value) => last(value)?.upper ?? null],
  ['isempty', 'bool', 'Whether nothing is in it.', (value) => partsOf(value).length === 0],
  ['lower_inc', 'bool', 'Whether its lower bound is in it.', (value) => first(value)?.lowerInc ?? false],
  ['upper_inc', 'bool', 'Whether its upper bound is in it.', (value) => last(value)?.upperInc ?? false],
  ['lower_inf', 'bool', 'Whether it has no lower bound.', (value) => first(value)?.lower === null],
  ['upper_inf', 'bool', 'Whether it has no upper bound.', (value) => last(value)?.upper === null],
];

const readings = READINGS.flatMap(([name, returns, doc, of]) =>
  ['anyrange', 'anymultirange'].map((arg): ScalarFunction => ({ kind: 'scalar', name, args: [arg], returns, doc, impl: of })),
);

const unnest: SetFunction = {
  kind: 'set',
  name: 'unnest',
  args: ['anymultirange'],
  returns: 'anyrange',
  doc: 'The ranges of a multirange in order.',
  impl: (value: MultirangeValue) => value.ranges,
};

const others: SqlFunction[] = [
  {
    kind: 'scalar',
    name: 'range_merge',
    args: ['anyrange', 'anyrange'],
    returns: 'anyrange',
    needsCall: true,
    doc: 'The smallest range that holds both.',
    impl: (call: Call, a: RangeValue, b: RangeValue) => (a.empty ? b : b.empty ? a : span(call.argTypes[0].range!.subtype, a, b)),
  },
  {
    kind: 'scalar',
    name: 'range_merge',
    args: ['anymultirange'],
    returns: 'anyrange',
    needsCall: true,
    doc: 'The smallest range that holds all of a multirange.',
    impl: (call: Call, { ranges }: MultirangeValue) =>
      ranges.length === 0 ? EMPTY_RANGE : span(call.argTypes[0].range!.subtype, ranges[0], ranges[ranges.length - 1]),
  },
  {
    kind: 'scalar',
    name: 'multirange',
    args: ['anyrange'],
    returns: 'anymultirange',
    doc: 'The multirange of one range.',
    impl: (range: RangeValue) => new MultirangeValue(partsOf(range)),
  },
];

const casts = RANGES.map((range, i): SqlCast => ({
  from: range.name,
  to: MULTIRANGES[i].name,
  context: 'explicit',
  method: 'function',
  impl: (value: RangeValue) => new MultirangeValue(partsOf(value)),
}));

export const RANGE_FUNCTIONS: FunctionModule = {
  functions: [...RANGES.flatMap((range, i) => rangeConstructors(range, MULTIRANGES[i])), ...readings, ...others, unnest],
  casts,
};
