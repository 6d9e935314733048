/** A part of the screen with keys: lines for a size, and key handling. Independent of terminals, so that tests can drive it; `ink-view.ts` shows it on one. */
import type { Key } from '../edit/keys.ts';

export abstract class View<Result> {
  /** Position of the terminal's cursor; null hides it. Set by `lines`. */
  cursor: { x: number; y: number } | null = null;
  /** Requests a redraw; set by the code that shows the view. */
  draw: () => void = () => {};
  /** Ends the view; set by the code that shows it. */
  finish: (result: Result) => void = () => {};
  /** Ends the view with an error, thrown where it was shown. */
  fail: (error: unknown) => void = () => {};

  /** Passes a key on to the next view; set by the code that shows the view. */
  keep: (key: Key) => void = () => {};
  /** The accepted keys; null: all. Others wait for the next view. */
  readonly only: readonly string[] | null = null;

  /** At most `height` lines, each at most `width` wide. */
  abstract lines(width: number, height: number): string[];
  abstract key(key: Key): void;

  /** Called when the view is shown. */
  start(): void {}
  /** Called when the view is removed. */
  end(): void {}

  /** Splits letters that arrived together. */
  protected letters(key: Key): readonly string[] {
    return key.name === 'text' ? [...key.text] : [key.name];
  }

  /** Runs a slow action; `draw` follows. */
  protected async work(act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }
}
