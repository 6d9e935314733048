/** Which super-roots stay, and when the log is worth trimming. Pure decisions; the engine carries them out. */
import type { Micros } from '../base/brands.ts';
import type { SuperRoot } from './super-root.ts';

/** Dropping less than this is not worth a base. */
export const TRIM_BYTES_MIN = 8 * 1024 * 1024;
/** Super-roots nearer than this to the head all stay. */
const DENSE_COUNT = 4;

/** The newest super-root that lies wholly before the horizon: history begins there after a trim. */
export function trimPoint(superRoots: readonly SuperRoot[], horizon: Micros): SuperRoot | null {
  return superRoots.findLast(({ at }) => at <= horizon) ?? null;
}

/** Whether the bytes that a trim frees pay for the base that it writes. */
export function worthTrimming(freedBytes: number, keptBytes: number, baseBytes: number): boolean {
  return freedBytes >= TRIM_BYTES_MIN && freedBytes >= 0.5 * (keptBytes + baseBytes);
}

/**
 * Super-roots to let go: the newest few and the oldest stay; between them the distance to the next kept one
 * grows to an eighth of the distance to the head, so that a first look at any moment replays a bounded share.
 */
export function thinned(superRoots: readonly SuperRoot[]): SuperRoot[] {
  const out: SuperRoot[] = [];
  const head = superRoots.at(-1);
  if (head === undefined) return out;
  let kept = head.sequence as number;
  for (let i = superRoots.length - 1; i > 0; i--) {
    const { sequence } = superRoots[i];
    if (superRoots.length - i <= DENSE_COUNT) {
      kept = sequence;
      continue;
    }
    const before = superRoots[i - 1].sequence;
    // Letting this one go leaves a gap from the one before it to the last kept one.
    if (kept - before <= (head.sequence - before) / 8) out.push(superRoots[i]);
    else kept = sequence;
  }
  return out;
}
