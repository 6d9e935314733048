/** string_agg and array_agg. */
import { ArrayValue } from '../../types/array-value.ts';
import { StackedArrays } from '../../types/stacked-arrays.ts';
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
      // A copy: over a window the state continues.
      finish: (state) => (state.length === 0 ? null : new ArrayValue(state.slice())),
    }),
    defineAggregate<StackedArrays>({
      name: 'array_agg',
      args: ['anyarray'],
      returns: 'anyarray',
      doc: 'The arrays, all of one shape, as an array of one more dimension.',
      init: () => new StackedArrays(),
      step: (state, array: ArrayValue | null) => {
        state.add(array);
        return state;
      },
      finish: (state) => state.finish(),
    }),
  ],
};
