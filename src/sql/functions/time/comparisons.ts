/** `= <> < <= > >=` over dates, times and intervals, also across date, timestamp and timestamptz. */
import type { Interval } from '../../types/interval.ts';
import { TIMESTAMP_END_DAY } from '../../types/time/calendar.ts';
import { linearMicros } from '../../types/time/interval-value.ts';
import { localToUtcUnchecked, timestampOfDateUnchecked } from '../../types/time/timestamp-arithmetic.ts';
import { compareTimeTz } from '../../types/time/timetz-type.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule, SqlOperator } from '../define.ts';

const SIGNS = [
  { name: '=', suffix: 'eq', commutator: '=', negator: '<>' },
  { name: '<>', suffix: 'ne', commutator: '<>', negator: '=' },
  { name: '<', suffix: 'lt', commutator: '>', negator: '>=' },
  { name: '<=', suffix: 'le', commutator: '>=', negator: '>' },
  { name: '>', suffix: 'gt', commutator: '<', negator: '<=' },
  { name: '>=', suffix: 'ge', commutator: '<=', negator: '<' },
] as const;

type Sign = (typeof SIGNS)[number]['name'];

function wholeComparison(sign: Sign): (a: Whole, b: Whole) => boolean {
  switch (sign) {
    case '=':
      return (a, b) => a === b;
    case '<>':
      return (a, b) => a !== b;
    case '<':
      return (a, b) => a < b;
    case '<=':
      return (a, b) => a <= b;
    case '>':
      return (a, b) => a > b;
    case '>=':
      return (a, b) => a >= b;
  }
}

type Impl = SqlOperator['impl'];

function sameType(type: string, make: (compare: (a: Whole, b: Whole) => boolean) => Impl): SqlOperator[] {
  return SIGNS.map(({ name, suffix, commutator, negator }) => ({
    name,
    left: type,
    right: type,
    returns: 'bool',
    proc: `${type}_${suffix}`,
    commutator,
    negator,
    impl: make(wholeComparison(name)),
  }));
}

/** Converts a value to microseconds comparable with the other side's. */
type Lift = (value: Whole, call: Call) => Whole;

const asIs: Lift = (value) => value;
const dateToLocal: Lift = (value) => timestampOfDateUnchecked(value as number);
const localToInstant: Lift = (value, call) => localToUtcUnchecked(value, sessionZone(call.env.timeZone));
/** A date beyond the range of timestamps is later than all of them in every zone. */
const dateToInstant: Lift = (value, call) =>
  value >= TIMESTAMP_END_DAY ? dateToLocal(value, call) : localToUtcUnchecked(dateToLocal(value, call), sessionZone(call.env.timeZone));

function acrossTypes(left: string, right: string, liftLeft: Lift, liftRight: Lift, zoned: boolean): SqlOperator[] {
  return SIGNS.map(({ name, suffix, commutator, negator }) => {
    const compare = wholeComparison(name);
    return {
      name,
      left,
      right,
      returns: 'bool',
      proc: `${left}_${suffix}_${right}`,
      commutator,
      negator,
      volatility: zoned ? 'stable' : 'immutable',
      needsCall: true,
      impl: (call: Call, a: Whole, b: Whole) => compare(liftLeft(a, call), liftRight(b, call)),
    };
  });
}

const plain = (compare: (a: Whole, b: Whole) => boolean): Impl => compare;

export const timeComparisons: FunctionModule = {
  operators: [
    ...sameType('date', plain),
    ...sameType('time', plain),
    ...sameType('timestamp', plain),
    ...sameType('timestamptz', plain),
    ...sameType('timetz', (compare) => (a: TimeTz, b: TimeTz) => compare(compareTimeTz(a, b), 0)),
    ...sameType('interval', (compare) => (a: Interval, b: Interval) => compare(linearMicros(a), linearMicros(b))),
    ...acrossTypes('date', 'timestamp', dateToLocal, asIs, false),
    ...acrossTypes('timestamp', 'date', asIs, dateToLocal, false),
    ...acrossTypes('date', 'timestamptz', dateToInstant, asIs, true),
    ...acrossTypes('timestamptz', 'date', asIs, dateToInstant, true),
    ...acrossTypes('timestamp', 'timestamptz', localToInstant, asIs, true),
    ...acrossTypes('timestamptz', 'timestamp', asIs, localToInstant, true),
  ],
};
