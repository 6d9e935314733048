/** One question in place of the prompt. */
import type { Key } from '../edit/keys.ts';
import type { Style } from '../text/style.ts';
import { Question } from './question.ts';
import { View } from './view.ts';

export class AskView extends View<string | null> {
  readonly #question: Question;
  readonly #style: Style;
  #over = false;

  constructor(text: string, style: Style) {
    super();
    this.#style = style;
    this.#question = new Question(text, (answer) => {
      this.#over = true;
      this.finish(answer);
    });
  }

  key(key: Key): void {
    this.#question.key(key);
    this.draw();
  }

  lines(width: number): string[] {
    const { line, x } = this.#question.line(width, this.#style);
    this.cursor = this.#over ? null : { x, y: 0 };
    return [line];
  }
}
