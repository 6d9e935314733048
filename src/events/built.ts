/** A state that was built before its event was committed. Not stored in the log: a replay applies the event's changes. */
import type { Node } from '../tree/node.ts';

/** Two directories that differ by the changes alone: trees that are still as in `base` can be replaced by those of `after`. */
export interface Built {
  readonly base: Node;
  readonly after: Node;
  /** Estimated size of the nodes that `base` does not share. */
  readonly bytes: number;
}
