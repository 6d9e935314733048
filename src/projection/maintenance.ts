/**
 * Maintenance: runs after a checkpoint, and without writes while history is due or the folder is over its ceiling.
 *
 *   trim (trim.ts) ─► thinning of super-roots (retention.ts) ─► collection of pages (page-collection.ts), again while past states hold too many pages
 *
 * One run at a time; everything yields. Its decisions are in retention.ts, the state that they need is here and in the two parts.
 */
import type { LogStore } from '../log/log-store.ts';
import type { PageStore } from '../storage/page-store.ts';
import type { Availability } from './availability.ts';
import type { Checkpointer } from './checkpointer.ts';
import type { PageCollection } from './page-collection.ts';
import { futureTrimPoints, nextPressure, thinned } from './retention.ts';
import type { SuperRoot } from './super-root.ts';
import type { SuperRoots } from './super-roots.ts';
import type { Trimmer } from './trim.ts';
import type { UndoKeeper } from './undo-keeper.ts';

export interface MaintenanceParts {
  log: LogStore;
  store: PageStore;
  undo: UndoKeeper;
  superRoots: SuperRoots;
  availability: Availability;
  checkpointer: Checkpointer;
  trimmer: Trimmer;
  collection: PageCollection;
  overCeiling(): boolean;
}

export class Maintenance {
  readonly #parts: MaintenanceParts;
  /** Grows while past states hold too many pages, see retention.ts. */
  #pressure = 1;
  #running: Promise<void> | null = null;
  #paused = 0;
  #stopped = false;

  constructor(parts: MaintenanceParts) {
    this.#parts = parts;
  }

  /** Resolves at the end of the run; at once while it is paused or stopped, and during an outage. */
  run(): Promise<void> {
    const { availability } = this.#parts;
    if (this.#paused > 0 || this.#stopped || !availability.isHealthy) return Promise.resolve();
    const { count } = availability.outage;
    this.#running ??= this.#maintain()
      .catch((error: unknown) => availability.backgroundFailed(count, 'maintenance failed', error))
      .finally(() => {
        this.#running = null;
      });
    return this.#running;
  }

  /** Without writes: does what time has made due. */
  tick(): void {
    if (this.#parts.overCeiling()) void this.#freeSpace();
    else if (this.#parts.trimmer.isDue) void this.run();
  }

  /** A trim begins at a super-root, before which whole segments are dropped. */
  #freeSpace(): Promise<void> {
    const { log, superRoots, checkpointer } = this.#parts;
    return superRoots.newest?.next.segment === log.end.segment ? this.run() : checkpointer.checkpoint();
  }

  /** No maintenance runs, and so no log file is removed, from the time this resolves until the returned function is called. */
  async pause(): Promise<() => void> {
    this.#paused++;
    await this.#running;
    return () => {
      this.#paused--;
    };
  }

  /** The run in progress; null if there is none. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** Before closing: ends the run in progress at its next yield, and begins no other. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #maintain(): Promise<void> {
    const { store, undo, superRoots, trimmer, collection } = this.#parts;
    let trimmed = false;
    const { point } = trimmer;
    if (point !== null && trimmer.isWorth(point) && (await trimmer.trim(point))) {
      trimmed = true;
      superRoots.drop(superRoots.list.filter(({ sequence }) => sequence < point.sequence));
      store.write({ pages: [], settings: undo.forget(point.sequence) }, { sync: false });
    }
    superRoots.drop(this.#thinned());
    if (!trimmed && !collection.isWorth) return;
    const { expected } = collection;
    collection.begin();
    if (expected !== null && this.#pressed(expected.live, expected.kept)) superRoots.drop(this.#thinned());
    for (;;) {
      const found = await collection.collect(() => this.#stopped);
      if (found === null || !this.#pressed(found.live, found.kept)) return;
      const more = this.#thinned();
      if (more.length === 0) return;
      superRoots.drop(more);
    }
  }

  #thinned(): SuperRoot[] {
    const { superRoots, trimmer } = this.#parts;
    return thinned(superRoots.list, this.#pressure, futureTrimPoints(superRoots.list, trimmer.retentionMicros, trimmer.historyStart.sequence));
  }

  /** Sets the pressure by the pages that are kept; true if it rose. */
  #pressed(live: number, kept: number): boolean {
    const before = this.#pressure;
    const { written } = this.#parts.checkpointer;
    this.#pressure = nextPressure(before, { live, all: kept, newest: written.newest }, written.bytes / Math.max(1, written.pages), this.#parts.log.sizeBytes);
    return this.#pressure > before;
  }
}
