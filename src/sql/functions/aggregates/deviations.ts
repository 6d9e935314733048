/** variance and stddev of numbers, of samples and populations. */
import { defineAggregate, type AggregateFunction, type FunctionModule, type SqlFunction } from '../define.ts';
import { FloatMoments, addFloat } from './float-moments.ts';
import { NumericSum, addInteger, addNumeric, deviationOf, removeInteger, removeNumeric } from './numeric-sum.ts';

function exact(name: string, type: string, sample: boolean, root: boolean, doc: string): AggregateFunction<NumericSum> {
  return defineAggregate<NumericSum>({
    name,
    args: [type],
    returns: 'numeric',
    strict: true,
    doc,
    init: () => new NumericSum(true),
    step: type === 'numeric' ? addNumeric : addInteger,
    inverse: type === 'numeric' ? removeNumeric : removeInteger,
    finish: (state) => deviationOf(state, sample, root),
  });
}

function floating(name: string, type: string, sample: boolean, root: boolean, doc: string): AggregateFunction<FloatMoments> {
  return defineAggregate<FloatMoments>({
    name,
    args: [type],
    returns: 'float8',
    strict: true,
    doc,
    init: () => new FloatMoments(),
    step: addFloat,
    finish: (state) => {
      const divisor = sample ? state.count - 1 : state.count;
      if (divisor <= 0) return null;
      const variance = state.squares / divisor;
      return root ? Math.sqrt(variance) : variance;
    },
  });
}

const NAMES: readonly (readonly [name: string, sample: boolean, root: boolean, doc: string])[] = [
  ['variance', true, false, 'Variance of a sample.'],
  ['var_samp', true, false, 'Variance of a sample.'],
  ['var_pop', false, false, 'Variance of a population.'],
  ['stddev', true, true, 'Standard deviation of a sample.'],
  ['stddev_samp', true, true, 'Standard deviation of a sample.'],
  ['stddev_pop', false, true, 'Standard deviation of a population.'],
];

export const deviationAggregates: FunctionModule = {
  functions: NAMES.flatMap(([name, sample, root, doc]): SqlFunction[] => [
    ...['int2', 'int4', 'int8', 'numeric'].map((type) => exact(name, type, sample, root, doc)),
    ...['float4', 'float8'].map((type) => floating(name, type, sample, root, doc)),
  ]),
};
