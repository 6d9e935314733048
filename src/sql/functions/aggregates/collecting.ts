/** string_agg and array_agg. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type FunctionModule } from '../define.ts';

class Joined {
  any = false;
  text = '';
}

function joined(type: string): AggregateFunction<Joined> {
  return defineAggregate<Joined>({
    name: 'string_agg',
    args: [type, type],
    argNames: ['value', 'delimiter'],
    returns: type,
    doc: 'The values that are not null, joined, each but the first behind its delimiter.',
    init: () => new Joined(),
    step: (state, value: string | null, delimiter: string | null) => {
      if (value === null) return state;
      state.text += state.any && delimiter !== null ? delimiter + value : value;
      state.any = true;
      return state;
    },
    finish: (state) => (state.any ? state.text : null),
  });
}

class Arrays {
  elements: Value[] = [];
  count = 0;
  shape: ArrayValue | null = null;
}

function addArray(state: Arrays, array: ArrayValue | null): Arrays {
  if (array === null) throw new SvcError('22004', 'cannot accumulate null arrays');
  if (array.lengths.length === 0) throw new SvcError('2202E', 'cannot accumulate empty arrays');
  const { shape } = state;
  if (shape === null) state.shape = array;
  else if (shape.lengths.join() !== array.lengths.join() || shape.lowers.join() !== array.lowers.join()) {
    throw new SvcError('2202E', 'cannot accumulate arrays of different dimensionality');
  }
  for (const element of array.elements) state.elements.push(element);
  state.count++;
  return state;
}

export const collectingAggregates: FunctionModule = {
  functions: [
    joined('text'),
    joined('bytea'),
    defineAggregate<Value[]>({
      name: 'array_agg',
      args: ['anynonarray'],
      returns: 'anyarray',
      doc: 'The values, nulls too, as an array.',
      init: () => [],
      step: (state, value: Value) => {
        state.push(value);
        return state;
      },
      // A copy: over a window the state goes on.
      finish: (state) => (state.length === 0 ? null : new ArrayValue(state.slice())),
    }),
    defineAggregate<Arrays>({
      name: 'array_agg',
      args: ['anyarray'],
      returns: 'anyarray',
      doc: 'The arrays, all of one shape, as an array of one more dimension.',
      init: () => new Arrays(),
      step: addArray,
      finish: ({ shape, count, elements }) => (shape === null ? null : new ArrayValue(elements.slice(), [count, ...shape.lengths], [1, ...shape.lowers])),
    }),
  ],
};
