/** `(a, b) OVERLAPS (c, d)`: ends in any order, the later one exclusive; an interval instead of an end is added to the start. */
import type { Interval } from '../../types/interval.ts';
import { addInterval } from '../../types/time/timestamp-arithmetic.ts';
import { compareTimeTz } from '../../types/time/timetz-type.ts';
import { sessionZone } from '../../types/time/zones.ts';
import type { TimeTz } from '../../types/timetz.ts';
import type { Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { addToTime } from './arithmetic.ts';

type Compare<T> = (a: T, b: T) => number;

/** Null if a missing end leaves the result undetermined. */
function overlaps<T>(compare: Compare<T>, start1: T | null, end1: T | null, start2: T | null, end2: T | null): boolean | null {
  if (start1 === null || (end1 !== null && compare(start1, end1) > 0)) [start1, end1] = [end1, start1];
  if (start2 === null || (end2 !== null && compare(start2, end2) > 0)) [start2, end2] = [end2, start2];
  if (start1 === null || start2 === null) return null;
  const order = compare(start1, start2);
  if (order > 0) {
    if (end2 === null) return null;
    if (compare(start1, end2) < 0) return true;
    return end1 === null ? null : false;
  }
  if (order < 0) {
    if (end1 === null) return null;
    if (compare(start2, end1) < 0) return true;
    return end2 === null ? null : false;
  }
  return end1 === null || end2 === null ? null : true;
}

const compareWhole: Compare<Whole> = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

type Plus = (call: Call, start: Whole, span: Interval) => Whole;

const PLUS: Readonly<Record<string, Plus>> = {
  timestamp: (_call, start, span) => addInterval(start, span, null),
  timestamptz: (call, start, span) => addInterval(start, span, sessionZone(call.env.timeZone)),
  time: (_call, start, span) => addToTime(start as number, span),
};

function variant(type: string, firstSpan: boolean, secondSpan: boolean): ScalarFunction {
  const add = PLUS[type]!;
  const end = (call: Call, start: Whole | null, given: Whole | Interval | null, isSpan: boolean): Whole | null => {
    if (!isSpan) return given as Whole | null;
    return start === null || given === null ? null : add(call, start, given as Interval);
  };
  return {
    kind: 'scalar',
    name: 'overlaps',
    args: [type, firstSpan ? 'interval' : type, type, secondSpan ? 'interval' : type],
    returns: 'bool',
    volatility: type === 'timestamptz' && (firstSpan || secondSpan) ? 'stable' : 'immutable',
    strict: false,
    needsCall: true,
    doc: 'Whether two periods overlap.',
    impl: (call: Call, start1: Whole | null, end1: Whole | Interval | null, start2: Whole | null, end2: Whole | Interval | null) =>
      overlaps(compareWhole, start1, end(call, start1, end1, firstSpan), start2, end(call, start2, end2, secondSpan)),
  };
}

const variants = (type: string): ScalarFunction[] => [
  variant(type, false, false),
  variant(type, false, true),
  variant(type, true, false),
  variant(type, true, true),
];

export const overlapsFunctions: FunctionModule = {
  functions: [
    ...variants('timestamp'),
    ...variants('timestamptz'),
    ...variants('time'),
    {
      kind: 'scalar',
      name: 'overlaps',
      args: ['timetz', 'timetz', 'timetz', 'timetz'],
      returns: 'bool',
      strict: false,
      doc: 'Whether two periods overlap.',
      impl: (start1: TimeTz | null, end1: TimeTz | null, start2: TimeTz | null, end2: TimeTz | null) => overlaps(compareTimeTz, start1, end1, start2, end2),
    },
  ],
};
