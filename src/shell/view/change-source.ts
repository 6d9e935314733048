/** Changes of a diff for a pager: deleted rows first, then the others, fetched by pages. */
import type { Change, DiffReply, RunControl } from '../../commands/contract.ts';
import { changeLines, definitionLines, summaryLines, summaryText } from '../text/change-lines.ts';
import type { Style } from '../text/style.ts';
import type { LineSource } from './pager-view.ts';

export type Diff = (input: Record<string, unknown>, control?: RunControl) => Promise<DiffReply>;

const PAGE_ROWS = 100;

export class ChangeSource implements LineSource {
  readonly changes: Change[] = [];
  readonly counted: DiffReply;
  readonly #diff: Diff;
  readonly #input: Record<string, unknown>;
  readonly #style: Style;
  /** For each pass, whether deleted rows are wanted. */
  readonly #passes: boolean[];
  #after: string | null = null;
  #more: boolean;
  readonly #total: number;
  #made: string[] = [];
  #madeOf = 0;
  #madeFor = -1;

  private constructor(diff: Diff, input: Record<string, unknown>, counted: DiffReply, style: Style, only: boolean | undefined) {
    this.#diff = diff;
    this.#input = input;
    this.counted = counted;
    this.#style = style;
    this.#total = counted.total ?? 0;
    this.#more = this.#total > 0;
    const deletes = (counted.summary ?? []).reduce((sum, { deleted }) => sum + deleted, 0);
    if (only === undefined) this.#passes = deletes === 0 ? [false] : deletes === this.#total ? [true] : [true, false];
    else this.#passes = [only];
  }

  /** Counts first, in one pass that keeps no rows. `only`: deleted rows, or the others. */
  static async open(diff: Diff, input: Record<string, unknown>, style: Style, only?: boolean, control?: RunControl): Promise<ChangeSource> {
    return new ChangeSource(diff, input, await diff({ ...input, count: true }, control), style, only);
  }

  get more(): boolean {
    return this.#more;
  }

  get total(): number {
    return this.#total;
  }

  async load(): Promise<void> {
    if (!this.#more) return;
    const { version } = this.counted;
    const { changes = [], next } = await this.#diff({
      ...this.#input,
      deletes: this.#passes[0],
      limit: PAGE_ROWS,
      ...(this.#after === null ? {} : { after: this.#after }),
      ...(version === undefined ? {} : { version }),
    });
    this.changes.push(...changes);
    if (next !== null && next !== undefined && changes.length > 0) this.#after = next;
    else {
      this.#passes.shift();
      this.#after = null;
      this.#more = this.#passes.length > 0;
    }
  }

  lines(width: number | null): readonly string[] {
    const key = width ?? 0;
    if (this.#madeFor !== key) {
      this.#made = [];
      this.#madeOf = 0;
      this.#madeFor = key;
    }
    for (; this.#madeOf < this.changes.length; this.#madeOf++) this.#made.push(...changeLines(this.changes[this.#madeOf], this.#style, width));
    return this.#made;
  }

  /** The counts, as lines above the rows. */
  summary(title: string, width: number | null): string[] {
    const { summary = [], effects = [], definitions = [] } = this.counted;
    const lines = [`${this.#style.bold(title)}  ${summaryText(summary)}`];
    if (summary.length > 0) lines.push(...summaryLines(summary, this.#style, width));
    lines.push(...definitionLines(definitions, this.#style, width));
    if (effects.length > 0)
      lines.push(`a merge sends ${effects.length} effect${effects.length === 1 ? '' : 's'}: ${[...new Set(effects.map(({ channel }) => channel))].join(', ')}`);
    return lines;
  }
}
