/** Durations as users write them, in milliseconds: `1h`, `30 days`, `1 hour 30 minutes`, `00:05:00`, or a number of milliseconds. */

const UNITS: Record<string, number> = {
  us: 0.001,
  ms: 1,
  msec: 1,
  msecs: 1,
  millisecond: 1,
  milliseconds: 1,
  s: 1000,
  sec: 1000,
  secs: 1000,
  second: 1000,
  seconds: 1000,
  m: 60_000,
  min: 60_000,
  mins: 60_000,
  minute: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hrs: 3_600_000,
  hour: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  days: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
  weeks: 604_800_000,
};

/** Whole milliseconds, or null if the text is not a duration. */
export function parseDurationMs(text: string): number | null {
  let rest = text.trim().toLowerCase();
  if (/^\d+(\.\d+)?$/.test(rest)) return whole(Number(rest));
  let total = 0;
  let parts = 0;
  for (; rest !== ''; parts++) {
    const clock = /^(\d+):([0-5]?\d)(?::([0-5]?\d(?:\.\d+)?))?\s*/.exec(rest);
    if (clock !== null) {
      total += Number(clock[1]) * 3_600_000 + Number(clock[2]) * 60_000 + Number(clock[3] ?? 0) * 1000;
      rest = rest.slice(clock[0].length);
      continue;
    }
    const part = /^(\d+(?:\.\d+)?)\s*([a-z]+)\s*/.exec(rest);
    const unit = part === null ? undefined : UNITS[part[2]];
    if (part === null || unit === undefined) return null;
    total += Number(part[1]) * unit;
    rest = rest.slice(part[0].length);
  }
  return parts === 0 ? null : whole(total);
}

function whole(ms: number): number | null {
  const rounded = Math.round(ms);
  return Number.isSafeInteger(rounded) ? rounded : null;
}

/** In the largest unit that divides it, as Postgres shows settings. */
export function formatDurationMs(ms: number): string {
  if (ms === 0) return '0';
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1000],
  ] as const) {
    if (ms % size === 0) return `${ms / size}${unit}`;
  }
  return `${ms}ms`;
}
