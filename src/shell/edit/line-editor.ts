/** A multi-line text being edited. Positions are UTF-16 offsets that never split a character. */

let segmenter: Intl.Segmenter | null = null;

/** Made when it is first needed, which takes some milliseconds. */
function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

const WORD = /[\p{L}\p{N}_]/u;
const UNDO_MAX = 200;

export class LineEditor {
  text = '';
  cursor = 0;
  /** Last killed text, for `yank`. */
  #killed = '';
  #undo: { text: string; cursor: number }[] = [];

  set(text: string, cursor = text.length): void {
    this.text = text;
    this.cursor = cursor;
  }

  clear(): void {
    this.set('');
    this.#undo = [];
  }

  insert(text: string): void {
    this.replace(this.cursor, this.cursor, text);
  }

  replace(from: number, to: number, text: string): void {
    this.#remember();
    this.text = this.text.slice(0, from) + text + this.text.slice(to);
    this.cursor = from + text.length;
  }

  undo(): void {
    const last = this.#undo.pop();
    if (last !== undefined) this.set(last.text, last.cursor);
  }

  /** True if it is an editing key. */
  key(name: string): boolean {
    switch (name) {
      case 'left':
      case 'ctrl-b':
        this.cursor = this.#before(this.cursor);
        return true;
      case 'right':
      case 'ctrl-f':
        this.cursor = this.#behind(this.cursor);
        return true;
      case 'home':
      case 'ctrl-a':
        this.cursor = this.#lineStart();
        return true;
      case 'end':
      case 'ctrl-e':
        this.cursor = this.#lineEnd();
        return true;
      case 'ctrl-home':
        this.cursor = 0;
        return true;
      case 'ctrl-end':
        this.cursor = this.text.length;
        return true;
      case 'alt-b':
      case 'ctrl-left':
      case 'alt-left':
        this.cursor = this.#wordStart(WORD);
        return true;
      case 'alt-f':
      case 'ctrl-right':
      case 'alt-right':
        this.cursor = this.#wordEnd();
        return true;
      case 'backspace':
        this.#cut(this.#before(this.cursor), this.cursor, false);
        return true;
      case 'delete':
        this.#cut(this.cursor, this.#behind(this.cursor), false);
        return true;
      case 'ctrl-k': {
        const end = this.#lineEnd();
        // At the end of a line, kills the line break.
        this.#cut(this.cursor, end === this.cursor ? Math.min(this.text.length, end + 1) : end);
        return true;
      }
      case 'ctrl-u':
        this.#cut(this.#lineStart(), this.cursor);
        return true;
      case 'ctrl-w':
        this.#cut(this.#wordStart(/\S/), this.cursor);
        return true;
      case 'alt-backspace':
      case 'ctrl-backspace':
        this.#cut(this.#wordStart(WORD), this.cursor);
        return true;
      case 'alt-d':
      case 'ctrl-delete':
        this.#cut(this.cursor, this.#wordEnd());
        return true;
      case 'ctrl-y':
        this.insert(this.#killed);
        return true;
      case 'ctrl-_':
        this.undo();
        return true;
      default:
        return false;
    }
  }

  /** Moves one line up or down; false if there is none. */
  vertical(by: -1 | 1): boolean {
    const start = this.#lineStart();
    const column = this.cursor - start;
    if (by < 0) {
      if (start === 0) return false;
      const above = this.text.lastIndexOf('\n', start - 2) + 1;
      this.cursor = Math.min(above + column, start - 1);
    } else {
      const end = this.#lineEnd();
      if (end === this.text.length) return false;
      const after = this.text.indexOf('\n', end + 1);
      this.cursor = Math.min(end + 1 + column, after < 0 ? this.text.length : after);
    }
    return true;
  }

  #remember(): void {
    this.#undo.push({ text: this.text, cursor: this.cursor });
    if (this.#undo.length > UNDO_MAX) this.#undo.shift();
  }

  #cut(from: number, to: number, keep = true): void {
    if (from === to) return;
    if (keep) this.#killed = this.text.slice(from, to);
    this.replace(from, to, '');
  }

  #lineStart(): number {
    return this.cursor === 0 ? 0 : this.text.lastIndexOf('\n', this.cursor - 1) + 1;
  }

  #lineEnd(): number {
    const end = this.text.indexOf('\n', this.cursor);
    return end < 0 ? this.text.length : end;
  }

  #before(at: number): number {
    if (at === 0) return 0;
    const from = Math.max(0, at - 40);
    let last = from;
    for (const { index } of graphemes(this.text.slice(from, at))) last = from + index;
    return last;
  }

  #behind(at: number): number {
    const [first] = graphemes(this.text.slice(at, at + 40));
    return first === undefined ? at : at + first.segment.length;
  }

  #wordStart(part: RegExp): number {
    let at = this.cursor;
    while (at > 0 && !part.test(this.text[at - 1])) at--;
    while (at > 0 && part.test(this.text[at - 1])) at--;
    return at;
  }

  #wordEnd(): number {
    let at = this.cursor;
    while (at < this.text.length && !WORD.test(this.text[at])) at++;
    while (at < this.text.length && WORD.test(this.text[at])) at++;
    return at;
  }
}
