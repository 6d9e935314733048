/** Uses of window functions gathered while a select list is bound; those over one window are computed together. */
import type { BoundSort, BoundWindowFunction, Bound } from '../plan/bound.ts';
import type { BoundFrame } from '../plan/logical.ts';

export interface WindowUse {
  /** Named windows in the order of WINDOW, then those written in place, as they come. */
  readonly order: number;
  readonly partitionBy: readonly Bound[];
  readonly orderBy: readonly BoundSort[];
  readonly frame: BoundFrame;
  readonly call: BoundWindowFunction;
}
