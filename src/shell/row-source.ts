/** Rows of a query for the pager: fetched on demand, with the layout of the first ones. */
import type { Answer, ShellLink } from './link/link.ts';
import type { Style } from './text/style.ts';
import { type Cells, countLine, headLines, layOut, rowLines, type TableLayout, type TableOptions } from './text/table.ts';
import type { LineSource } from './view/pager-view.ts';

const ROWS_AT_ONCE = 500;

export class RowSource implements LineSource {
  readonly #link: ShellLink;
  readonly #style: Style;
  readonly #expanded: boolean | 'auto';
  readonly #columns: NonNullable<Answer['columns']>;
  readonly rows: Cells[];
  /** Rows are on their way. */
  loading = false;
  #more: boolean;
  #made: string[] = [];
  #madeOf = 0;
  #madeFor = -1;
  #layout: TableLayout | null = null;

  constructor(answer: Answer, link: ShellLink, style: Style, expanded: boolean | 'auto') {
    this.#link = link;
    this.#style = style;
    this.#expanded = expanded;
    this.#columns = answer.columns ?? [];
    this.rows = [...answer.rows];
    this.#more = answer.more;
  }

  get more(): boolean {
    return this.#more;
  }

  get count(): string {
    return countLine(this.rows.length, this.#more);
  }

  async load(): Promise<void> {
    this.loading = true;
    try {
      const { rows, more } = await this.#link.more(ROWS_AT_ONCE);
      for (const row of rows) this.rows.push(row);
      this.#more = more;
    } finally {
      this.loading = false;
    }
  }

  head(width: number): readonly string[] {
    this.lines(width);
    return headLines(this.#columns, this.#layout!, this.#style);
  }

  lines(width: number): readonly string[] {
    const options: TableOptions = { width, style: this.#style, expanded: this.#expanded };
    if (this.#madeFor !== width) {
      this.#madeFor = width;
      this.#made = [];
      this.#madeOf = 0;
      this.#layout = layOut(this.#columns, this.rows.slice(0, ROWS_AT_ONCE), options);
    }
    if (this.#madeOf < this.rows.length) {
      const lines = rowLines(this.#columns, this.rows.slice(this.#madeOf), this.#layout!, { ...options, firstRow: this.#madeOf + 1 });
      for (const line of lines) this.#made.push(line);
      this.#madeOf = this.rows.length;
    }
    return this.#made;
  }
}
