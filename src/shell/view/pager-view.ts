/** Long output a screen at a time. Lines come as they are reached, so that nothing is loaded that nobody looks at. */
import type { Key } from '../edit/keys.ts';
import type { Style } from '../text/style.ts';
import { cutLine } from '../text/width.ts';
import { View } from './view.ts';

export interface LineSource {
  /** Lines so far, made for a width. */
  lines(width: number): readonly string[];
  /** Stay on top of the screen. */
  head?(width: number): readonly string[];
  /** More can be had. */
  readonly more: boolean;
  /** Brings more lines. */
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
    for (const letter of this.letters(key)) this.#key(letter);
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
        // The end of what may be endless: some more each time.
        this.#move(this.#source.more ? 10 * this.#page : Infinity);
        return;
      default:
    }
  }

  #move(by: number): void {
    this.#wanted = Math.max(0, this.#top + by);
    this.#settle();
    this.#reach(this.#wanted + 2 * this.#page);
    this.draw();
  }

  /** Goes as far towards what is wanted as there are lines. */
  #settle(): void {
    this.#top = Math.max(0, Math.min(this.#wanted, this.#source.lines(this.#width).length - this.#page));
  }

  #reach(line: number): void {
    if (this.#loading || !this.#source.more || this.#source.lines(this.#width).length >= line) return;
    this.#loading = true;
    void this.work(async () => {
      await this.#source.load();
      this.#loading = false;
      if (this.#wanted > this.#top) this.#settle();
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
    const bar = `${this.#title === '' ? '' : ` ${this.#title} `} ${place}${end}   space next · b back · ↑↓ · g/G · q quit`;
    return [...head, ...shown, ...blank].map((line) => cutLine(line, width)).concat(this.#style.inverse(cutLine(bar, width - 1)));
  }
}
