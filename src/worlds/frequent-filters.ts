/** Which filters of `find` read whole tables, and how often: one that comes again and again is worth an index. In memory, for a bounded number of filters. */

/** A table with fewer rows is read in some milliseconds. */
const ROWS_MIN = 50_000;
/** The first reads may be a person's who looks around. */
const TIMES_MIN = 10;
/** With more of the rows an index is not used. */
const PART_MAX = 0.1;
const FILTERS_MAX = 1000;

export class FrequentFilters {
  /** By table and fields, the filter that was read last at the end. */
  readonly #times = new Map<string, number>();

  /** Notes a read of all `rows` of a table, of which `matching` have the wanted values in these fields. True if an index would have been better, and often. */
  note(table: number, fields: readonly string[], rows: number, matching: number): boolean {
    if (rows < ROWS_MIN || matching > rows * PART_MAX) return false;
    const filter = JSON.stringify([table, ...fields.toSorted()]);
    const times = (this.#times.get(filter) ?? 0) + 1;
    this.#times.delete(filter);
    this.#times.set(filter, times);
    if (this.#times.size > FILTERS_MAX) this.#times.delete(this.#times.keys().next().value!);
    return times >= TIMES_MIN;
  }
}
