/**
 * Recovery: the state in memory is made from what is on disk.
 *
 *   open     newest super-root, or newest base, or nothing ─► replay of the rest of the log ─► `opened`
 *   restore  after a failed write: newest super-root ─► replay up to the last event on disk
 *   rebuild  after damage: empty page store ─► newest base, or nothing ─► replay, beside the old state, which is shown until the end
 *
 * A replay folds the same events in the same order, so it gives the same roots. It yields, cuts the undo log and writes super-roots as commits do.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Micros, Sequence, WorldNumber } from '../base/brands.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { decodeEvent } from '../events/codec.ts';
import type { Event } from '../events/event.ts';
import type { Pager } from '../tree/pager.ts';
import type { Availability } from './availability.ts';
import { type Checkpointer, positionAfter } from './checkpointer.ts';
import type { Bases, EngineLog, FoundBase } from './engine-options.ts';
import type { EventTimes } from './event-times.ts';
import type { Maintenance } from './maintenance.ts';
import { isDiskError } from './outage.ts';
import type { PageCollection } from './page-collection.ts';
import type { Projection } from './projection.ts';
import type { ProjectionSet } from './projection-set.ts';
import type { SuperRoot } from './super-root.ts';
import type { SuperRoots } from './super-roots.ts';
import type { Trimmer } from './trim.ts';
import type { UndoKeeper } from './undo-keeper.ts';

/** Time slice of a replay. */
const SLICE_MS = 50;

export interface RecoveryParts {
  log: EngineLog;
  pager: Pager;
  bases: Bases;
  undo: UndoKeeper;
  projections: ProjectionSet<Record<string, Projection>>;
  superRoots: SuperRoots;
  times: EventTimes;
  availability: Availability;
  checkpointer: Checkpointer;
  collection: PageCollection;
  trimmer: Trimmer;
  maintenance: Maintenance;
  /** What `opened` says of this run. */
  release: string;
  lost: { from: Sequence; to: Sequence } | null;
  /** Whether `main` exists: a process may die between the first and the second event of a folder. */
  hasMain(): boolean;
  isTemporaryStore: boolean;
  onProgress?: (progress: { phase: string; done: number; total: number }) => void;
  /** Caches of old nodes are released. */
  forget(): void;
  commit(event: Event): void;
}

export class Recovery {
  /** Events replayed in this run. */
  replayed = 0;
  readonly #parts: RecoveryParts;
  /** This run's `opened` is not in the log yet. */
  #isOpening = false;

  constructor(parts: RecoveryParts) {
    this.#parts = parts;
  }

  /** The projections already continue from the newest super-root. */
  async open(): Promise<void> {
    const { log, bases, undo, superRoots, availability, trimmer, isTemporaryStore } = this.#parts;
    const base = bases.newest();
    trimmer.begin(base);
    const { newest } = superRoots;
    this.#beginUndo(newest?.sequence ?? base?.head.sequence ?? ((log.first - 1) as Sequence));
    await this.#replay(newest ?? (await this.#fromBase(base)));
    availability.watch();
    undo.onDamage((damage) => availability.rebuildCache(damage));
    const isNew = log.head === 0;
    this.#isOpening = true;
    try {
      this.noteRun();
    } catch (error) {
      // The event is in the log, from which the state is being rebuilt.
      if (!availability.isRebuilding) throw error;
      await availability.outage.held;
    }
    try {
      await log.sync(log.head);
    } catch (error) {
      // A full disk is still readable; the run is recorded, and writes accepted, once there is space.
      if (isNew || !isDiskError(error)) throw error;
      this.#isOpening = true;
      await availability.outage.held;
    }
    if (!isTemporaryStore) return;
    const isFirst = availability.outage.error === null;
    availability.storeFailed(
      new SvcError('53100', 'the disk is full: the page cache cannot be opened', { hint: 'Free some megabytes; the database then continues automatically.' }),
    );
    if (isFirst) await availability.outage.held;
  }

  /** Once a run: appends `opened`, by which a later opening detects a crash, and creates `main` if it is missing. Called again at the end of an outage. */
  noteRun(): void {
    if (!this.#isOpening) return;
    this.#isOpening = false;
    const { log, release, lost, hasMain, commit } = this.#parts;
    commit({ type: 'opened', release, ...(log.head === 0 ? { first: true as const } : {}), ...(lost === null ? {} : { lost }) });
    if (!hasMain()) commit({ type: 'forked', name: 'main', parent: 0 as WorldNumber, owner: null, meta: {}, changes: [] });
  }

  /** Rebuilds the state from the newest super-root up to the last event on disk. */
  async restore(): Promise<void> {
    const { log, pager, undo, projections, superRoots, checkpointer, trimmer, forget } = this.#parts;
    await this.#idle();
    // After a failure of the page store alone, appended events may still become durable.
    if (log.failure === null) await log.sync(log.head).catch(() => {});
    const { newest } = superRoots;
    const work = newest?.work ?? 0;
    pager.dirtyBytes = 0;
    forget();
    projections.begin(newest?.page ?? null);
    undo.rewind(newest?.sequence ?? trimmer.historyStart.sequence);
    checkpointer.reset(work, work);
    await this.#replay(newest);
    checkpointer.replayEnded();
  }

  /** A read that does not wait meanwhile gets what is in memory, or is retried. */
  async rebuild(): Promise<void> {
    const { log, pager, bases, projections, superRoots, checkpointer, collection, forget } = this.#parts;
    await this.#idle();
    await log.sync(log.head);
    await pager.store.renew();
    pager.renewed();
    superRoots.clear();
    collection.renewed();
    forget();
    projections.beginAside();
    checkpointer.reset(0, 0);
    const base = bases.newest();
    this.#beginUndo(base?.head.sequence ?? ((log.first - 1) as Sequence));
    await this.#replay(await this.#fromBase(base));
    projections.publish();
    forget();
    checkpointer.replayEnded();
  }

  /** Background work has ended: it is interrupted by the outage that calls for this. */
  async #idle(): Promise<void> {
    await this.#parts.checkpointer.running;
    await this.#parts.maintenance.running;
  }

  #beginUndo(sequence: Sequence): void {
    const { log, pager, undo } = this.#parts;
    const dropped = undo.begin(sequence, log.folderId);
    if (dropped.length > 0) pager.store.write({ pages: [], settings: dropped }, { sync: false });
  }

  /** Start of a replay without a super-root; null: at the first event. */
  async #fromBase(base: FoundBase | null): Promise<SuperRoot | null> {
    const { log } = this.#parts;
    if (base !== null) return this.#loadBase(base);
    if (log.first === 1) return null;
    throw new SvcError('XX001', `the log begins at event ${log.first} and has no base for what came before`, {
      hint: 'Restore the folder from a backup; nothing was changed.',
    });
  }

  async #loadBase(base: FoundBase): Promise<SuperRoot> {
    const { log, projections, times, checkpointer, onProgress } = this.#parts;
    let n = 0;
    for (const { slot, payload } of base.parts()) {
      projections.load(slot, payload);
      if (++n % 20 === 0) {
        onProgress?.({ phase: 'loading the base', done: n, total: n });
        await turn();
      }
    }
    times.last = base.head.at;
    return checkpointer.writeSuperRoot(base.head.sequence, positionAfter(log, base.head.sequence));
  }

  async #replay(from: SuperRoot | null): Promise<void> {
    const { log, projections, times, checkpointer, onProgress } = this.#parts;
    const first = (from === null ? log.first : from.sequence + 1) as Sequence;
    if (first > log.head) return;
    const total = log.head - first + 1;
    let sliceEnds = Date.now() + SLICE_MS;
    for (const _ of projections.foresee(() => log.read(first, from?.next), log.head)) {
      if (Date.now() < sliceEnds) continue;
      await turn();
      sliceEnds = Date.now() + SLICE_MS;
    }
    for (const record of log.read(first, from?.next)) {
      const event = decodeEvent(record.type, record.version, record.payload);
      times.last = Math.max(times.last, record.at) as Micros;
      projections.apply(event, { sequence: record.sequence, at: record.at, world: record.world, actor: record.actor });
      this.replayed++;
      const writing = checkpointer.replayed(record.sequence, record.payload.length);
      if (writing !== null) await writing;
      if ((this.replayed & 255) === 0 && Date.now() > sliceEnds) {
        onProgress?.({ phase: 'replaying the log', done: this.replayed, total });
        await turn();
        sliceEnds = Date.now() + SLICE_MS;
      }
    }
    projections.endReplay();
    if (this.replayed > 1000) onProgress?.({ phase: 'replaying the log', done: total, total });
  }
}
