/** Operators of ranges and multiranges, in every combination of the two. Manual, section 9.20. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import {
  before,
  common,
  contains,
  containsValue,
  isAdjacent,
  mergedRanges,
  notLeftOf,
  notRightOf,
  overlaps,
  partsOf,
  type AnyRange,
  without,
} from '../../types/multirange.ts';
import { EMPTY_RANGE, MultirangeValue, type RangeValue } from '../../types/range-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, SqlOperator } from '../define.ts';

type Test = (subtype: SqlType, a: AnyRange, b: AnyRange) => boolean;

const subtypeOf = (call: Call): SqlType => call.argTypes.find(({ range }) => range !== null)!.range!.subtype;

const TESTS: readonly (readonly [name: string, word: string, test: Test, commutator: string | undefined])[] = [
  ['@>', 'contains', contains, '<@'],
  ['<@', 'contained_by', (subtype, a, b) => contains(subtype, b, a), '@>'],
  ['&&', 'overlaps', overlaps, '&&'],
  ['<<', 'before', before, '>>'],
  ['>>', 'after', (subtype, a, b) => before(subtype, b, a), '<<'],
  ['&<', 'overleft', notRightOf, undefined],
  ['&>', 'overright', notLeftOf, undefined],
  ['-|-', 'adjacent', isAdjacent, '-|-'],
];

const PAIRS = [
  ['range', 'range'],
  ['range', 'multirange'],
  ['multirange', 'range'],
  ['multirange', 'multirange'],
] as const;

function tests(): SqlOperator[] {
  return PAIRS.flatMap(([left, right]) =>
    TESTS.map(([name, word, test, commutator]) => ({
      name,
      left: `any${left}`,
      right: `any${right}`,
      returns: 'bool',
      proc: left === 'range' && right === 'range' ? `range_${word}` : `${left}_${word}_${right}`,
      ...(commutator === undefined ? {} : { commutator }),
      needsCall: true,
      impl: (call: Call, a: AnyRange, b: AnyRange) => test(subtypeOf(call), a, b),
    })),
  );
}

function elements(): SqlOperator[] {
  return (['range', 'multirange'] as const).flatMap((kind): SqlOperator[] => [
    {
      name: '@>',
      left: `any${kind}`,
      right: 'anyelement',
      returns: 'bool',
      proc: `${kind}_contains_elem`,
      commutator: '<@',
      needsCall: true,
      impl: (call: Call, a: AnyRange, value: Value) => containsValue(subtypeOf(call), a, value),
    },
    {
      name: '<@',
      left: 'anyelement',
      right: `any${kind}`,
      returns: 'bool',
      proc: `elem_contained_by_${kind}`,
      commutator: '@>',
      needsCall: true,
      impl: (call: Call, value: Value, a: AnyRange) => containsValue(subtypeOf(call), a, value),
    },
  ]);
}

const COMPARISONS = [
  ['=', 'eq', (order: number) => order === 0, '<>', '='],
  ['<>', 'ne', (order: number) => order !== 0, '=', '<>'],
  ['<', 'lt', (order: number) => order < 0, '>=', '>'],
  ['<=', 'le', (order: number) => order <= 0, '>', '>='],
  ['>', 'gt', (order: number) => order > 0, '<=', '<'],
  ['>=', 'ge', (order: number) => order >= 0, '<', '<='],
] as const;

function comparisons(): SqlOperator[] {
  return (['range', 'multirange'] as const).flatMap((kind) =>
    COMPARISONS.map(([name, word, test, negator, commutator]) => ({
      name,
      left: `any${kind}`,
      right: `any${kind}`,
      returns: 'bool',
      proc: `${kind}_${word}`,
      negator,
      commutator,
      needsCall: true,
      impl: (call: Call, a: AnyRange, b: AnyRange) => test(call.argTypes[0].compare(a, b)),
    })),
  );
}

/** One range, or nothing: a result in two parts is refused. */
export function single(ranges: readonly RangeValue[], what: string): RangeValue {
  if (ranges.length > 1) throw new SvcError('22000', `result of range ${what} would not be contiguous`);
  return ranges[0] ?? EMPTY_RANGE;
}

const SETS: readonly (readonly [name: string, word: string, what: string, of: (subtype: SqlType, a: AnyRange, b: AnyRange) => RangeValue[]])[] = [
  ['+', 'union', 'union', (subtype, a, b) => mergedRanges(subtype, [...partsOf(a), ...partsOf(b)])],
  ['-', 'minus', 'difference', without],
  ['*', 'intersect', 'intersection', common],
];

function sets(): SqlOperator[] {
  return SETS.flatMap(([name, word, what, of]): SqlOperator[] => [
    {
      name,
      left: 'anyrange',
      right: 'anyrange',
      returns: 'anyrange',
      proc: `range_${word}`,
      ...(name === '-' ? {} : { commutator: name }),
      needsCall: true,
      impl: (call: Call, a: RangeValue, b: RangeValue) => single(of(subtypeOf(call), a, b), what),
    },
    {
      name,
      left: 'anymultirange',
      right: 'anymultirange',
      returns: 'anymultirange',
      proc: `multirange_${word}`,
      ...(name === '-' ? {} : { commutator: name }),
      needsCall: true,
      impl: (call: Call, a: MultirangeValue, b: MultirangeValue) => new MultirangeValue(of(subtypeOf(call), a, b)),
    },
  ]);
}

export const RANGE_OPERATORS: FunctionModule = { operators: [...tests(), ...elements(), ...comparisons(), ...sets()] };
