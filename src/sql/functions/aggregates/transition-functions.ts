/**
 * The functions that Postgres makes its own aggregates of and that SQL may call: `CREATE AGGREGATE` names them. Those
 * whose state is `internal` are left out: nothing in SQL can hold it.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { compareFloats } from '../../types/floats.ts';
import { compare as compareNumerics, div, Numeric } from '../../types/numeric.ts';
import { compareText } from '../../types/text-order.ts';
import type { Value, Whole } from '../../types/value.ts';
import { addInt8, addWhole } from '../../types/whole.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
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

/** `{count, sum}`. */
function pair(state: ArrayValue): readonly [Whole, Whole] {
  if (state.elements.length !== 2) throw new SvcError('XX000', 'expected 2-element int8 array');
  return [state.elements[0] as Whole, state.elements[1] as Whole];
}

function accumulate(state: ArrayValue, value: Whole): ArrayValue {
  const [count, sum] = pair(state);
  return new ArrayValue([addInt8(count, 1), addInt8(sum, value)]);
}

function average(state: ArrayValue): Numeric | null {
  const [count, sum] = pair(state);
  return count === 0 ? null : div(new Numeric(sum, 0), new Numeric(count, 0));
}

/** `{count, sum, sum of squares of differences}`, by Youngs and Cramer. */
function floatAccumulate(state: ArrayValue, value: number): ArrayValue {
  const [n, sum, squares] = triple(state);
  const count = n + 1;
  const total = sum + value;
  if (n === 0) return new ArrayValue([count, total, Number.isFinite(value) ? 0 : NaN]);
  const difference = value * count - total;
  const own = squares + (difference * difference) / (count * n);
  return new ArrayValue([count, total, own]);
}

function triple(state: ArrayValue): readonly [number, number, number] {
  if (state.elements.length !== 3) throw new SvcError('XX000', 'float8_accum: expected 3-element float8 array');
  return state.elements as readonly Value[] as readonly [number, number, number];
}

function moment(name: string, doc: string, least: number, finish: (n: number, sum: number, squares: number) => number): ScalarFunction {
  return scalar(name, ['_float8'], 'float8', doc, (state: ArrayValue) => {
    const [n, sum, squares] = triple(state);
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
        value === null ? sum : sum === null ? value : addWhole(sum, value),
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
