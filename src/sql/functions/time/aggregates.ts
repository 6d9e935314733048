/** `min` and `max` over dates, times and intervals; `sum` and `avg` of intervals. */
import type { Interval } from '../../types/interval.ts';
import { addIntervals, divideInterval, subtractIntervals } from '../../types/time/interval-arithmetic.ts';
import {
  compareIntervals,
  intervalOf,
  intervalOutOfRange,
  isInfiniteInterval,
  isPositiveInfinity,
  NEGATIVE_INFINITY,
  POSITIVE_INFINITY,
} from '../../types/time/interval-value.ts';
import { compareTimeTz } from '../../types/time/timetz-type.ts';
import type { TimeTz } from '../../types/timetz.ts';
import type { Value, Whole } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type FunctionModule } from '../define.ts';

/** Of equal values the last one is kept, as in Postgres: `1 day` and `24:00` are equal. */
function extreme<T extends Value>(name: 'min' | 'max', type: string, first: (a: T, b: T) => boolean): AggregateFunction<T | null> {
  return defineAggregate<T | null>({
    name,
    args: [type],
    returns: type,
    strict: true,
    doc: name === 'min' ? 'The smallest value.' : 'The largest value.',
    init: () => null,
    step: (state, value: T) => (state !== null && first(state, value) ? state : value),
    finish: (state) => state,
  });
}

function extremes<T extends Value>(type: string, less: (a: T, b: T) => boolean): AggregateFunction<T | null>[] {
  return [extreme<T>('min', type, less), extreme<T>('max', type, (a, b) => less(b, a))];
}

interface IntervalSum {
  /** Number of finite ones. */
  count: number;
  sum: Interval;
  positive: number;
  negative: number;
}

const ZERO = intervalOf(0, 0, 0);

function addTo(state: IntervalSum, span: Interval): IntervalSum {
  if (isInfiniteInterval(span)) {
    if (isPositiveInfinity(span)) state.positive++;
    else state.negative++;
  } else {
    state.sum = addIntervals(state.sum, span);
    state.count++;
  }
  return state;
}

function removeFrom(state: IntervalSum, span: Interval): IntervalSum {
  if (isInfiniteInterval(span)) {
    if (isPositiveInfinity(span)) state.positive--;
    else state.negative--;
  } else {
    state.sum = state.count === 1 ? ZERO : subtractIntervals(state.sum, span);
    state.count--;
  }
  return state;
}

function total(state: IntervalSum, ofFinite: (state: IntervalSum) => Interval): Interval | null {
  if (state.positive > 0 && state.negative > 0) throw intervalOutOfRange();
  if (state.positive > 0) return POSITIVE_INFINITY;
  if (state.negative > 0) return NEGATIVE_INFINITY;
  return state.count === 0 ? null : ofFinite(state);
}

function overIntervals(name: 'sum' | 'avg', doc: string, ofFinite: (state: IntervalSum) => Interval): AggregateFunction<IntervalSum> {
  return defineAggregate<IntervalSum>({
    name,
    args: ['interval'],
    returns: 'interval',
    strict: true,
    doc,
    init: () => ({ count: 0, sum: ZERO, positive: 0, negative: 0 }),
    step: addTo,
    inverse: removeFrom,
    finish: (state) => total(state, ofFinite),
  });
}

const lessWhole = (a: Whole, b: Whole): boolean => a < b;

export const timeAggregates: FunctionModule = {
  functions: [
    ...extremes<Whole>('date', lessWhole),
    ...extremes<Whole>('time', lessWhole),
    ...extremes<Whole>('timestamp', lessWhole),
    ...extremes<Whole>('timestamptz', lessWhole),
    ...extremes<TimeTz>('timetz', (a, b) => compareTimeTz(a, b) < 0),
    ...extremes<Interval>('interval', (a, b) => compareIntervals(a, b) < 0),
    overIntervals('sum', 'Sum of all intervals.', (state) => state.sum),
    overIntervals('avg', 'Sum of all intervals divided by their number.', (state) => divideInterval(state.sum, state.count)),
  ],
};
