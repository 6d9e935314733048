import type { Micros } from './brands.ts';

/** Time is an argument, so that a seed reproduces a run. */
export interface Clock {
  nowMicros(): Micros;
}

const ORIGIN_MS = performance.timeOrigin;

export const systemClock: Clock = {
  nowMicros: () => Math.floor((ORIGIN_MS + performance.now()) * 1000) as Micros,
};

/** ISO 8601 UTC with microseconds, the format of all times outside the engine. */
export function formatMicros(at: Micros): string {
  const millis = Math.floor(at / 1000);
  const rest = at - millis * 1000;
  return `${new Date(millis).toISOString().slice(0, -1)}${String(rest).padStart(3, '0')}Z`;
}
