/** The text under construction and its indentation, as in ruleutils.c (appendContextKeyword): each clause keyword starts a line, indented by its context. */
export const INDENT = 8;
export const INDENT_JOIN = 4;
export const INDENT_ITEM = 4;
const INDENT_LIMIT = 40;

export class Printer {
  text = '';
  indent = 0;
  /** Omits parentheses that precedence makes redundant, as pg_get_viewdef(…, true) does. */
  readonly pretty: boolean;

  constructor(pretty: boolean) {
    this.pretty = pretty;
  }

  /** `words` on a new line; the indentation changes by `before` first and by `after` then, `plus` applies to this line only. */
  line(words: string, before: number, after: number, plus: number): void {
    this.indent += before;
    this.trim();
    const level = Math.max(this.indent, 0);
    // Deeply nested text wraps the indentation around at a limit.
    const spaces = level < INDENT_LIMIT ? level : (INDENT_LIMIT + Math.trunc((level - INDENT_LIMIT) / (INDENT / 2))) % INDENT_LIMIT;
    this.text += `\n${' '.repeat(spaces + plus)}${words}`;
    this.indent = Math.max(this.indent + after, 0);
  }

  /** Removes trailing blanks. */
  trim(): void {
    let end = this.text.length;
    while (end > 0 && this.text.charCodeAt(end - 1) === 32) end--;
    if (end < this.text.length) this.text = this.text.slice(0, end);
  }

  /** The text that `print` would append. */
  aside(print: () => void): string {
    const outer = this.text;
    this.text = '';
    print();
    const inner = this.text;
    this.text = outer;
    return inner;
  }
}
