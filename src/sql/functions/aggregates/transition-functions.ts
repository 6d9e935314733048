/**
 * Transition functions of Postgres's own aggregates that SQL may call, for use in `CREATE AGGREGATE`. Those with a state of type
 * `internal` are left out: SQL cannot represent it.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { compareFloats } from '../../types/floats.ts';
import { Interval } from '../../types/interval.ts';
import { add as addNumerics, compare as compareNumerics, div, Numeric } from '../../types/numeric.ts';
import { compareText } from '../../types/text-order.ts';
import { addIntervals, divideInterval, negateInterval } from '../../types/time/interval-arithmetic.ts';
import { type Value, type Whole, whole } from '../../types/value.ts';
import { addInt8, addWhole } from '../../types/whole.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { floatOverflow, isInfinite } from '../numeric/float-arithmetic.ts';
import { addPair, PairMoments } from './float-moments.ts';
import { correlation, determination } from './regression.ts';
import { scalar } from '../text/declare.ts';

type Order = (a: never, b: never) => number;

const plain = (a: number | string, b: number | string): number => (a < b ? -1 : a > b ? 1 : 0);

function extremes(stem: string, type: string, order: Order): ScalarFunction[] {
  const compare = order as (a: Value, b: Value) => number;
  return [
    scalar(`${stem}larger`, [type, type], type, 'The greater of two values.', (a: Value, b: Value) => (compare(a, b) > 0 ? a : b)),
    scalar(`${stem}smaller`, [type, type], type, 'The lesser of two values.', (a: Value, b: Value) => (compare(a, b) < 0 ? a : b)),
  ];
}

/** Any caller may pass any array: an invalid argument, not a server error. The code is Postgres's. */
function wrongState(message: string): SvcError {
  return new SvcError('XX000', message);
}

/** `{count, sum}`. */
function pair({ elements, lengths }: ArrayValue): readonly [Whole, Whole] {
  if (elements.length !== 2 || lengths.length !== 1 || elements.includes(null)) throw wrongState('expected 2-element int8 array');
  return elements as readonly Value[] as readonly [Whole, Whole];
}

function accumulate(state: ArrayValue, value: Whole): ArrayValue {
  const [count, sum] = pair(state);
  return new ArrayValue([addInt8(count, 1), addInt8(sum, value)]);
}

function reduce(state: ArrayValue, value: number): ArrayValue {
  const [count, sum] = pair(state);
  return new ArrayValue([addInt8(count, -1), addInt8(sum, -value)]);
}

function average(state: ArrayValue): Numeric | null {
  const [count, sum] = pair(state);
  return count === 0 ? null : div(new Numeric(sum, 0), new Numeric(count, 0));
}

/** `{count, sum, sum of squares of differences}`, by Youngs and Cramer. */
function floatAccumulate(state: ArrayValue, value: number): ArrayValue {
  const [n, sum, squares] = numbersOf('float8_accum', 3, state);
  const count = n + 1;
  const total = sum + value;
  // For the first value the existing squares are kept.
  if (n === 0) return new ArrayValue([count, total, Number.isFinite(value) ? squares : NaN]);
  const difference = value * count - total;
  const own = squares + (difference * difference) / (count * n);
  if (!isInfinite(total) && !isInfinite(own)) return new ArrayValue([count, total, own]);
  if (!isInfinite(sum) && !isInfinite(value)) floatOverflow();
  return new ArrayValue([count, total, NaN]);
}

function numbersOf(name: string, count: number, { elements, lengths }: ArrayValue): readonly number[] {
  if (elements.length !== count || lengths.length !== 1 || elements.includes(null)) {
    throw wrongState(`${name}: expected ${count}-element float8 array`);
  }
  return elements as readonly Value[] as readonly number[];
}

/** `{count, sum x, squares x, sum y, squares y, products}`. */
function pairsOf(name: string, state: ArrayValue): PairMoments {
  const moments = new PairMoments();
  [moments.count, moments.sumX, moments.squaresX, moments.sumY, moments.squaresY, moments.products] = numbersOf(name, 6, state);
  return moments;
}

function arrayOfPairs({ count, sumX, squaresX, sumY, squaresY, products }: PairMoments): ArrayValue {
  return new ArrayValue([count, sumX, squaresX, sumY, squaresY, products]);
}

function pairMoment(name: string, doc: string, least: number, finish: (state: PairMoments) => number | null): ScalarFunction {
  return scalar(name, ['_float8'], 'float8', doc, (state: ArrayValue) => {
    const moments = pairsOf(name, state);
    return moments.count < least ? null : finish(moments);
  });
}

/** Two sums and their squares as one (Chan, Golub and LeVeque). */
function combined(n1: number, s1: number, q1: number, n2: number, s2: number, q2: number): readonly [number, number, number] {
  if (n1 === 0) return [n2, s2, q2];
  if (n2 === 0) return [n1, s1, q1];
  const n = n1 + n2;
  const difference = s1 / n1 - s2 / n2;
  const squares = q1 + q2 + (n1 * n2 * difference * difference) / n;
  if (isInfinite(squares) && !isInfinite(q1) && !isInfinite(q2)) floatOverflow();
  return [n, s1 + s2, squares];
}

function combineFloats(a: ArrayValue, b: ArrayValue): ArrayValue {
  const [n1, s1, q1] = numbersOf('float8_combine', 3, a);
  const [n2, s2, q2] = numbersOf('float8_combine', 3, b);
  return new ArrayValue([...combined(n1, s1, q1, n2, s2, q2)]);
}

function combinePairs(left: ArrayValue, right: ArrayValue): ArrayValue {
  const a = pairsOf('float8_regr_combine', left);
  const b = pairsOf('float8_regr_combine', right);
  if (a.count === 0) return arrayOfPairs(b);
  if (b.count === 0) return arrayOfPairs(a);
  const [count, sumX, squaresX] = combined(a.count, a.sumX, a.squaresX, b.count, b.sumX, b.squaresX);
  const [, sumY, squaresY] = combined(a.count, a.sumY, a.squaresY, b.count, b.sumY, b.squaresY);
  const differenceX = a.sumX / a.count - b.sumX / b.count;
  const differenceY = a.sumY / a.count - b.sumY / b.count;
  const products = a.products + b.products + (a.count * b.count * differenceX * differenceY) / count;
  return new ArrayValue([count, sumX, squaresX, sumY, squaresY, products]);
}

/** `{sum, count}` of intervals. */
function intervalsOf({ elements }: ArrayValue): readonly [Interval, Interval] {
  if (elements.length !== 2 || elements.includes(null)) throw wrongState('expected 2-element interval array');
  return elements as readonly Value[] as readonly [Interval, Interval];
}

function intervalStep(by: 1 | -1): (state: ArrayValue, value: Interval) => ArrayValue {
  return (state, value) => {
    const [sum, count] = intervalsOf(state);
    const total = by === 1 ? addIntervals(sum, value) : addIntervals(sum, negateInterval(value));
    return new ArrayValue([total, new Interval(count.months, count.days, addWhole(count.micros, by))]);
  };
}

function moment(name: string, doc: string, least: number, finish: (n: number, sum: number, squares: number) => number): ScalarFunction {
  return scalar(name, ['_float8'], 'float8', doc, (state: ArrayValue) => {
    const [n, sum, squares] = numbersOf(name, 3, state);
    return n < least ? null : finish(n, sum, squares);
  });
}

const SUM = 'Adds to a sum that may be null yet.';

export const transitionFunctions: FunctionModule = {
  functions: [
    scalar('int8inc', ['int8'], 'int8', 'One more.', (a: Whole) => addInt8(a, 1)),
    scalar('int8dec', ['int8'], 'int8', 'One less.', (a: Whole) => addInt8(a, -1)),
    scalar('int8inc_any', ['int8', 'any'], 'int8', 'One more for a value that is not null.', (a: Whole) => addInt8(a, 1)),
    scalar('int2_avg_accum', ['_int8', 'int2'], '_int8', 'Count and sum with one more value.', accumulate),
    scalar('int4_avg_accum', ['_int8', 'int4'], '_int8', 'Count and sum with one more value.', accumulate),
    scalar('int8_avg', ['_int8'], 'numeric', 'The average of a count and a sum.', average),
    ...['int2', 'int4'].map((type): ScalarFunction => ({
      ...scalar(`${type}_sum`, ['int8', type], 'int8', SUM, (sum: Whole | null, value: number | null) =>
        value === null ? sum : sum === null ? value : whole(BigInt.asIntN(64, BigInt(sum) + BigInt(value))),
      ),
      strict: false,
    })),
    scalar('float8_accum', ['_float8', 'float8'], '_float8', 'Count, sum and squares with one more value.', floatAccumulate),
    scalar('float4_accum', ['_float8', 'float4'], '_float8', 'Count, sum and squares with one more value.', floatAccumulate),
    moment('float8_avg', 'The average of what float8_accum has gathered.', 1, (n, sum) => sum / n),
    moment('float8_var_pop', 'The variance of what float8_accum has gathered.', 1, (n, _, squares) => squares / n),
    moment('float8_var_samp', 'The sample variance of what float8_accum has gathered.', 2, (n, _, squares) => squares / (n - 1)),
    moment('float8_stddev_pop', 'The deviation of what float8_accum has gathered.', 1, (n, _, squares) => Math.sqrt(squares / n)),
    moment('float8_stddev_samp', 'The sample deviation of what float8_accum has gathered.', 2, (n, _, squares) => Math.sqrt(squares / (n - 1))),
    scalar('booland_statefunc', ['bool', 'bool'], 'bool', 'Whether both are true.', (a: boolean, b: boolean) => a && b),
    scalar('boolor_statefunc', ['bool', 'bool'], 'bool', 'Whether one is true.', (a: boolean, b: boolean) => a || b),
    scalar('float8_combine', ['_float8', '_float8'], '_float8', 'Two states of float8_accum as one.', combineFloats),
    scalar(
      'float8_regr_accum',
      ['_float8', 'float8', 'float8'],
      '_float8',
      'Counts, sums and squares of pairs with one more pair.',
      (state: ArrayValue, y: number, x: number) => arrayOfPairs(addPair(pairsOf('float8_regr_accum', state), y, x)),
    ),
    scalar('float8_regr_combine', ['_float8', '_float8'], '_float8', 'Two states of float8_regr_accum as one.', combinePairs),
    pairMoment('float8_regr_sxx', 'What regr_sxx gives of a state.', 1, (state) => state.squaresX),
    pairMoment('float8_regr_syy', 'What regr_syy gives of a state.', 1, (state) => state.squaresY),
    pairMoment('float8_regr_sxy', 'What regr_sxy gives of a state.', 1, (state) => state.products),
    pairMoment('float8_regr_avgx', 'What regr_avgx gives of a state.', 1, (state) => state.sumX / state.count),
    pairMoment('float8_regr_avgy', 'What regr_avgy gives of a state.', 1, (state) => state.sumY / state.count),
    pairMoment('float8_regr_r2', 'What regr_r2 gives of a state.', 1, determination),
    pairMoment('float8_regr_slope', 'What regr_slope gives of a state.', 1, (state) => (state.squaresX === 0 ? null : state.products / state.squaresX)),
    pairMoment('float8_regr_intercept', 'What regr_intercept gives of a state.', 1, (state) =>
      state.squaresX === 0 ? null : (state.sumY - (state.sumX * state.products) / state.squaresX) / state.count,
    ),
    pairMoment('float8_covar_pop', 'What covar_pop gives of a state.', 1, (state) => state.products / state.count),
    pairMoment('float8_covar_samp', 'What covar_samp gives of a state.', 2, (state) => state.products / (state.count - 1)),
    pairMoment('float8_corr', 'What corr gives of a state.', 1, correlation),
    scalar('int2_avg_accum_inv', ['_int8', 'int2'], '_int8', 'Count and sum with one value less.', reduce),
    scalar('int4_avg_accum_inv', ['_int8', 'int4'], '_int8', 'Count and sum with one value less.', reduce),
    scalar('int4_avg_combine', ['_int8', '_int8'], '_int8', 'Two counts and sums as one.', (a: ArrayValue, b: ArrayValue) => {
      const [[n1, s1], [n2, s2]] = [pair(a), pair(b)];
      return new ArrayValue([addInt8(n1, n2), addInt8(s1, s2)]);
    }),
    scalar('int2int4_sum', ['_int8'], 'int8', 'The sum of a count and a sum.', (state: ArrayValue) => {
      const [count, sum] = pair(state);
      return count === 0 ? null : sum;
    }),
    {
      ...scalar('int8_sum', ['numeric', 'int8'], 'numeric', SUM, (sum: Numeric | null, value: Whole | null) =>
        value === null ? sum : sum === null ? new Numeric(value, 0) : addNumerics(sum, new Numeric(value, 0)),
      ),
      strict: false,
    },
    scalar('interval_accum', ['_interval', 'interval'], '_interval', 'Sum and count with one more interval.', intervalStep(1)),
    scalar('interval_accum_inv', ['_interval', 'interval'], '_interval', 'Sum and count with one interval less.', intervalStep(-1)),
    scalar('interval_combine', ['_interval', '_interval'], '_interval', 'Two sums and counts as one.', (a: ArrayValue, b: ArrayValue) => {
      const [[s1, n1], [s2, n2]] = [intervalsOf(a), intervalsOf(b)];
      return new ArrayValue([addIntervals(s1, s2), addIntervals(n1, n2)]);
    }),
    scalar('interval_avg', ['_interval'], 'interval', 'The average of a sum and a count.', (state: ArrayValue) => {
      const [sum, count] = intervalsOf(state);
      return count.micros === 0 ? null : divideInterval(sum, Number(count.micros));
    }),
    ...extremes('int2', 'int2', plain as Order),
    ...extremes('int4', 'int4', plain as Order),
    ...extremes('int8', 'int8', plain as Order),
    ...extremes('float4', 'float4', compareFloats as Order),
    ...extremes('float8', 'float8', compareFloats as Order),
    ...extremes('numeric_', 'numeric', compareNumerics as Order),
    ...extremes('text_', 'text', compareText as Order),
    ...extremes('date_', 'date', plain as Order),
    ...extremes('timestamp_', 'timestamp', plain as Order),
    ...extremes('timestamptz_', 'timestamptz', plain as Order),
    ...extremes('time_', 'time', plain as Order),
  ],
};
