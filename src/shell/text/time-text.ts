/** Times for people. */

const UNITS: readonly (readonly [number, string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1000, 's'],
];

/** `3m ago`; `in 2h` for future times. */
export function ago(iso: string, nowMs: number): string {
  const apart = nowMs - Date.parse(iso);
  if (!Number.isFinite(apart)) return iso;
  const size = Math.abs(apart);
  for (const [ms, unit] of UNITS) {
    if (size >= ms) return apart >= 0 ? `${Math.floor(size / ms)}${unit} ago` : `in ${Math.floor(size / ms)}${unit}`;
  }
  return 'just now';
}

/** `0.4 ms`, `1.25 s`, `2 min 3 s`. */
export function duration(ms: number): string {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** `2026-01-31 12:00:00` of an ISO time, in UTC. */
export function shortTime(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$|Z$/, '');
}
