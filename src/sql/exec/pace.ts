/**
 * The number of rows that a pipeline takes between two clock checks. One at first, then more while they are quick: a row may
 * be a comparison of two numbers or a text of a megabyte, and the event loop is blocked until the next look.
 */
import type { Run } from './run.ts';

/** Target time between two looks, so that a slice ends near its limit. */
const PIECE_MS = 1;
const ROWS_MAX = 4096;
/** Rows that may be taken at once before anything is measured. */
const FEW_ROWS = 16;
/** Of consecutive calls, the first and then one in this many are measured. */
const GOES_PER_LOOK = 8;
/** At full pace a look is taken every this many chunks; reading the clock takes as long as some ten rows. */
const CHUNKS_PER_LOOK = 2;

export class Pace {
  #rows = 1;
  /** The maximum for large values. */
  #most = ROWS_MAX;
  readonly #run: Run | null;
  #begun = 0;
  #chunks = 0;
  #few = FEW_ROWS;
  #goes = 0;

  /** `run`: the rows go to the reader, which may want few; null: all are taken. */
  constructor(run: Run | null) {
    this.#run = run;
  }

  get rows(): number {
    const wanted = this.#run === null ? Infinity : this.#run.rowsWanted;
    return wanted < this.#rows ? wanted : this.#rows;
  }

  /** Limits the rows between two looks, since they are large. */
  limit(rows: number): void {
    this.#most = rows < 1 ? 1 : rows < ROWS_MAX ? rows : ROWS_MAX;
    if (this.#rows > this.#most) this.#rows = this.#most;
    if (this.#most < this.#few) this.#few = this.#most;
  }

  begin(): void {
    if (this.#rows < ROWS_MAX) this.#begun = performance.now();
  }

  /** After a piece of `rows`: whether the time slice is over. */
  end(run: Run, rows: number): boolean {
    if (this.#rows < ROWS_MAX) {
      const now = performance.now();
      const took = now - this.#begun;
      const fit = took <= PIECE_MS / 4 ? Infinity : Math.floor((Math.max(1, rows) * PIECE_MS) / took);
      // Pieces that were cut short by the end of a chunk say nothing about longer ones.
      if (rows >= this.#rows || fit < this.#rows) this.#rows = Math.max(1, Math.min(this.#rows * 4, fit, this.#most));
      return run.past(now) > 0;
    }
    if (++this.#chunks < CHUNKS_PER_LOOK) return false;
    this.#chunks = 0;
    const past = run.past(performance.now());
    // Rows have become slow: from here on each piece is measured again.
    if (past > 2 * PIECE_MS) this.#rows = Math.max(1, rows >> 6);
    return past > 0;
  }

  /** Rows that may be taken in one call without a yield. */
  get atOnce(): number {
    const few = this.#rows > this.#few ? this.#rows : this.#few;
    const wanted = this.#run === null ? Infinity : this.#run.rowsWanted;
    return wanted < few ? wanted : few;
  }

  beginGo(): void {
    this.#goes++;
    if (this.#goes < GOES_PER_LOOK || this.#goes % GOES_PER_LOOK === 0) this.#begun = performance.now();
  }

  endGo(rows: number): void {
    if (this.#goes >= GOES_PER_LOOK && this.#goes % GOES_PER_LOOK !== 0) return;
    const took = performance.now() - this.#begun;
    if (took > 2 * PIECE_MS) {
      this.#rows = Math.max(1, rows >> 6);
      this.#few = 0;
    } else if (took <= PIECE_MS / 4 && rows >= this.#rows) this.#rows = Math.min(this.#rows * 4, this.#most);
  }
}
