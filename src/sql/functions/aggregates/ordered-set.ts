/** Ordered-set aggregates: percentiles and mode. Their rows arrive sorted. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { formatPrecision } from '../../types/float-text.ts';
import type { Interval } from '../../types/interval.ts';
import { addIntervals, multiplyInterval, subtractIntervals } from '../../types/time/interval-arithmetic.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import { defineAggregate, type AggregateFunction, type Call, type FunctionModule } from '../define.ts';

function checkFraction(fraction: number): void {
  if (fraction >= 0 && fraction <= 1) return;
  const shown = Number.isFinite(fraction) ? formatPrecision(fraction, 6) : Number.isNaN(fraction) ? 'NaN' : fraction > 0 ? 'Infinity' : '-Infinity';
  throw new SvcError('22003', `percentile value ${shown} is not between 0 and 1`);
}

/** Between the two rows beside the fraction. */
function continuous(values: readonly number[], fraction: number): number {
  checkFraction(fraction);
  const place = fraction * (values.length - 1);
  const below = Math.floor(place);
  const low = values[below] as number;
  const above = Math.ceil(place);
  return above === below ? low : low + (place - below) * ((values[above] as number) - low);
}

function continuousInterval(values: readonly Interval[], fraction: number): Interval {
  checkFraction(fraction);
  const place = fraction * (values.length - 1);
  const below = Math.floor(place);
  const low = values[below];
  const above = Math.ceil(place);
  return above === below ? low : addIntervals(multiplyInterval(subtractIntervals(values[above], low), place - below), low);
}

/** The first row at or after the fraction. */
function discrete(values: readonly Value[], fraction: number): Value {
  checkFraction(fraction);
  return values[Math.max(Math.ceil(fraction * values.length), 1) - 1] as Value;
}

type Pick = (values: never[], fraction: number) => Value;

function finishOne(pick: Pick): (values: Value[], fraction: number | null) => Value {
  return (values, fraction) => {
    if (fraction === null) return null;
    checkFraction(fraction);
    return values.length === 0 ? null : pick(values as never[], fraction);
  };
}

/** An array of fractions gives an array of its shape. */
function finishMany(pick: Pick): (values: Value[], fractions: ArrayValue | null) => Value {
  return (values, fractions) => {
    if (fractions === null || values.length === 0) return null;
    for (const fraction of fractions.elements) if (fraction !== null) checkFraction(fraction as number);
    const picked = fractions.elements.map((fraction) => (fraction === null ? null : pick(values as never[], fraction as number)));
    return new ArrayValue(picked, fractions.lengths, fractions.lowers);
  };
}

function percentile(
  name: string,
  args: readonly string[],
  returns: string,
  doc: string,
  finish: AggregateFunction<Value[]>['finish'],
): AggregateFunction<Value[]> {
  return defineAggregate<Value[]>({
    name,
    args,
    returns,
    orderedSet: { directArgs: 1 },
    strict: true,
    doc,
    init: () => [],
    step: (state, value: Value) => {
      if (value !== null) state.push(value);
      return state;
    },
    finish,
  });
}

class Mode {
  best: Value = null;
  bestCount = 0;
  current: Value = null;
  count = 0;
  readonly compare: (a: Value, b: Value) => number;

  constructor(call: Call) {
    this.compare = (call.argTypes[0] as SqlType).compare;
  }
}

function addMode(state: Mode, value: Value): Mode {
  if (value === null) return state;
  if (state.current === null || state.compare(state.current, value) !== 0) {
    state.current = value;
    state.count = 0;
  }
  if (++state.count > state.bestCount) {
    state.best = state.current;
    state.bestCount = state.count;
  }
  return state;
}

const CONTINUOUS = 'The value at a fraction of the order, between two rows where it must.';
const DISCRETE = 'The first value at or behind a fraction of the order.';

export const orderedSetAggregates: FunctionModule = {
  functions: [
    percentile('percentile_cont', ['float8', 'float8'], 'float8', CONTINUOUS, finishOne(continuous)),
    percentile('percentile_cont', ['_float8', 'float8'], '_float8', CONTINUOUS, finishMany(continuous)),
    percentile('percentile_cont', ['float8', 'interval'], 'interval', CONTINUOUS, finishOne(continuousInterval)),
    percentile('percentile_cont', ['_float8', 'interval'], '_interval', CONTINUOUS, finishMany(continuousInterval)),
    percentile('percentile_disc', ['float8', 'anyelement'], 'anyelement', DISCRETE, finishOne(discrete)),
    percentile('percentile_disc', ['_float8', 'anyelement'], 'anyarray', DISCRETE, finishMany(discrete)),
    defineAggregate<Mode>({
      name: 'mode',
      args: ['anyelement'],
      returns: 'anyelement',
      orderedSet: { directArgs: 0 },
      strict: true,
      doc: 'The most frequent value, the first of several.',
      init: (call) => new Mode(call),
      step: addMode,
      finish: (state) => state.best,
    }),
  ],
};
