/** Long output a screen at a time. Lines are loaded on demand. */
import type { Key } from '../edit/keys.ts';
import type { Style } from '../text/style.ts';
import { cutLine, plainText } from '../text/width.ts';
import { View } from './view.ts';

export interface LineSource {
  /** Lines loaded so far, for a width. */
  lines(width: number): readonly string[];
  /** Fixed lines at the top of the screen. */
  head?(width: number): readonly string[];
  /** More lines can be loaded. */
  readonly more: boolean;
  /** Loads more lines. */
  load(): Promise<void>;
}

export class PagerView extends View<void> {
  readonly #source: LineSource;
  readonly #style: Style;
  readonly #title: string;
  #top = 0;
  #page = 20;
  #width = 80;
  #loading = false;
  #wanted = 0;
  /** The pattern being typed after `/` or `?`; null if none. */
  #typing: { text: string; readonly by: 1 | -1 } | null = null;
  #looked: { readonly pattern: RegExp; readonly text: string; readonly by: 1 | -1 } | null = null;
  #message = '';

  constructor(source: LineSource, style: Style, title = '') {
    super();
    this.#source = source;
    this.#style = style;
    this.#title = title;
  }

  override start(): void {
    this.#reach(this.#top + 2 * this.#page);
  }

  key(key: Key): void {
    this.#message = '';
    if (this.#typing !== null) {
      this.#type(key);
      this.draw();
      return;
    }
    for (const letter of this.letters(key)) {
      // Text pasted after a `/` is the pattern.
      if (this.#typing !== null) (this.#typing as { text: string }).text += letter;
      else this.#key(letter);
    }
    this.draw();
  }

  #key(letter: string): void {
    switch (letter) {
      case 'q':
      case 'Q':
      case 'escape':
      case 'ctrl-c':
      case 'ctrl-d':
        this.finish();
        return;
      case ' ':
      case 'f':
      case 'pagedown':
      case 'ctrl-f':
        this.#move(this.#page);
        return;
      case 'b':
      case 'pageup':
      case 'ctrl-b':
        this.#move(-this.#page);
        return;
      case 'd':
        this.#move(Math.ceil(this.#page / 2));
        return;
      case 'u':
        this.#move(-Math.ceil(this.#page / 2));
        return;
      case 'down':
      case 'j':
      case 'enter':
        this.#move(1);
        return;
      case 'up':
      case 'k':
        this.#move(-1);
        return;
      case 'home':
      case 'g':
        this.#top = 0;
        this.draw();
        return;
      case 'end':
      case 'G':
        // The end of a possibly endless source: loads some more each time.
        this.#move(this.#source.more ? 10 * this.#page : Infinity);
        return;
      case '/':
      case '?':
        this.#typing = { text: '', by: letter === '/' ? 1 : -1 };
        return;
      case 'n':
        this.#find(1);
        return;
      case 'N':
        this.#find(-1);
        return;
      default:
    }
  }

  #type({ name, text }: Key): void {
    const typing = this.#typing!;
    switch (name) {
      case 'text':
      case 'paste':
        typing.text += text;
        return;
      case 'backspace':
        if (typing.text === '') this.#typing = null;
        else typing.text = [...typing.text].slice(0, -1).join('');
        return;
      case 'enter':
        this.#typing = null;
        // An empty pattern repeats the last search, as in other pagers.
        if (typing.text !== '') this.#looked = { pattern: patternOf(typing.text), text: typing.text, by: typing.by };
        else if (this.#looked !== null) this.#looked = { ...this.#looked, by: typing.by };
        this.#find(1);
        return;
      case 'escape':
      case 'ctrl-c':
      case 'ctrl-g':
        this.#typing = null;
        return;
      default:
    }
  }

  /** The next matching line, in or against the direction of the search. Loads more lines until found. */
  #find(by: 1 | -1): void {
    const looked = this.#looked;
    if (looked === null) {
      this.#message = 'nothing has been searched for: /';
      return;
    }
    const step = by * looked.by;
    const look = (from: number): void => {
      const lines = this.#source.lines(this.#width);
      for (let at = from; at >= 0 && at < lines.length; at += step) {
        if (!looked.pattern.test(plainText(lines[at]))) continue;
        this.#found = at;
        this.#wanted = at;
        this.#moveToWanted();
        this.#reach(at + 2 * this.#page);
        return;
      }
      if (step > 0 && this.#source.more) {
        this.#message = `searching ${looked.text} …`;
        // The array grows in place.
        const end = lines.length;
        void this.work(async () => {
          // Wait for a load in progress.
          if (this.#loading) await new Promise((resolve) => setTimeout(resolve, 10));
          else {
            this.#loading = true;
            await this.#source.load().finally(() => (this.#loading = false));
          }
          this.#message = '';
          if (this.#looked === looked) look(end);
        });
        return;
      }
      this.#message = `${looked.text} is not found ${step > 0 ? 'below' : 'above'}`;
    };
    // Continue from the last match if it is on the screen, even where the page could not scroll to it.
    const shown = this.#found >= this.#top && this.#found < this.#top + this.#page;
    look(shown ? this.#found + step : step > 0 ? this.#top : this.#top - 1);
  }
  /** The last matching line. */
  #found = -1;

  #move(by: number): void {
    this.#wanted = Math.max(0, this.#top + by);
    this.#moveToWanted();
    this.#reach(this.#wanted + 2 * this.#page);
    this.draw();
  }

  /** Moves as far towards the wanted position as there are lines. */
  #moveToWanted(): void {
    this.#top = Math.max(0, Math.min(this.#wanted, this.#source.lines(this.#width).length - this.#page));
  }

  #reach(line: number): void {
    if (this.#loading || !this.#source.more || this.#source.lines(this.#width).length >= line) return;
    this.#loading = true;
    void this.work(async () => {
      await this.#source.load();
      this.#loading = false;
      if (this.#wanted > this.#top) this.#moveToWanted();
      this.#reach(line);
    });
  }

  lines(width: number, height: number): string[] {
    this.#width = width;
    const head = this.#source.head?.(width) ?? [];
    this.#page = Math.max(1, height - head.length - 1);
    const lines = this.#source.lines(width);
    this.#top = Math.max(0, Math.min(this.#top, lines.length - this.#page));
    const shown = lines.slice(this.#top, this.#top + this.#page);
    const blank = new Array<string>(Math.max(0, this.#page - shown.length)).fill('');
    const last = Math.min(lines.length, this.#top + this.#page);
    const place = this.#source.more ? `${this.#top + 1}–${last}${this.#loading ? ' …' : ''}` : `${this.#top + 1}–${last} of ${lines.length}`;
    const end = !this.#source.more && last === lines.length ? ' (end)' : '';
    if (this.#typing !== null) {
      const line = `${this.#typing.by > 0 ? '/' : '?'}${this.#typing.text}▏`;
      return [...head, ...this.#marked(shown), ...blank].map((each) => cutLine(each, width)).concat(cutLine(line, width - 1));
    }
    if (this.#message !== '')
      return [...head, ...this.#marked(shown), ...blank].map((each) => cutLine(each, width)).concat(this.#style.yellow(cutLine(this.#message, width - 1)));
    const bar = `${this.#title === '' ? '' : ` ${this.#title} `} ${place}${end}   space next · b back · ↑↓ · g/G · / search · q quit`;
    return [...head, ...this.#marked(shown), ...blank].map((line) => cutLine(line, width)).concat(this.#style.inverse(cutLine(bar, width - 1)));
  }

  /** Highlights matches; their lines lose other colours. */
  #marked(lines: readonly string[]): string[] {
    const { pattern } = this.#looked ?? {};
    if (pattern === undefined) return [...lines];
    const all = new RegExp(pattern.source, `${pattern.flags}g`);
    return lines.map((line) => {
      const plain = plainText(line);
      return pattern.test(plain) ? plain.replaceAll(all, (part) => this.#style.inverse(part)) : line;
    });
  }
}

/** A regular expression, or the literal text if invalid; case-sensitive if it has upper case. */
function patternOf(text: string): RegExp {
  const flags = text === text.toLowerCase() ? 'iu' : 'u';
  try {
    return new RegExp(text, flags);
  } catch {
    return new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'), flags);
  }
}
