/**
 * The text under construction and its indentation, as ruleutils.c keeps them (appendContextKeyword): each clause word
 * starts a line, moved by what surrounds it.
 */
export const INDENT = 8;
export const INDENT_JOIN = 4;
export const INDENT_ITEM = 4;
const INDENT_LIMIT = 40;

export class Printer {
  text = '';
  indent = 0;
  /** Leaves out parentheses that precedence makes needless, as pg_get_viewdef(…, true) does. */
  readonly pretty: boolean;

  constructor(pretty: boolean) {
    this.pretty = pretty;
  }

  /** `words` on a line of its own; the indentation changes by `before` first and by `after` then, `plus` is for this line alone. */
  line(words: string, before: number, after: number, plus: number): void {
    this.indent += before;
    this.trim();
    const level = Math.max(this.indent, 0);
    // Deeply nested text would drift out of sight: beyond the limit the indentation turns around.
    const spaces = level < INDENT_LIMIT ? level : (INDENT_LIMIT + Math.trunc((level - INDENT_LIMIT) / (INDENT / 2))) % INDENT_LIMIT;
    this.text += `\n${' '.repeat(spaces + plus)}${words}`;
    this.indent = Math.max(this.indent + after, 0);
  }

  /** Takes blanks off the end. */
  trim(): void {
    let end = this.text.length;
    while (end > 0 && this.text.charCodeAt(end - 1) === 32) end--;
    if (end < this.text.length) this.text = this.text.slice(0, end);
  }

  /** What `print` would append. */
  aside(print: () => void): string {
    const outer = this.text;
    this.text = '';
    print();
    const inner = this.text;
    this.text = outer;
    return inner;
  }
}
