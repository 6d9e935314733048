/** sum and avg of numbers. */
import { INT8_MAX, INT8_MIN } from '../../types/whole.ts';
import type { Whole } from '../../types/value.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { defineAggregate, type AggregateFunction, type FunctionModule } from '../define.ts';
import { float4pl, float8pl } from '../numeric/float-arithmetic.ts';
import { FloatMoments, addFloat } from './float-moments.ts';
import { NumericSum, addInteger, addNumeric, averageOf, removeInteger, removeNumeric, sumOf } from './numeric-sum.ts';

const SUM = 'Sum of the values that are not null.';
const AVERAGE = 'Average of the values that are not null.';

/** The sum of small integers, which must fit an int8. */
function sumToInt8(state: NumericSum): Whole | null {
  if (state.finite === 0) return null;
  if (state.sum > INT8_MAX || state.sum < INT8_MIN) throw new SvcError('22003', 'bigint out of range');
  return state.sum;
}

function integers(name: string, type: string, returns: string, finish: AggregateFunction<NumericSum>['finish'], doc: string): AggregateFunction<NumericSum> {
  return defineAggregate<NumericSum>({
    name,
    args: [type],
    returns,
    strict: true,
    doc,
    init: () => new NumericSum(false),
    step: addInteger,
    inverse: removeInteger,
    finish,
  });
}

function numerics(name: string, finish: AggregateFunction<NumericSum>['finish'], doc: string): AggregateFunction<NumericSum> {
  return defineAggregate<NumericSum>({
    name,
    args: ['numeric'],
    returns: 'numeric',
    strict: true,
    doc,
    init: () => new NumericSum(false),
    step: addNumeric,
    inverse: removeNumeric,
    finish,
  });
}

class FloatSum {
  any = false;
  sum = 0;
}

function floats(type: string, plus: (a: number, b: number) => number): AggregateFunction<FloatSum> {
  return defineAggregate<FloatSum>({
    name: 'sum',
    args: [type],
    returns: type,
    strict: true,
    doc: SUM,
    init: () => new FloatSum(),
    step: (state, value: number) => {
      state.sum = state.any ? plus(state.sum, value) : value;
      state.any = true;
      return state;
    },
    finish: (state) => (state.any ? state.sum : null),
  });
}

function averages(type: string): AggregateFunction<FloatMoments> {
  return defineAggregate<FloatMoments>({
    name: 'avg',
    args: [type],
    returns: 'float8',
    strict: true,
    doc: AVERAGE,
    init: () => new FloatMoments(),
    step: addFloat,
    finish: (state) => (state.count === 0 ? null : state.sum / state.count),
  });
}

export const sumAggregates: FunctionModule = {
  functions: [
    integers('sum', 'int2', 'int8', sumToInt8, SUM),
    integers('sum', 'int4', 'int8', sumToInt8, SUM),
    integers('sum', 'int8', 'numeric', sumOf, SUM),
    numerics('sum', sumOf, SUM),
    floats('float4', float4pl),
    floats('float8', float8pl),
    integers('avg', 'int2', 'numeric', averageOf, AVERAGE),
    integers('avg', 'int4', 'numeric', averageOf, AVERAGE),
    integers('avg', 'int8', 'numeric', averageOf, AVERAGE),
    numerics('avg', averageOf, AVERAGE),
    averages('float4'),
    averages('float8'),
  ],
};
