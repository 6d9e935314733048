/** Decides which super-roots to keep and when to trim the log. Pure functions; the engine carries out their decisions. */
import type { Micros, Sequence } from '../base/brands.ts';
import type { SuperRoot } from './super-root.ts';

/** Trimming less than this does not pay for a base. */
export const TRIM_BYTES_MIN = 8 * 1024 * 1024;
/** A trim frees at least this fraction of what remains, which bounds both the log beyond the retention and the cost of writing bases. */
const TRIM_SHARE = 0.3;
/** Length of a period in which one super-root is kept for a later trim, as a fraction of the retention. */
const TRIM_POINT_SHARE = 0.4;
/** This many of the newest super-roots are all kept while there is space. */
const DENSE_COUNT = 4;
/** From this pressure on even the oldest one may be dropped: the oldest moments are then replayed from the base. */
const PRESSURE_HIGH = 64;

/** The newest super-root before the horizon: history begins there after a trim. */
export function trimPoint(superRoots: readonly SuperRoot[], horizon: Micros): SuperRoot | null {
  return superRoots.findLast(({ at, foreseen }) => at <= horizon && foreseen === undefined) ?? null;
}

/** Whether the bytes that a trim frees pay for the base that it writes. */
export function worthTrimming(freedBytes: number, keptBytes: number, baseBytes: number, leastBytes: number): boolean {
  return freedBytes >= leastBytes && freedBytes >= TRIM_SHARE * (keptBytes + baseBytes);
}

/** Replaying this many payload bytes (some 20,000 small changes) takes about 0.1 s. */
export const REPLAY_BYTES_MAX = 1024 * 1024;
/** Pages of the past may take this fraction of the live pages and the log together. */
const HISTORY_SHARE = 0.3;
const PRESSURE_MAX = 4096;

/**
 * Super-roots to drop: the newest few and the oldest stay; no gap between the others grows beyond `pressure` times the replay
 * cost of one first read of a moment. Pressure is 1 while past states hold few pages.
 */
export function thinned(superRoots: readonly SuperRoot[], pressure: number, trimPoints: ReadonlySet<SuperRoot> = NONE): SuperRoot[] {
  const out: SuperRoot[] = [];
  const head = superRoots.at(-1);
  if (head === undefined) return out;
  let kept = head;
  const dense = pressure > 1 ? 1 : DENSE_COUNT;
  for (let i = superRoots.length - 1; i >= (pressure < PRESSURE_HIGH ? 1 : 0); i--) {
    const root = superRoots[i];
    // Dropping this one leaves a gap from the previous one to the last kept one.
    const before = i === 0 ? 0 : superRoots[i - 1].work;
    if (superRoots.length - i > dense && kept.work - before <= REPLAY_BYTES_MAX * pressure && !trimPoints.has(root)) out.push(root);
    else kept = root;
  }
  return out;
}

const NONE: ReadonlySet<SuperRoot> = new Set();

/**
 * A trim needs a super-root older than the horizon, so some are kept however many pages they hold: the first of each period,
 * two or three within the retention, if the log has grown enough since the previous one to be worth a trim. Periods are fixed
 * in time; otherwise one call would drop what another had kept.
 */
export function futureTrimPoints(superRoots: readonly SuperRoot[], retentionMicros: number, historyStart: Sequence): ReadonlySet<SuperRoot> {
  const out = new Set<SuperRoot>();
  const periodMicros = Math.max(1, retentionMicros * TRIM_POINT_SHARE);
  let period = -1;
  let work = 0;
  for (const root of superRoots) {
    const own = Math.floor(root.at / periodMicros);
    if (root.sequence > historyStart && own !== period && root.work - work >= TRIM_BYTES_MIN && root.foreseen === undefined) out.add(root);
    else if (root.sequence > historyStart) continue;
    period = own;
    work = root.work;
  }
  return out;
}

/** Pages found by a collection, and pages written by the newest checkpoint, which estimate the cost of one more super-root. */
export interface Kept {
  readonly live: number;
  readonly all: number;
  readonly newest: number;
}

/** The pressure for the next thinning. It falls only if one more super-root fits; otherwise it would rise again at once. */
export function nextPressure(pressure: number, { live, all, newest }: Kept, pageBytes: number, logBytes: number): number {
  const history = (all - live) * pageBytes;
  const allowed = HISTORY_SHARE * (live * pageBytes + logBytes);
  if (history > allowed) return Math.min(PRESSURE_MAX, pressure * 2);
  return history < allowed / 4 && history + newest * pageBytes <= allowed ? Math.max(1, pressure / 2) : pressure;
}

/** Whether enough pages were written since the last collection to pay for marking all of them. */
export function worthCollecting(writtenPages: number, keptPages: number): boolean {
  return writtenPages * 2 >= keptPages;
}
