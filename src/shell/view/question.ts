/** A question with one line for the answer, inside another view. */
import type { Key } from '../edit/keys.ts';
import { LineEditor } from '../edit/line-editor.ts';
import type { Style } from '../text/style.ts';
import { cut, cutLine, textWidth } from '../text/width.ts';

export class Question {
  readonly text: string;
  readonly editor = new LineEditor();
  readonly #answer: (text: string | null) => void;
  complaint = '';

  /** `answer` receives null if the person cancels. */
  constructor(text: string, answer: (text: string | null) => void) {
    this.text = text;
    this.#answer = answer;
  }

  key({ name, text }: Key): void {
    if (name === 'text' || name === 'paste') this.editor.insert(text.replaceAll('\n', ' '));
    else if (name === 'enter') this.#answer(this.editor.text);
    else if (name === 'escape' || name === 'ctrl-c') this.#answer(null);
    else this.editor.key(name);
  }

  /** The line, and the cursor's column. */
  line(width: number, style: Style): { line: string; x: number } {
    const lead = `${cut(this.text, Math.floor(width * 0.7))} `;
    const room = Math.max(4, width - textWidth(lead) - 1);
    const before = this.editor.text.slice(0, this.editor.cursor);
    const from = Math.max(0, before.length - room + 1);
    return { line: cutLine(`${style.bold(lead)}${this.editor.text.slice(from)}`, width), x: textWidth(lead) + textWidth(before.slice(from)) };
  }
}
