/**
 * How many rows a pipeline takes between two looks at the clock. One at first, then more while they are quick: a row
 * may be a comparison of two numbers or a text of a megabyte, and nobody else runs before the next look.
 */
import type { Run } from './run.ts';

/** Aimed at between two looks, so that a slice ends near its time. */
const PIECE_MS = 1;
const ROWS_MAX = 4096;
/** So many rows may be taken in one go before anything is known of them. */
const FEW_ROWS = 16;
/** Of goes that follow one another, the first and then one in so many are measured. */
const GOES_PER_LOOK = 8;
/** At full pace chunks are this far between looks; reading the clock takes as long as some ten rows. */
const CHUNKS_PER_LOOK = 2;

export class Pace {
  #rows = 1;
  /** What large values allow. */
  #most = ROWS_MAX;
  readonly #run: Run | null;
  #begun = 0;
  #chunks = 0;
  #few = FEW_ROWS;
  #goes = 0;

  /** `run`: the rows go to whoever reads them, who may want few; null: they are all taken. */
  constructor(run: Run | null) {
    this.#run = run;
  }

  get rows(): number {
    const wanted = this.#run === null ? Infinity : this.#run.rowsWanted;
    return wanted < this.#rows ? wanted : this.#rows;
  }

  /** Rows are so large that no more of them should be made between two looks. */
  limit(rows: number): void {
    this.#most = rows < 1 ? 1 : rows < ROWS_MAX ? rows : ROWS_MAX;
    if (this.#rows > this.#most) this.#rows = this.#most;
    if (this.#most < this.#few) this.#few = this.#most;
  }

  begin(): void {
    if (this.#rows < ROWS_MAX) this.#begun = performance.now();
  }

  /** After a piece of so many rows: whether the time slice is over. */
  end(run: Run, rows: number): boolean {
    if (this.#rows < ROWS_MAX) {
      const now = performance.now();
      const took = now - this.#begun;
      const fit = took <= PIECE_MS / 4 ? Infinity : Math.floor((Math.max(1, rows) * PIECE_MS) / took);
      // Pieces that were cut short by the end of a chunk say nothing of longer ones.
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

  /** How many rows may be taken in one go, where nobody can be let in before the last of them. */
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
