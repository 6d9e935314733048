/** Comparison of arrays: order, containment, overlap. Manual, section 9.19. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { compareArrays, equalArrays } from '../../types/array-type.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SqlOperator } from '../define.ts';

/** From this many pairs on a table of hash keys is cheaper than comparing each with each. */
const PAIRS_MAX = 64;

/** The element type, which must have equality. */
export function comparable(element: SqlType): SqlType {
  if (!element.ordered && !element.hashable) throw new SvcError('42883', `could not identify an equality operator for type ${element.title}`);
  return element;
}

function ordered(element: SqlType): SqlType {
  if (!element.ordered) throw new SvcError('42883', `could not identify a comparison function for type ${element.title}`);
  return element;
}

function elementOf(call: Call): SqlType {
  return call.argTypes[0].element!;
}

/** Whether a non-null value is an element of the array. */
function lookup(array: ArrayValue, element: SqlType, times: number): (value: Value) => boolean {
  const { elements } = array;
  if (element.hashable && elements.length * times > PAIRS_MAX) {
    const keys = new Set<unknown>();
    for (const value of elements) if (value !== null) keys.add(element.hashKey(value));
    return (value) => keys.has(element.hashKey(value));
  }
  return (value) => {
    for (const other of elements) if (other !== null && element.compare(value, other) === 0) return true;
    return false;
  };
}

/** Whether each element of `inner` equals one of `outer`; a null equals nothing. */
function arrayContains(outer: ArrayValue, inner: ArrayValue, element: SqlType): boolean {
  comparable(element);
  if (inner.elements.includes(null)) return false;
  const has = lookup(outer, element, inner.elements.length);
  for (const value of inner.elements) if (!has(value)) return false;
  return true;
}

/** Whether the two share a non-null element. */
function arrayOverlaps(a: ArrayValue, b: ArrayValue, element: SqlType): boolean {
  comparable(element);
  const has = lookup(b, element, a.elements.length);
  for (const value of a.elements) if (value !== null && has(value)) return true;
  return false;
}

const ORDER: readonly (readonly [string, string, string, string, (call: Call, a: ArrayValue, b: ArrayValue) => boolean])[] = [
  ['=', 'array_eq', '=', '<>', (call, a, b) => equalArrays(a, b, comparable(elementOf(call)))],
  ['<>', 'array_ne', '<>', '=', (call, a, b) => !equalArrays(a, b, comparable(elementOf(call)))],
  ['<', 'array_lt', '>', '>=', (call, a, b) => compareArrays(a, b, ordered(elementOf(call))) < 0],
  ['>', 'array_gt', '<', '<=', (call, a, b) => compareArrays(a, b, ordered(elementOf(call))) > 0],
  ['<=', 'array_le', '>=', '>', (call, a, b) => compareArrays(a, b, ordered(elementOf(call))) <= 0],
  ['>=', 'array_ge', '<=', '<', (call, a, b) => compareArrays(a, b, ordered(elementOf(call))) >= 0],
];

const common = { left: 'anyarray', right: 'anyarray', returns: 'bool', needsCall: true } as const;

const OPERATORS: readonly SqlOperator[] = [
  ...ORDER.map(([name, proc, commutator, negator, impl]): SqlOperator => ({ ...common, name, proc, commutator, negator, impl })),
  {
    ...common,
    name: '@>',
    proc: 'arraycontains',
    commutator: '<@',
    impl: (call: Call, a: ArrayValue, b: ArrayValue) => arrayContains(a, b, elementOf(call)),
  },
  {
    ...common,
    name: '<@',
    proc: 'arraycontained',
    commutator: '@>',
    impl: (call: Call, a: ArrayValue, b: ArrayValue) => arrayContains(b, a, elementOf(call)),
  },
  {
    ...common,
    name: '&&',
    proc: 'arrayoverlap',
    commutator: '&&',
    impl: (call: Call, a: ArrayValue, b: ArrayValue) => arrayOverlaps(a, b, elementOf(call)),
  },
];

export const ARRAY_COMPARE: FunctionModule = {
  operators: OPERATORS,
  functions: [
    ...OPERATORS.map(({ proc, impl, name }): ScalarFunction => ({
      kind: 'scalar',
      name: proc,
      args: ['anyarray', 'anyarray'],
      returns: 'bool',
      needsCall: true,
      doc: `What the operator ${name} calls.`,
      impl,
    })),
    {
      kind: 'scalar',
      name: 'array_larger',
      args: ['anyarray', 'anyarray'],
      returns: 'anyarray',
      needsCall: true,
      doc: 'The greater of two arrays.',
      impl: (call: Call, a: ArrayValue, b: ArrayValue) => (compareArrays(a, b, ordered(elementOf(call))) > 0 ? a : b),
    },
    {
      kind: 'scalar',
      name: 'array_smaller',
      args: ['anyarray', 'anyarray'],
      returns: 'anyarray',
      needsCall: true,
      doc: 'The lesser of two arrays.',
      impl: (call: Call, a: ArrayValue, b: ArrayValue) => (compareArrays(a, b, ordered(elementOf(call))) < 0 ? a : b),
    },
    {
      kind: 'scalar',
      name: 'btarraycmp',
      args: ['anyarray', 'anyarray'],
      returns: 'int4',
      needsCall: true,
      doc: 'Order of two arrays: -1, 0 or 1.',
      impl: (call: Call, a: ArrayValue, b: ArrayValue) => compareArrays(a, b, ordered(elementOf(call))),
    },
  ],
};
