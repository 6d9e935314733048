/**
 * A part of the screen that keys work on: lines for a size, and what a key does. It knows no terminal, so a test
 * drives it with keys and reads its lines; `ink-view.ts` puts it on one.
 */
import type { Key } from '../edit/keys.ts';

export abstract class View<Result> {
  /** Where the terminal's cursor stands; null hides it. Set by `lines`. */
  cursor: { x: number; y: number } | null = null;
  /** Asks for another drawing; set by who shows the view. */
  draw: () => void = () => {};
  /** Ends the view; set by who shows it. */
  finish: (result: Result) => void = () => {};
  /** An error ends the view, and is raised where it was shown. */
  fail: (error: unknown) => void = () => {};

  /** The keys that it takes; all where it is null. Others wait for who comes next. */
  readonly only: readonly string[] | null = null;

  /** At most `height` lines, none wider than `width`. */
  abstract lines(width: number, height: number): string[];
  abstract key(key: Key): void;

  /** The view is on the screen. */
  start(): void {}
  /** The view is off it. */
  end(): void {}

  /** Letters that came together are keys one by one. */
  protected letters(key: Key): readonly string[] {
    return key.name === 'text' ? [...key.text] : [key.name];
  }

  /** Does something that takes time; `draw` follows. */
  protected async work(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }
}
