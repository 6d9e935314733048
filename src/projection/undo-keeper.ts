/** What the engine tells of its folding to whoever keeps how changes are taken back, and where that is stored beside its checkpoints. */
import type { Sequence } from '../base/brands.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { LogPosition } from '../log/log-store.ts';
import { CacheDamage } from '../storage/page-store.ts';

/** Entries of the page store, as `PageBatch.settings` has them. */
export type Settings = { name: string; value: Uint8Array | null }[];

export interface UndoKeeper {
  /** At opening: the state is the one after `sequence`, of the log `folder`. Gives what the store need not keep. */
  begin(sequence: Sequence, folder: string): Settings;
  /** The state was taken back to the one after `sequence`: what was noted of later events does not count. */
  rewind(sequence: Sequence): void;
  /** An event was folded. */
  note(event: Event, envelope: Envelope): void;
  /** Ends a segment with the event `through`, the newest that was noted; `next` is where the log goes on. */
  cut(through: Sequence, next: LogPosition): void;
  /** What is to be written of segments up to `through`, one after the other. */
  unwritten(through: Sequence): Iterable<Settings>;
  /** History up to `through` is given up. */
  forget(through: Sequence): Settings;
  /** What is stored of it cannot be read; it goes on from the log. */
  onDamage: ((damage: CacheDamage) => void) | null;
}

export function undoDamage(what: string, cause: unknown): CacheDamage {
  return cause instanceof CacheDamage ? cause : new CacheDamage(`${what}: ${(cause as Error).message}`, cause);
}
