/** Which super-roots stay, and when the log is worth trimming. Pure decisions; the engine carries them out. */
import type { Micros, Sequence } from '../base/brands.ts';
import type { SuperRoot } from './super-root.ts';

/** Dropping less than this is not worth a base. */
export const TRIM_BYTES_MIN = 8 * 1024 * 1024;
/** A trim frees at least this part of what stays, so what lies beyond the retention is a bounded part of it, and so is the work of writing bases. */
const TRIM_SHARE = 0.3;
/** Length of a period in which one super-root is kept for a later trim, as a part of the retention. */
const TRIM_POINT_SHARE = 0.4;
/** So many of the newest super-roots all stay while there is room. */
const DENSE_COUNT = 4;
/** From this pressure on even the oldest one may go: the oldest moments are then replayed from the base. */
const PRESSURE_HIGH = 64;

/** The newest super-root that lies wholly before the horizon: history begins there after a trim. */
export function trimPoint(superRoots: readonly SuperRoot[], horizon: Micros): SuperRoot | null {
  return superRoots.findLast(({ at, foreseen }) => at <= horizon && foreseen === undefined) ?? null;
}

/** Whether the bytes that a trim frees pay for the base that it writes. */
export function worthTrimming(freedBytes: number, keptBytes: number, baseBytes: number, leastBytes: number): boolean {
  return freedBytes >= leastBytes && freedBytes >= TRIM_SHARE * (keptBytes + baseBytes);
}

/** Replaying this many payload bytes (some 20,000 small changes) takes about 0.1 s. */
export const REPLAY_BYTES_MAX = 1024 * 1024;
/** Pages of the past may take this share of the live pages and the log together. */
const HISTORY_SHARE = 0.3;
const PRESSURE_MAX = 4096;

/**
 * Super-roots to let go: the newest few and the oldest stay; between them no gap grows beyond `pressure` times
 * what a first look at a moment may replay. Pressure is 1 while the pages of the past are few.
 */
export function thinned(superRoots: readonly SuperRoot[], pressure: number, trimPoints: ReadonlySet<SuperRoot> = NONE): SuperRoot[] {
  const out: SuperRoot[] = [];
  const head = superRoots.at(-1);
  if (head === undefined) return out;
  let kept = head;
  const dense = pressure > 1 ? 1 : DENSE_COUNT;
  for (let i = superRoots.length - 1; i >= (pressure < PRESSURE_HIGH ? 1 : 0); i--) {
    const root = superRoots[i];
    // Letting this one go leaves a gap from the one before it to the last kept one.
    const before = i === 0 ? 0 : superRoots[i - 1].work;
    if (superRoots.length - i > dense && kept.work - before <= REPLAY_BYTES_MAX * pressure && !trimPoints.has(root)) out.push(root);
    else kept = root;
  }
  return out;
}

const NONE: ReadonlySet<SuperRoot> = new Set();

/**
 * A trim needs a super-root that the horizon has passed, so some stay however many pages they hold: the first of each period of time, two or three
 * within the retention, where the log has grown enough since the one before to be worth a trim. Periods do not move, or what was kept for
 * one moment would go the next.
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

/** Pages that a collection found, and that the newest checkpoint wrote: about so many one more super-root holds. */
export interface Kept {
  readonly live: number;
  readonly all: number;
  readonly newest: number;
}

/** The pressure for the next thinning. It falls only where one super-root more has room, or it would rise again with the next. */
export function nextPressure(pressure: number, { live, all, newest }: Kept, pageBytes: number, logBytes: number): number {
  const history = (all - live) * pageBytes;
  const allowed = HISTORY_SHARE * (live * pageBytes + logBytes);
  if (history > allowed) return Math.min(PRESSURE_MAX, pressure * 2);
  return history < allowed / 4 && history + newest * pageBytes <= allowed ? Math.max(1, pressure / 2) : pressure;
}

/** Whether enough pages were written since the last collection to pay for marking them all. */
export function worthCollecting(writtenPages: number, keptPages: number): boolean {
  return writtenPages * 2 >= keptPages;
}
