/** range_agg and range_intersect_agg. Manual, section 9.21. */
import { type AnyRange, common, mergedRanges, partsOf } from '../../types/multirange.ts';
import { EMPTY_RANGE, MultirangeValue, type RangeValue } from '../../types/range-value.ts';
import type { SqlType } from '../../types/type.ts';
import { type AggregateFunction, defineAggregate, type FunctionModule } from '../define.ts';

interface Collected {
  readonly subtype: SqlType;
  ranges: RangeValue[];
  any: boolean;
}

function collecting(arg: 'anyrange' | 'anymultirange'): AggregateFunction<Collected> {
  return defineAggregate<Collected>({
    name: 'range_agg',
    args: [arg],
    returns: 'anymultirange',
    doc: 'All that any of the values holds.',
    init: (call) => ({ subtype: call.argTypes[0].range!.subtype, ranges: [], any: false }),
    step: (state, value: AnyRange | null) => {
      if (value === null) return state;
      state.any = true;
      for (const range of partsOf(value)) state.ranges.push(range);
      return state;
    },
    finish: (state) => (state.any ? new MultirangeValue(mergedRanges(state.subtype, state.ranges)) : null),
  });
}

interface Intersection {
  readonly subtype: SqlType;
  value: AnyRange | null;
}

function intersecting(arg: 'anyrange' | 'anymultirange'): AggregateFunction<Intersection> {
  return defineAggregate<Intersection>({
    name: 'range_intersect_agg',
    args: [arg],
    returns: arg,
    strict: true,
    doc: 'What all of the values hold.',
    init: (call) => ({ subtype: call.argTypes[0].range!.subtype, value: null }),
    step: (state, value: AnyRange) => {
      if (state.value === null) state.value = value;
      else {
        const shared = common(state.subtype, state.value, value);
        state.value = arg === 'anyrange' ? (shared[0] ?? EMPTY_RANGE) : new MultirangeValue(shared);
      }
      return state;
    },
    finish: (state) => state.value,
  });
}

export const RANGE_AGGREGATES: FunctionModule = {
  functions: [collecting('anyrange'), collecting('anymultirange'), intersecting('anyrange'), intersecting('anymultirange')],
};
