/** Progress notifications for a call with a `progressToken`: once a second, from the first second on. */
const EVERY_MS = 1000;

export interface Report {
  /** Reports the tool's progress; sent with the next notification. */
  (done: number, total: number, what: string): void;
}

export interface ProgressParams {
  progress: number;
  total?: number;
  message: string;
  [extra: string]: unknown;
}

export interface Ticker {
  readonly report: Report;
  stop(): void;
}

export function ticker(name: string, notify: (params: ProgressParams) => void): Ticker {
  const begun = performance.now();
  let last = 0;
  let reported: ProgressParams | null = null;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    // The figure must rise with each notification: without progress from the tool, it is the time.
    const next =
      reported !== null && reported.progress > last ? reported : reported === null ? { progress: seconds, message: `${name}: running for ${seconds} s` } : null;
    if (next === null || next.progress <= last) return;
    last = next.progress;
    notify(next);
  }, EVERY_MS);
  return {
    report: (progress, total, what) => {
      reported = { progress, total, message: what };
    },
    stop: () => clearInterval(timer),
  };
}
