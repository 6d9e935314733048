/** What the engine is given when it is opened: the stores below it, its limits, and what the layers above do beside each commit. */
import type { Sequence, WorldNumber } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { BaseHead, BasePart } from '../log/base-file.ts';
import type { LogStore } from '../log/log-store.ts';
import type { PageStore } from '../storage/page-store.ts';
import type { Pager } from '../tree/pager.ts';
import type { Projection } from './projection.ts';
import type { UndoKeeper } from './undo-keeper.ts';

export type EngineLog = LogStore & { readonly folderId: string };

export interface EngineOptions<P extends Record<string, Projection>> {
  log: EngineLog;
  store: PageStore;
  clock: Clock;
  hooks: EngineHooks<P>;
  cacheBytes: number;
  /** A checkpoint starts when this many bytes were copied or created since the last … */
  dirtyBytes: number;
  /** … or this many were logged … */
  checkpointLogBytes: number;
  /** After a checkpoint by logged bytes, the next one waits this many times the last one's duration, so that many small ones do not take all processor time. */
  checkpointRest: number;
  /** … or this long passed with commits. */
  checkpointMs: number;
  /** How far back history reaches, in microseconds. */
  historyRetentionMicros: number;
  /** Trimming less of the log than this does not pay for a base. */
  trimBytes: number;
  bases: Bases;
  /** Keeps the undo log, by segments of the log. */
  undo: UndoKeeper;
  /** Throws 53100 if the folder may not grow. */
  ensureSpace(): void;
  /** Whether the folder is over its ceiling: maintenance then frees space even without writes. */
  overCeiling(): boolean;
  /** Rejects while the disk takes no writes. */
  probe(): Promise<void>;
  /** Time between two attempts to end an outage. */
  repairMs: number;
  onProgress?: (progress: { phase: string; done: number; total: number }) => void;
  /** Creates the error for a reader that met a damaged page: it is retried once the cache is rebuilt. */
  rerun?: () => unknown;
  /** Receives messages about damage that was found, and what was done. */
  say?: (message: string) => void;
  /** Called at checkpoints and at close: everything up to `sequence` is on disk. */
  onDurable?: (sequence: Sequence) => void;
  /** Acknowledged events that the log has lost, accepted at opening. */
  lost?: { from: Sequence; to: Sequence } | null;
  /** The page store is in memory because the disk is full: nothing is written until `reopen` succeeds. */
  isTemporaryStore?: boolean;
}

/** Stores bases, next to the log's segments. */
export interface Bases {
  newest(): FoundBase | null;
  write(head: BaseHead, parts: Iterable<BasePart>, between: () => Promise<void>): Promise<number>;
  removeBefore(sequence: Sequence): void;
}

export interface FoundBase {
  head: BaseHead;
  parts: () => IterableIterator<BasePart & { payload: Uint8Array }>;
  bytes: number;
}

/** The engine as hooks see it. */
export interface CommitScope<P> {
  readonly log: EngineLog;
  readonly pager: Pager;
  readonly state: P;
  commit(event: Event, world: WorldNumber, actor: string): Envelope;
}

/**
 * Called in the tick of each commit, between its decision and its append. They exist before the engine and get it as an argument, so that commits of
 * the opening pass them too. Replayed events do not.
 */
export interface EngineHooks<P> {
  /** Before an event of a world (of the branch, for its merge) is appended; may commit events itself. */
  beforeCommit(engine: CommitScope<P>, world: WorldNumber): void;
  /** With each event right before it is appended. */
  beforeAppend(engine: CommitScope<P>, event: Event, world: WorldNumber, locksChecked: boolean): void;
  /** Events after `durable` were undone by a failed write; their sequences will be reused. */
  undone(durable: Sequence): void;
}
