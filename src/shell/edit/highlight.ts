/** Syntax colours of SQL while typing: one paint per character, so that lines can be broken anywhere. */
import { Scanner, TOKEN } from '../../sql/parse/scanner.ts';
import type { Paint, Style } from '../text/style.ts';

/** One paint per UTF-16 unit; null for plain text. */
export function highlight(text: string, style: Style, keywords: ReadonlySet<string>, isCommand: (line: string) => boolean): (Paint | null)[] {
  const paints = new Array<Paint | null>(text.length).fill(null);
  if (!style.coloured) return paints;
  const fill = (from: number, to: number, paint: Paint | null): void => void paints.fill(paint, from, to);
  const scanner = new Scanner(text);
  let starts = true;
  for (;;) {
    const behind = scanner.end;
    const kind = scanner.next();
    // Blanks are not painted, so between two tokens this affects only comments.
    fill(behind, scanner.start, style.dim);
    if (kind === TOKEN.end) return paints;
    const { start, end } = scanner;
    if (starts && kind !== TOKEN.unfinished) {
      const lineEnd = text.indexOf('\n', start);
      if (isCommand(text.slice(start, lineEnd < 0 ? text.length : lineEnd))) {
        fill(start, end, style.magenta);
        const to = lineEnd < 0 ? text.length : lineEnd;
        scanner.moveTo(to);
        continue;
      }
    }
    starts = scanner.punctuation === 59;
    switch (kind) {
      case TOKEN.word:
        if (keywords.has(scanner.lexeme.toLowerCase())) fill(start, end, style.blue);
        break;
      case TOKEN.string:
      case TOKEN.unfinished:
        fill(start, end, text.startsWith('/*', start) ? style.dim : style.green);
        break;
      case TOKEN.number:
      case TOKEN.parameter:
        fill(start, end, style.cyan);
        break;
      default:
        break;
    }
  }
}

/** Text from `from` to `to`, painted. */
export function painted(text: string, paints: readonly (Paint | null)[], from: number, to: number): string {
  let out = '';
  let at = from;
  while (at < to) {
    const paint = paints[at];
    let end = at + 1;
    while (end < to && paints[end] === paint) end++;
    const part = text.slice(at, end);
    out += paint === null ? part : paint(part);
    at = end;
  }
  return out;
}
