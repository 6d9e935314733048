/**
 * Reads typed or piped input piece by piece, and the rows of COPY FROM STDIN between pieces: from the line after the
 * statement to a line with `\.`, or to the end.
 */
import { firstPiece, type Piece } from './pieces.ts';

/** A long text that lacks its `;` is scanned again only after it has grown by this much. */
const RESCAN_LENGTH = 1_000_000;
const RESCAN_GROWTH = 1.25;

/** Requests the next piece, or rows of a COPY. null: end of input. */
export type More = (what: 'piece' | 'data') => Promise<string | null>;

export class PieceSource {
  readonly #more: More;
  readonly #isCommand: (line: string) => boolean;
  #text: string;
  #at = 0;
  #ended = false;
  #data: 'none' | 'rows' | 'over' = 'none';
  #begins = false;

  constructor(text: string, isCommand: (line: string) => boolean, more: More) {
    this.#text = text;
    this.#isCommand = isCommand;
    this.#more = more;
  }

  /** There is unread input. */
  get waits(): boolean {
    return this.#text.slice(this.#at).trim() !== '';
  }

  /** The rest at the end is a piece too, possibly incomplete. null at the end. */
  async next(): Promise<Piece | null> {
    this.#data = 'none';
    for (let looked = 0; ;) {
      const left = this.#text.length - this.#at;
      if (this.#ended || left <= RESCAN_LENGTH || left >= looked * RESCAN_GROWTH) {
        const piece = firstPiece(this.#text, this.#at, this.#isCommand);
        if (piece?.whole === true || (piece !== null && this.#ended)) {
          this.#at = piece.end;
          return piece;
        }
        looked = left;
      }
      if (this.#ended) return null;
      await this.#grow('piece');
    }
  }

  /** No row of the running COPY has been read yet. */
  get dataBegins(): boolean {
    return this.#begins;
  }

  /** Rows of the running COPY: whole lines, null after the last. */
  async rows(): Promise<string | null> {
    if (this.#data === 'over') return null;
    if (this.#data === 'none') {
      this.#data = 'rows';
      this.#begins = true;
      while (!this.#behindStatement()) if (!(await this.#grow('data'))) return this.#rest();
    }
    for (;;) {
      const taken = this.#takeRows();
      if (taken !== null && taken !== '') return taken;
      if (taken === null || this.#ended) {
        this.#data = 'over';
        return null;
      }
      if (!(await this.#grow('data'))) return this.#rest();
    }
  }

  /** Skips the rest of the statement's line; false if it is incomplete. */
  #behindStatement(): boolean {
    const found = /\S|\n/.exec(this.#text.slice(this.#at));
    if (found === null) return this.#ended;
    if (found[0] === '\n') this.#at += found.index + 1;
    return true;
  }

  /** The incomplete last line, when no more rows come. */
  #rest(): string | null {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    this.#data = 'over';
    return rest === '' || rest.trimEnd() === '\\.' ? null : rest;
  }

  /** Drops buffered rows that are no longer wanted. */
  dropRows(): void {
    while (this.#data === 'rows') {
      const taken = this.#takeRows();
      if (taken === '') this.#at = this.#text.length;
      if (taken === null || taken === '') this.#data = 'over';
    }
  }

  /** Lines up to the end of the rows, or of the buffer; null at the `\.`. */
  #takeRows(): string | null {
    const end = this.#ended ? /^\\\.\r?(?:\n|$)/m : /^\\\.\r?\n/m;
    const found = this.#text.startsWith('\\.', this.#at) || this.#text.includes('\n\\.', this.#at) ? end.exec(this.#text.slice(this.#at)) : null;
    if (found?.index === 0) {
      this.#at += found[0].length;
      return null;
    }
    // An incomplete line may be the last row.
    const upTo = found !== null ? this.#at + found.index : this.#ended ? this.#text.length : this.#text.lastIndexOf('\n') + 1;
    if (upTo <= this.#at) return '';
    this.#begins = false;
    const taken = this.#text.slice(this.#at, upTo);
    this.#at = upTo;
    return taken;
  }

  /** False at the end. */
  async #grow(what: 'piece' | 'data'): Promise<boolean> {
    const more = await this.#more(what);
    this.#text = this.#text.slice(this.#at) + (more ?? '');
    this.#at = 0;
    // A person may end the rows of a COPY and continue with statements.
    if (more === null && what === 'piece') this.#ended = true;
    return more !== null;
  }
}
