/** Arrays as rows: unnest, generate_subscripts. Manual, sections 9.19 and 9.26. */
import type { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { FunctionModule } from '../define.ts';

function* subscripts(array: ArrayValue, dimension: number, reverse: boolean | undefined): Iterable<Value> {
  if (dimension < 1 || dimension > array.lengths.length) return;
  const first = array.lowers[dimension - 1];
  const last = first + array.lengths[dimension - 1] - 1;
  if (reverse === true) for (let i = last; i >= first; i--) yield i;
  else for (let i = first; i <= last; i++) yield i;
}

export const ARRAY_ROWS: FunctionModule = {
  functions: [
    {
      kind: 'set',
      name: 'unnest',
      args: ['anyarray'],
      returns: 'anyelement',
      doc: 'The elements of an array, one a row.',
      gives: 'list',
      impl: (array: ArrayValue) => array.elements,
    },
    {
      kind: 'set',
      name: 'generate_subscripts',
      args: ['anyarray', 'int4', 'bool'],
      optional: 1,
      returns: 'int4',
      doc: 'The subscripts of one dimension, one a row; backwards if the flag is true.',
      impl: subscripts,
    },
  ],
};
