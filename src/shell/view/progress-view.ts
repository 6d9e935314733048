/** One line that shows progress. */
import type { Key } from '../edit/keys.ts';
import type { Style } from '../text/style.ts';
import { duration } from '../text/time-text.ts';
import { cutLine } from '../text/width.ts';
import { View } from './view.ts';

const SPIN = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const TICK_MS = 100;

export class ProgressView extends View<void> {
  override readonly only = ['ctrl-c'];
  readonly #what: () => string;
  readonly #style: Style;
  readonly #since: number;
  readonly #onKey: (key: Key) => void;
  #timer: NodeJS.Timeout | null = null;
  #over = false;

  constructor(what: () => string, since: number, style: Style, onKey: (key: Key) => void) {
    super();
    this.#what = what;
    this.#since = since;
    this.#style = style;
    this.#onKey = onKey;
  }

  override start(): void {
    this.#timer = setInterval(() => this.draw(), TICK_MS);
  }

  override end(): void {
    if (this.#timer !== null) clearInterval(this.#timer);
  }

  key(key: Key): void {
    this.#onKey(key);
  }

  /** Clears the line. */
  stop(): void {
    this.#over = true;
    this.finish();
  }

  lines(width: number): string[] {
    if (this.#over) return [];
    const spent = performance.now() - this.#since;
    const turn = SPIN[Math.floor(spent / TICK_MS) % SPIN.length];
    return [cutLine(`${this.#style.cyan(turn)} ${this.#what()} ${this.#style.dim(duration(Math.floor(spent / 100) * 100))}`, width)];
  }
}
