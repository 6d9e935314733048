/** Collects window functions while a select list is bound; those over one window are computed together. */
import type { Window } from '../ast/query.ts';
import type { BoundSort, BoundWindowFunction, Bound } from '../plan/bound.ts';
import type { BoundFrame } from '../plan/logical.ts';

export interface WindowUse {
  /** Named windows in the order of WINDOW, then inline ones in order of use. */
  readonly order: number;
  /** The name of a window, or an inline definition. */
  readonly written: Window | string;
  readonly partitionBy: readonly Bound[];
  readonly orderBy: readonly BoundSort[];
  readonly frame: BoundFrame;
  readonly call: BoundWindowFunction;
}
