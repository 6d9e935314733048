/** Values of range and multirange types. A null bound is infinite; its `Inc` flag is false then. */
import type { Value } from './value.ts';

export class RangeValue {
  readonly empty: boolean;
  readonly lower: Value;
  readonly upper: Value;
  readonly lowerInc: boolean;
  readonly upperInc: boolean;

  constructor(lower: Value, upper: Value, lowerInc: boolean, upperInc: boolean, empty = false) {
    this.empty = empty;
    this.lower = lower;
    this.upper = upper;
    this.lowerInc = lowerInc && lower !== null;
    this.upperInc = upperInc && upper !== null;
  }
}

export const EMPTY_RANGE = new RangeValue(null, null, false, false, true);

/** Non-empty ranges, in order, neither overlapping nor adjacent. */
export class MultirangeValue {
  readonly ranges: readonly RangeValue[];

  constructor(ranges: readonly RangeValue[]) {
    this.ranges = ranges;
  }
}
