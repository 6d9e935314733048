/** bool_and, bool_or, every, bit_and, bit_or and bit_xor. */
import type { Whole } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type FunctionModule } from '../define.ts';
import { int8and, int8or, int8xor } from '../numeric/integer-arithmetic.ts';

class Truths {
  count = 0;
  trues = 0;
}

function truths(name: string, doc: string, finish: (state: Truths) => boolean): AggregateFunction<Truths> {
  return defineAggregate<Truths>({
    name,
    args: ['bool'],
    returns: 'bool',
    strict: true,
    doc,
    init: () => new Truths(),
    step: (state, value: boolean) => {
      state.count++;
      if (value) state.trues++;
      return state;
    },
    inverse: (state, value: boolean) => {
      state.count--;
      if (value) state.trues--;
      return state;
    },
    finish: (state) => (state.count === 0 ? null : finish(state)),
  });
}

class Bits {
  value: Whole | null = null;
}

function bits(name: string, doc: string, combine: (a: Whole, b: Whole) => Whole): AggregateFunction<Bits>[] {
  return ['int2', 'int4', 'int8'].map((type) =>
    defineAggregate<Bits>({
      name,
      args: [type],
      returns: type,
      strict: true,
      doc,
      init: () => new Bits(),
      step: (state, value: Whole) => {
        state.value = state.value === null ? value : combine(state.value, value);
        return state;
      },
      finish: (state) => state.value,
    }),
  );
}

const ALL = 'Whether all values that are not null are true.';

export const logicAggregates: FunctionModule = {
  functions: [
    truths('bool_and', ALL, (state) => state.trues === state.count),
    truths('every', ALL, (state) => state.trues === state.count),
    truths('bool_or', 'Whether any value is true.', (state) => state.trues > 0),
    ...bits('bit_and', 'The values joined by bitwise and.', int8and),
    ...bits('bit_or', 'The values joined by bitwise or.', int8or),
    ...bits('bit_xor', 'The values joined by bitwise exclusive or.', int8xor),
  ],
};
