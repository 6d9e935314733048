/** Counts durations by buckets, for histograms of metrics. */

/** Upper bounds of the buckets, in seconds; one more bucket holds what is longer. */
export const DURATION_BOUNDS: readonly number[] = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export class Durations {
  /** Durations within each bound and above the one before, and those above all. */
  readonly counts = new Float64Array(DURATION_BOUNDS.length + 1);
  /** In seconds. */
  sum = 0;

  /** In milliseconds. */
  add(ms: number): void {
    const seconds = ms / 1000;
    let i = 0;
    while (i < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[i]) i++;
    this.counts[i]++;
    this.sum += seconds;
  }
}
