/** The engine's interface to the undo log: what it reports of its folding, and where the undo log is stored with its checkpoints. */
import type { Sequence } from '../base/brands.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { LogPosition } from '../log/log-store.ts';
import { CacheDamage } from '../storage/page-store.ts';

/** Entries of the page store, as in `PageBatch.settings`. */
export type Settings = { name: string; value: Uint8Array | null }[];

/** A stored segment cannot be read. */
export type UndoDamage = CacheDamage;

export interface UndoKeeper {
  /** At opening: the state is the one after `sequence`, of the log `folder`. Returns stored entries that can be deleted. */
  begin(sequence: Sequence, folder: string): Settings;
  /** The state was reset to the one after `sequence`: notes of later events are dropped. */
  rewind(sequence: Sequence): void;
  /** Called after an event was folded. */
  note(event: Event, envelope: Envelope): void;
  /** Ends a segment with the event `through`, the newest noted one; `next` is the log position after it. */
  cut(through: Sequence, next: LogPosition): void;
  /** Segments up to `through` that are to be written, one at a time. */
  unwritten(through: Sequence): Iterable<Settings>;
  /** History up to `through` is trimmed. */
  forget(through: Sequence): Settings;
  /** The listener is called when a stored segment cannot be read; history is then read from the log. Returns the function that ends the subscription. */
  onDamage(listener: (damage: UndoDamage) => void): () => void;
}

export function undoDamage(what: string, cause: unknown): UndoDamage {
  return cause instanceof CacheDamage ? cause : new CacheDamage(`${what}: ${(cause as Error).message}`, cause);
}
