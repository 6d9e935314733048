/**
 * Checkpoints: when one is due, and writing the dirty pages and a super-root while writers run.
 *
 *   seal ─► dirty pages, in slices ─► pages of other states that are wanted ─► undo segments ─► sync of log and pages ─► super-root ─► `sealed` ─► maintenance
 *
 * Owns what is counted since the last checkpoint, the cuts of the undo log, and backpressure, all of which follow from how much is dirty. A checkpoint
 * that an outage interrupts writes no super-root: the state it sealed will be undone.
 */
import { Durations } from '../base/durations.ts';
import type { Sequence } from '../base/brands.ts';
import { Slices } from '../base/slices.ts';
import type { Event } from '../events/event.ts';
import type { LogPosition, LogStore } from '../log/log-store.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { writeOut, type WriteOutStats } from '../tree/write-out.ts';
import type { Availability } from './availability.ts';
import type { EngineLog } from './engine-options.ts';
import type { EventTimes } from './event-times.ts';
import type { Projection } from './projection.ts';
import type { ProjectionSet } from './projection-set.ts';
import { type SuperRoot, versionsIn } from './super-root.ts';
import type { SuperRoots } from './super-roots.ts';
import type { UndoKeeper } from './undo-keeper.ts';

/** Fixed cost of replaying an event, in bytes of payload. */
const EVENT_WORK = 64;

export interface CheckpointerParts {
  log: EngineLog;
  pager: Pager;
  undo: UndoKeeper;
  projections: ProjectionSet<Record<string, Projection>>;
  superRoots: SuperRoots;
  times: EventTimes;
  availability: Availability;
  /** See EngineOptions. */
  dirtyBytes: number;
  checkpointLogBytes: number;
  checkpointRest: number;
  onDurable?: (sequence: Sequence) => void;
  commit(event: Event): void;
  /** Roots of other states that are held, and which checkpoints write as well. */
  alsoWritten(): Iterable<Node>;
  /** Called when a super-root was written. */
  covered(): void;
  /** Called after a checkpoint, in the background. */
  maintain(): void;
}

/** Pages written by checkpoints of this run. */
export interface WrittenPages {
  readonly pages: number;
  readonly bytes: number;
  /** By the newest one. */
  readonly newest: number;
}

export class Checkpointer {
  /** Super-roots written in this run. */
  count = 0;
  readonly times = new Durations();
  /** When the last one ended, in milliseconds since 1970; 0 before the first. */
  endedAt = 0;
  written: WrittenPages = { pages: 0, bytes: 0, newest: 0 };
  readonly #parts: CheckpointerParts;
  /** Of the parts, what every commit reads. */
  readonly #pager: Pager;
  readonly #dirtyBytes: number;
  readonly #checkpointLogBytes: number;
  #bytesSince = 0;
  #eventsSince = 0;
  /** Payload bytes of all events applied, see SuperRoot. */
  #work = 0;
  /** `#work` at the last cut of the undo log. */
  #cutAt = 0;
  #restUntilMs = 0;
  #running: Promise<void> | null = null;

  /** `work`: of the super-root that the state continues from. */
  constructor(parts: CheckpointerParts, work: number) {
    this.#parts = parts;
    this.#pager = parts.pager;
    this.#dirtyBytes = parts.dirtyBytes;
    this.#checkpointLogBytes = parts.checkpointLogBytes;
    this.#work = work;
  }

  /** The state was reset to a super-root, or is empty. */
  reset(work: number, cutAt: number): void {
    this.#bytesSince = 0;
    this.#work = work;
    this.#cutAt = cutAt;
  }

  /** An event was replayed. If a super-root is due: the promise of its write, for which the replay waits. */
  replayed(sequence: Sequence, payloadBytes: number): Promise<unknown> | null {
    const { log, availability } = this.#parts;
    this.#bytesSince += payloadBytes;
    this.#work += payloadBytes + EVENT_WORK;
    if (this.#pager.dirtyBytes > this.#dirtyBytes && (availability.outage.error === null || availability.isRebuilding)) {
      // The log ahead is on disk, so the super-root may cover exactly what has been applied.
      return this.writeSuperRoot(sequence, positionAfter(log, sequence));
    }
    if (this.#isLong) this.#cutUndo(sequence, positionAfter(log, sequence));
    return null;
  }

  /** After a restore: replayed events wait for a checkpoint. */
  replayEnded(): void {
    this.#eventsSince = 1;
  }

  /** An event was committed: starts a checkpoint if one is due. */
  committed(sequence: Sequence, payloadBytes: number): void {
    const work = payloadBytes + EVENT_WORK;
    this.#bytesSince += work;
    this.#work += work;
    this.#eventsSince++;
    if (this.#isLong) this.#cutUndo(sequence, this.#parts.log.end);
    const isLong = this.#bytesSince > this.#checkpointLogBytes && performance.now() >= this.#restUntilMs;
    if (isLong || this.#pager.dirtyBytes > this.#dirtyBytes) void this.checkpoint();
  }

  /** Events were committed since the last checkpoint. */
  get isDue(): boolean {
    return this.#eventsSince > 0;
  }

  /** Whether the undo log segment should end; events between segments are read from the log. */
  get #isLong(): boolean {
    return this.#work - this.#cutAt > this.#checkpointLogBytes;
  }

  #cutUndo(through: Sequence, next: LogPosition): void {
    this.#parts.undo.cut(through, next);
    this.#cutAt = this.#work;
  }

  /** Backpressure: more is dirty than memory should hold. */
  get backpressure(): boolean {
    return this.#pager.dirtyBytes > this.#dirtyBytes * 2;
  }

  /** Waits under backpressure. Writers call it before they decide. */
  async admit(): Promise<void> {
    this.#parts.availability.check();
    while (this.backpressure) {
      await this.checkpoint();
      this.#parts.availability.check();
    }
  }

  /** Writes the dirty pages and a super-root while writers run; does nothing during an outage. */
  checkpoint(): Promise<void> {
    if (this.#running !== null) return this.#running;
    const { log, availability } = this.#parts;
    if (!availability.isHealthy) return Promise.resolve();
    const { count } = availability.outage;
    const begun = performance.now();
    const run = this.writeSuperRoot(log.head, log.end)
      .then(async (root) => {
        await log.hashed();
        this.#parts.commit({ type: 'sealed', covers: root.sequence, root: root.hash, treeHead: log.treeHead().root });
        this.#eventsSince = Math.max(0, this.#eventsSince - 1);
        this.times.add(performance.now() - begun);
        this.endedAt = Date.now();
        this.#parts.maintain();
      })
      .catch((error: unknown) => availability.backgroundFailed(count, 'a checkpoint failed', error))
      .finally(() => {
        this.#running = null;
      });
    this.#running = run;
    return run;
  }

  /** The running checkpoint; null if there is none. */
  get running(): Promise<void> | null {
    return this.#running;
  }

  /** `sequence`: the newest applied event; `next`: the log position after it. */
  async writeSuperRoot(sequence: Sequence, next: LogPosition): Promise<SuperRoot> {
    const { log, pager, undo, projections, superRoots, times, availability, checkpointRest, onDurable } = this.#parts;
    const { count } = availability.outage;
    // Counts its own time only, not that of other work between slices.
    const slices = new Slices();
    const at = times.last;
    const work = this.#work;
    const top = projections.seal();
    this.#cutUndo(sequence, next);
    pager.dirtyBytes = 0;
    this.#bytesSince = 0;
    this.#eventsSince = 0;
    const { foreseen } = projections;
    const stats: WriteOutStats = { pages: 0, bytes: 0 };
    for (const _ of writeOut(pager, top, stats, () => slices.over)) {
      await slices.rest();
      availability.checkUninterrupted(count);
    }
    for (const other of this.#parts.alsoWritten()) {
      if (other.id > 0) continue;
      for (const _ of writeOut(pager, other, stats, () => slices.over)) {
        await slices.rest();
        availability.checkUninterrupted(count);
      }
    }
    for (const settings of undo.unwritten(sequence)) {
      pager.store.write({ pages: [], settings }, { sync: false });
      await slices.rest();
      availability.checkUninterrupted(count);
    }
    const { busyMs } = slices;
    await Promise.all([log.sync(sequence), pager.store.syncAhead?.()]);
    // In an outage the state will be undone; this root would not match it.
    availability.checkUninterrupted(count);
    const root: SuperRoot = {
      sequence,
      at,
      page: top.id,
      hash: Buffer.from(top.hash!).toString('hex'),
      next,
      nextPage: pager.nextId,
      work,
      versions: versionsIn(projections.versions, foreseen !== null),
      folder: log.folderId,
      ...(foreseen === null ? {} : { foreseen }),
    };
    superRoots.add(root);
    projections.written();
    if (foreseen === null) superRoots.drop(superRoots.list.filter((each) => each.foreseen !== undefined));
    onDurable?.(sequence);
    this.#parts.covered();
    this.count++;
    this.written = { pages: this.written.pages + stats.pages, bytes: this.written.bytes + stats.bytes, newest: stats.pages };
    this.#restUntilMs = performance.now() + busyMs * checkpointRest;
    return root;
  }
}

/** Where the event after `sequence` begins in the log. */
export function positionAfter(log: LogStore, sequence: Sequence): LogPosition {
  if (sequence === log.head) return log.end;
  for (const record of log.read((sequence + 1) as Sequence)) return record.position;
  return log.end;
}
