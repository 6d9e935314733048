/**
 * A projection is a fold of the log: deterministic (same events, same root), versioned (another version means a rebuild), and
 * made of trees alone, so that a checkpoint persists it by one root.
 */
import type { Sequence } from '../base/brands.ts';
import type { Envelope, Event, Recorded } from '../events/event.ts';
import type { HistoryPlace } from '../events/types/swept.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';

export interface Projection {
  apply(event: Event, envelope: Envelope): void;
  /** Called before a replay of `tail`, in steps: state that does not outlive the tail need not be built. */
  foresee?(tail: Iterable<Recorded>): Iterable<void>;
  /** Whether a seal now would lack state that the rest of the replay deletes anyway. */
  readonly partial?: boolean;
  /** The whole state as one tree; from now on nothing below it is changed in place. */
  seal(): Node;
  /** End of a trim slice that covers about `entries` entries from `from` on; null if none are left. */
  sweepEnd?(from: HistoryPlace, entries: number): HistoryPlace | null;
  /** Numbers of ended worlds that a trim of this slice up to `through` drops, including the world of `to`. */
  forgets?(through: Sequence, from: HistoryPlace, to: HistoryPlace | null): number[];
  /** Parts of bounded size from which a base rebuilds the state of a sealed root; null to yield after much reading without output. */
  dump(root: Node): Iterable<Uint8Array | null>;
  /** Loads the parts of `dump`, in order, into an empty projection. */
  load(part: Uint8Array): void;
  /** Called after the sealed tree was written: clean nodes may be evicted. */
  written?(): void;
}

export interface ProjectionDefinition<Name extends string, P extends Projection> {
  readonly name: Name;
  /** Unique number in the super-root; never reused. */
  readonly slot: number;
  /** Another version is a rebuild. */
  readonly version: number;
  /** Creates an empty projection (`root` null) or one that continues from a sealed root. */
  make(pager: Pager, root: Node | null): P;
}

export function defineProjection<const Name extends string, P extends Projection>(definition: ProjectionDefinition<Name, P>): ProjectionDefinition<Name, P> {
  return definition;
}
