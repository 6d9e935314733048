/** Functions and operators of the extension intarray, over integer[] without nulls. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { intQueryOf } from '../../types/query-int.ts';
import { answersWordQuery } from '../../types/word-query.ts';
import type { FunctionModule } from '../define.ts';
import { op, scalarsOf } from './declare.ts';

function numbers({ elements }: ArrayValue): readonly number[] {
  if (elements.includes(null)) throw new SvcError('22004', 'array must not contain nulls');
  return elements as readonly number[];
}

const sorted = (array: ArrayValue, descending = false): ArrayValue => new ArrayValue([...numbers(array)].sort((a, b) => (descending ? b - a : a - b)));

function sortedAs(array: ArrayValue, way: string): ArrayValue {
  const word = way.toLowerCase();
  if (word !== 'asc' && word !== 'desc') throw new SvcError('22023', 'second parameter must be "ASC" or "DESC"');
  return sorted(array, word === 'desc');
}

/** Without adjacent duplicates. */
const unique = (array: ArrayValue): ArrayValue => new ArrayValue(numbers(array).filter((each, i, all) => each !== all[i - 1]));
const distinct = (values: Iterable<number>): ArrayValue => new ArrayValue([...new Set(values)].sort((a, b) => a - b));
const position = (array: ArrayValue, value: number): number => numbers(array).indexOf(value) + 1;
const union = (a: ArrayValue, b: ArrayValue): ArrayValue => distinct([...numbers(a), ...numbers(b)]);

function common(a: ArrayValue, b: ArrayValue): ArrayValue {
  const other = new Set(numbers(b));
  return distinct(numbers(a).filter((each) => other.has(each)));
}

function without(a: ArrayValue, b: ArrayValue): ArrayValue {
  const other = new Set(numbers(b));
  return distinct(numbers(a).filter((each) => !other.has(each)));
}

/** From the n-th on, or from the n-th before the end; a negative `length` drops that many at the end. */
function part(array: ArrayValue, from: number, length?: number): ArrayValue {
  const all = numbers(array);
  const start = from > 0 ? from - 1 : from;
  const first = start < 0 ? all.length + start : start;
  const end = length === undefined ? all.length : length < 0 ? all.length + length : first + length;
  return new ArrayValue(all.slice(Math.max(0, first), Math.max(0, end)));
}

const scalar = scalarsOf('intarray');

const count = (array: ArrayValue): number => numbers(array).length;
const added = (array: ArrayValue, value: number): ArrayValue => new ArrayValue([...numbers(array), value]);
const both = (a: ArrayValue, b: ArrayValue): ArrayValue => new ArrayValue([...numbers(a), ...numbers(b)]);
const withoutOne = (array: ArrayValue, value: number): ArrayValue => new ArrayValue(numbers(array).filter((each) => each !== value));
const unionOne = (array: ArrayValue, value: number): ArrayValue => distinct([...numbers(array), value]);

function answers(array: ArrayValue, query: string): boolean {
  const own = numbers(array);
  return answersWordQuery(intQueryOf(query), (number) => own.includes(number));
}
const answeredBy = (query: string, array: ArrayValue): boolean => answers(array, query);

export const INTARRAY: FunctionModule = {
  functions: [
    scalar('icount', ['_int4'], 'int4', 'How many elements', count),
    scalar('sort', ['_int4', 'text'], '_int4', 'The elements in order, `asc` or `desc`', sortedAs),
    scalar('sort', ['_int4'], '_int4', 'The elements in order', (array: ArrayValue) => sorted(array)),
    scalar('sort_asc', ['_int4'], '_int4', 'The elements in order', (array: ArrayValue) => sorted(array)),
    scalar('sort_desc', ['_int4'], '_int4', 'The elements in order, the greatest first', (array: ArrayValue) => sorted(array, true)),
    scalar('uniq', ['_int4'], '_int4', 'Without neighbours that are alike', unique),
    scalar('idx', ['_int4', 'int4'], 'int4', 'Position of an element, 0 where there is none', position),
    scalar('subarray', ['_int4', 'int4', 'int4'], '_int4', 'A number of elements from a position on', part),
    scalar('subarray', ['_int4', 'int4'], '_int4', 'The elements from a position on', part),
    scalar('intset', ['int4'], '_int4', 'An array of one element', (value: number) => new ArrayValue([value])),
    scalar('boolop', ['_int4', 'query_int'], 'bool', 'Whether the elements are such as a query asks for', answers),
    scalar('rboolop', ['query_int', '_int4'], 'bool', 'Whether the elements are such as a query asks for', answeredBy),
  ],
  operators: [
    op('@@', '_int4', 'query_int', 'bool', 'boolop', answers, { commutator: '~~' }),
    op('~~', 'query_int', '_int4', 'bool', 'rboolop', answeredBy, { commutator: '@@' }),
    op('#', null, '_int4', 'int4', 'icount', count),
    op('#', '_int4', 'int4', 'int4', 'idx', position),
    op('+', '_int4', 'int4', '_int4', 'intarray_push_elem', added),
    op('+', '_int4', '_int4', '_int4', 'intarray_push_array', both),
    op('-', '_int4', 'int4', '_int4', 'intarray_del_elem', withoutOne),
    op('|', '_int4', 'int4', '_int4', 'intset_union_elem', unionOne),
    op('|', '_int4', '_int4', '_int4', '_int_union', union),
    op('-', '_int4', '_int4', '_int4', 'intset_subtract', without),
    op('&', '_int4', '_int4', '_int4', '_int_inter', common),
  ],
};
