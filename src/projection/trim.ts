/**
 * Trimming history: whole segments of the log before a super-root are replaced by a base.
 *
 *   point (newest super-root before the horizon) ─► base, synced ─► `swept` events: projections drop history ─► segments and older bases are removed
 *
 * From the durable base on, history before the point is gone: the next opening begins there. Every step yields; an outage ends the trim, and the next one
 * begins again with its base.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Micros, Sequence } from '../base/brands.ts';
import type { Clock } from '../base/clock.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { Envelope, Event } from '../events/event.ts';
import type { HistoryPlace } from '../events/types/swept.ts';
import type { Availability } from './availability.ts';
import type { Bases, EngineLog, FoundBase } from './engine-options.ts';
import { isDiskError } from './outage.ts';
import type { Projection } from './projection.ts';
import type { ProjectionSet } from './projection-set.ts';
import { trimPoint, worthTrimming } from './retention.ts';
import type { SuperRoot } from './super-root.ts';
import type { SuperRoots } from './super-roots.ts';

/** After a failed write of a base, the next attempt waits this long. */
const BASE_REST_MS = 60_000;

/** Entries of history dropped by the first event of a trim; later events take more while one takes less than SWEEP_MS. */
const SWEEP_ENTRIES_MIN = 100;
const SWEEP_MS = 3;

export interface TrimmerParts {
  log: EngineLog;
  clock: Clock;
  bases: Bases;
  projections: ProjectionSet<Record<string, Projection>>;
  superRoots: SuperRoots;
  availability: Availability;
  /** See EngineOptions. */
  trimBytes: number;
  overCeiling(): boolean;
  commit(event: Event): Envelope;
}

export class Trimmer {
  /** How far back history reaches: a setting of the database. */
  retentionMicros: number;
  /** History before this is trimmed; 0: none is. */
  historyStart: { sequence: Sequence; at: Micros } = { sequence: 0 as Sequence, at: 0 as Micros };
  readonly #parts: TrimmerParts;
  #baseBytes = 0;
  #baseRestUntilMs = 0;

  constructor(parts: TrimmerParts, retentionMicros: number) {
    this.#parts = parts;
    this.retentionMicros = retentionMicros;
  }

  /** At opening: the newest base, with which history begins. */
  begin(base: FoundBase | null): void {
    if (base !== null) this.historyStart = { sequence: base.head.sequence, at: base.head.at };
    this.#baseBytes = base?.bytes ?? 0;
  }

  /** Where history may begin: the newest super-root before the horizon. */
  get point(): SuperRoot | null {
    const { superRoots, clock } = this.#parts;
    const point = trimPoint(superRoots.list, (clock.nowMicros() - this.retentionMicros) as Micros);
    return point !== null && point.sequence > this.historyStart.sequence ? point : null;
  }

  isWorth(point: SuperRoot): boolean {
    const { log, overCeiling, trimBytes } = this.#parts;
    const freed = log.bytesBefore(point.next);
    return overCeiling() ? freed > 0 : worthTrimming(freed, log.sizeBytes - freed, this.#baseBytes, trimBytes);
  }

  /** History must be trimmed by retention even without writes. */
  get isDue(): boolean {
    const { point } = this;
    return point !== null && performance.now() >= this.#baseRestUntilMs && this.isWorth(point);
  }

  /** False if the disk refuses the base: the log stays as it is for now. */
  async trim(point: SuperRoot): Promise<boolean> {
    if (performance.now() < this.#baseRestUntilMs) return false;
    const { log, bases, projections, availability } = this.#parts;
    const { count } = availability.outage;
    const between = async (): Promise<void> => {
      await turn();
      availability.checkUninterrupted(count);
    };
    try {
      this.#baseBytes = await bases.write({ sequence: point.sequence, at: point.at, folderId: log.folderId }, projections.dump(point.page), between);
    } catch (error) {
      availability.checkUninterrupted(count);
      if (!isDiskError(error)) throw error;
      this.#baseRestUntilMs = performance.now() + BASE_REST_MS;
      return false;
    }
    availability.checkUninterrupted(count);
    // The next opening begins with the base: history before it is gone.
    this.historyStart = { sequence: point.sequence, at: point.at };
    await log.sync(await this.#sweep(point));
    availability.checkUninterrupted(count);
    try {
      await log.trim(point.sequence);
      bases.removeBefore(point.sequence);
    } catch (error) {
      // A file that cannot be removed does no harm; the next trim removes it.
      if (!(error instanceof SvcError)) throw error;
    }
    return true;
  }

  /** Drops history before the point from the projections, in events of a few milliseconds each. Returns the last one's sequence. */
  async #sweep({ sequence: through, at }: SuperRoot): Promise<Sequence> {
    const { projections, availability, commit } = this.#parts;
    const { count } = availability.outage;
    let from: HistoryPlace = { world: 0, sequence: 0 };
    let entries = SWEEP_ENTRIES_MIN;
    for (;;) {
      const begunMs = performance.now();
      const to = projections.sweepEnd(from, entries);
      const gone = projections.forgets(through, from, to);
      const { sequence } = commit({ type: 'swept', through, at, from, to, gone });
      if (to === null) return sequence;
      from = to;
      const tookMs = performance.now() - begunMs;
      if (tookMs > SWEEP_MS) entries = Math.max(SWEEP_ENTRIES_MIN, Math.floor(entries / 2));
      else if (tookMs < SWEEP_MS / 3) entries *= 2;
      await turn();
      availability.checkUninterrupted(count);
    }
  }
}
