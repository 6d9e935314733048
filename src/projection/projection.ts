/**
 * What the log is folded into. A projection is deterministic (same events, same root), versioned (another
 * version means: rebuild), and owns nothing but trees, so a checkpoint keeps it by one root.
 */
import type { Sequence } from '../base/brands.ts';
import type { Envelope, Event, HistoryPlace, Recorded } from '../events/event.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';

export interface Projection {
  /** Unique number in the super-root; never reused. */
  readonly slot: number;
  readonly name: string;
  readonly version: number;
  apply(event: Event, envelope: Envelope): void;
  /** Before a replay of `tail`, in steps: what does not outlive it need not be made. */
  foresee?(tail: Iterable<Recorded>): Iterable<void>;
  /** Whether what is sealed now lacks something that the rest of the replay will make away with. */
  readonly partial?: boolean;
  /** The whole state as one tree; nothing below it is changed in place from now on. */
  seal(): Node;
  /** Where a slice of a trim ends that looks at so many of its entries from `from` on; null where none are left. */
  sweepEnd?(from: HistoryPlace, entries: number): HistoryPlace | null;
  /** Numbers of gone worlds in the slice (the one that `to` stands in included) that a trim up to `through` makes it forget. */
  forgets?(through: Sequence, from: HistoryPlace, to: HistoryPlace | null): number[];
  /** What a base needs to make the state of a sealed root again, in parts of bounded size; null after much reading with nothing to say. */
  dump(root: Node): Iterable<Uint8Array | null>;
  /** Takes the parts of `dump` in order, into an empty projection. */
  load(part: Uint8Array): void;
  /** After the tree that `seal` gave was written: heap copies of clean state may go. */
  written?(): void;
}

/** Makes an empty projection (`root` null) or one that goes on from a sealed root. */
export type ProjectionFactory<P extends Projection> = (pager: Pager, root: Node | null) => P;
