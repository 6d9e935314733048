/** The prompt: a text being edited, with history, search, completion and colours. Ends with the entered text. */
import type { Completion, Names } from '../edit/completion.ts';
import { commonPrefix, complete, type CommandSyntax } from '../edit/completion.ts';
import { highlight, painted } from '../edit/highlight.ts';
import type { History } from '../edit/history.ts';
import type { Key } from '../edit/keys.ts';
import { LineEditor } from '../edit/line-editor.ts';
import { pieces } from '../edit/pieces.ts';
import type { Style } from '../text/style.ts';
import { characterWidth, cut, padEnd, textWidth } from '../text/width.ts';
import { View } from './view.ts';

export interface PromptOptions {
  /** `main> ` */
  readonly prompt: string;
  /** `main- ` */
  readonly continuation: string;
  readonly history: History;
  readonly style: Style;
  readonly syntax: CommandSyntax;
  readonly keywords: ReadonlySet<string>;
  /** Called when Tab is pressed for the first time. */
  names(): Promise<Names>;
  /** Clears the screen; the prompt stays. */
  clearScreen(): void;
  readonly text?: string;
  /** For rows of a COPY: Enter takes the line unchanged, Ctrl-C cancels. */
  readonly rows?: boolean;
}

/** null: leave the shell. */
export type Entered = string | null;

/** The rows were cancelled. */
export const CANCELLED = '\0';

/** Maximum number of lines above the prompt. */
const SHOWN_MAX = 10;

const MENU_LINES_MAX = 6;
/** A statement followed by its rows. */
const COPY_IN = /^\s*\\?copy\b[^;]*\bfrom\s+p?stdin\b/i;

interface Menu {
  readonly completion: Completion;
  /** Chosen by Tab; -1: none. */
  chosen: number;
}

export class PromptView extends View<Entered> {
  readonly editor = new LineEditor();
  readonly #options: PromptOptions;
  #menu: Menu | null = null;
  #search: { part: string; at: number; found: boolean; typed: string } | null = null;
  #done = false;
  #completing = false;
  readonly #waiting: Key[] = [];
  /** First visible row of a text that is higher than the screen. */
  #top = 0;
  /** Lines shown above the waiting prompt. */
  #shown: string[] = [];

  constructor(options: PromptOptions) {
    super();
    this.#options = options;
    if (options.text !== undefined) this.editor.set(options.text);
  }

  /** Shows lines above the prompt. */
  show(lines: readonly string[]): void {
    this.#shown = [...this.#shown, ...lines].slice(-SHOWN_MAX);
    this.draw();
  }

  key(key: Key): void {
    if (this.#done) {
      this.keep(key);
      return;
    }
    // Keys typed while names are loaded are applied after the completion.
    if (this.#completing) this.#waiting.push(key);
    else this.#key(key);
    this.draw();
  }

  #key({ name, text }: Key): void {
    const { editor } = this;
    if (this.#search !== null && this.#searching(name, text)) return;
    if (this.#menu !== null && name !== 'tab' && name !== 'backtab') {
      const { chosen } = this.#menu;
      this.#menu = null;
      // An escape only closes the list.
      if (name === 'escape') return;
      if (name === 'enter' && chosen >= 0) return;
    }
    if (this.#options.rows === true && this.#rowKey(name, text)) return;
    switch (name) {
      case 'text':
        editor.insert(text);
        return;
      case 'paste':
        // Rows after a COPY are inserted unchanged.
        editor.insert(COPY_IN.test(editor.text + text) ? text : text.replaceAll('\t', '  '));
        return;
      case 'enter':
        this.#enter();
        return;
      case 'alt-enter':
        editor.insert('\n');
        return;
      case 'tab':
        this.#tab(1);
        return;
      case 'backtab':
        this.#tab(-1);
        return;
      case 'up':
      case 'ctrl-p':
        if (!editor.vertical(-1)) this.#recall(this.#options.history.older(editor.text));
        return;
      case 'down':
      case 'ctrl-n':
        if (!editor.vertical(1)) this.#recall(this.#options.history.newer());
        return;
      case 'ctrl-r':
        this.#search = { part: '', at: this.#options.history.entries.length, found: true, typed: editor.text };
        return;
      case 'ctrl-l':
        this.#options.clearScreen();
        return;
      case 'ctrl-c':
        // Empty: leave. Otherwise the text is cancelled.
        this.#close(editor.text === '' ? null : '');
        return;
      case 'ctrl-d':
        if (editor.text === '') this.#close(null);
        else editor.key('delete');
        return;
      default:
        editor.key(name);
    }
  }

  /** True if the key has another meaning while rows are typed. */
  #rowKey(name: string, text: string): boolean {
    const { editor } = this;
    if (name === 'paste') editor.insert(text);
    else if (name === 'tab') editor.insert('\t');
    else if (name === 'enter') this.#close(editor.text);
    else if (name === 'ctrl-c') this.#close(CANCELLED);
    else return name === 'up' || name === 'down' || name === 'ctrl-r' || name === 'alt-enter';
    return true;
  }

  #recall(entry: string | null): void {
    if (entry !== null) this.editor.set(entry);
  }

  #enter(): void {
    const { editor } = this;
    const parts = pieces(`${editor.text}\n`, this.#options.syntax.isCommand);
    const last = parts.at(-1);
    const copies = parts.some(({ text, whole }) => whole && COPY_IN.test(text));
    if (last === undefined || last.whole || copies) this.#close(editor.text);
    else editor.insert('\n');
  }

  #close(entered: Entered): void {
    this.#done = true;
    this.#menu = null;
    this.#search = null;
    if (this.#options.rows !== true && entered !== null && entered !== '') this.#options.history.add(entered);
    else this.#options.history.reset();
    this.finish(entered);
  }

  // --- search

  /** True if the key belongs to the search. */
  #searching(name: string, text: string): boolean {
    const search = this.#search!;
    const look = (before: number): void => {
      const hit = this.#options.history.search(search.part, before);
      search.found = hit !== null || search.part === '';
      if (hit === null) return;
      search.at = hit.at;
      this.editor.set(hit.entry);
    };
    switch (name) {
      case 'text':
        search.part += text;
        look(Math.min(search.at + 1, this.#options.history.entries.length));
        return true;
      case 'backspace':
        search.part = [...search.part].slice(0, -1).join('');
        look(this.#options.history.entries.length);
        return true;
      case 'ctrl-r':
      case 'up':
        look(search.at);
        return true;
      case 'ctrl-c':
      case 'ctrl-g':
        this.editor.set(search.typed);
        this.#search = null;
        return true;
      case 'escape':
        this.#search = null;
        return true;
      default:
        // Any other key accepts the match and is handled as usual.
        this.#search = null;
        return false;
    }
  }

  // --- completion

  #tab(by: 1 | -1): void {
    const { editor } = this;
    if (this.#menu !== null) {
      const { completion } = this.#menu;
      const count = completion.candidates.length;
      this.#menu.chosen = this.#menu.chosen < 0 && by < 0 ? count - 1 : (this.#menu.chosen + by + count) % count;
      const { text } = completion.candidates[this.#menu.chosen];
      editor.replace(completion.from, editor.cursor, text);
      return;
    }
    // At the start of a line Tab indents.
    if (/(^|\n)[ ]*$/.test(editor.text.slice(0, editor.cursor)) && editor.text !== '') {
      editor.insert('  ');
      return;
    }
    if (this.#completing) return;
    this.#completing = true;
    void this.#options
      .names()
      .then((names) => this.#offer(names))
      .catch(() => {})
      .finally(() => {
        this.#completing = false;
        for (const key of this.#waiting.splice(0)) this.key(key);
        this.draw();
      });
  }

  #offer(names: Names): void {
    const { editor } = this;
    const completion = complete(editor.text, editor.cursor, names, this.#options.syntax);
    const { candidates, from, to } = completion;
    if (candidates.length === 0) return;
    if (candidates.length === 1) {
      const { text, kind } = candidates[0];
      editor.replace(from, to, kind === 'function' ? text : `${text} `);
      return;
    }
    const typed = editor.text.slice(from, to);
    const prefix = commonPrefix(candidates, typed);
    if (prefix !== typed) editor.replace(from, to, prefix);
    this.#menu = { completion: { ...completion, to: from + prefix.length }, chosen: -1 };
  }

  // --- lines

  lines(width: number, height: number): string[] {
    const { style, prompt, continuation } = this.#options;
    const { cursor } = this.editor;
    const text = this.editor.text.replaceAll('\t', '→');
    const search = this.#search;
    const paints = highlight(text, style, this.#options.keywords, this.#options.syntax.isCommand);
    const rows: string[] = [];
    let x = 0;
    let y = 0;
    let at = 0;
    for (const [number, line] of text.split('\n').entries()) {
      let lead = number === 0 ? prompt : continuation;
      if (textWidth(lead) > width / 2) lead = cut(lead, Math.floor(width / 2));
      let out = style.bold(lead);
      let used = textWidth(lead);
      let from = at;
      const end = at + line.length;
      for (let i = at; i <= end;) {
        if (i === cursor) {
          x = used;
          y = rows.length;
        }
        if (i === end) break;
        const character = String.fromCodePoint(text.codePointAt(i)!);
        const own = characterWidth(character);
        if (used + own > width - 1) {
          rows.push(out + painted(text, paints, from, i));
          out = '';
          used = 0;
          from = i;
          if (i === cursor) {
            x = 0;
            y = rows.length;
          }
        }
        used += own;
        i += character.length;
      }
      rows.push(out + painted(text, paints, from, end));
      at = end + 1;
    }
    const below = this.#done ? [] : search !== null ? [searchLine(search, style, width)] : this.#menuLines(width);
    const shown = this.#shown.flatMap((line) => wrapped(line, width - 1)).slice(-Math.max(0, height - below.length - 1) || Infinity);
    const room = Math.max(1, height - below.length - shown.length);
    // A text higher than the screen is shown around the cursor; after Enter, its end.
    if (rows.length > room) {
      if (this.#done) this.#top = rows.length - room;
      else this.#top = Math.max(Math.min(this.#top, y), y - room + 1, 0);
    } else this.#top = 0;
    const visibleRows = rows.slice(this.#top, this.#top + room);
    this.cursor = this.#done ? null : { x, y: y - this.#top + shown.length };
    return [...shown, ...visibleRows, ...below];
  }

  #menuLines(width: number): string[] {
    const menu = this.#menu;
    if (menu === null) return [];
    const { style } = this.#options;
    const { candidates } = menu.completion;
    const widest = Math.min(width - 2, Math.max(...candidates.map(({ text }) => textWidth(text))) + 2);
    const columns = Math.max(1, Math.floor((width - 1) / widest));
    const rows = Math.ceil(candidates.length / columns);
    const chosenRow = menu.chosen < 0 ? 0 : menu.chosen % rows;
    const shownRows = Math.min(rows, MENU_LINES_MAX);
    const top = Math.max(0, Math.min(chosenRow - shownRows + 1, rows - shownRows));
    const lines: string[] = [];
    for (let row = top; row < top + shownRows; row++) {
      let line = '';
      for (let column = 0; column < columns; column++) {
        const index = column * rows + row;
        if (index >= candidates.length) break;
        const cell = padEnd(cut(candidates[index].text, widest - 2), widest - 2);
        line += `${index === menu.chosen ? style.inverse(cell) : style.dim(cell)}  `;
      }
      lines.push(` ${line.trimEnd()}`);
    }
    if (rows > shownRows) lines.push(style.dim(` … ${candidates.length} in all, Tab shows more`));
    return lines;
  }
}

function wrapped(line: string, width: number): string[] {
  const out: string[] = [];
  for (let rest = line; rest !== '';) {
    const part = textWidth(rest) <= width ? rest : cut(rest, width).slice(0, -1);
    out.push(part);
    rest = rest.slice(part.length);
    if (part === '') break;
  }
  return out;
}

function searchLine({ part, found }: { part: string; found: boolean }, style: Style, width: number): string {
  return `${found ? style.cyan('search') : style.red('not found')}: ${cut(part, width - 14)}▏`;
}
