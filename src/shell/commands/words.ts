/** Splits a command line into words. Quotes group blanks, `''` inside them is a quote; so do braces and brackets of JSON. `-- ` begins a comment. */
import { UsageError } from './usage-error.ts';

export interface Word {
  readonly text: string;
  /** Quoted as a whole, so it is neither a field nor a preposition. */
  readonly quoted: boolean;
}

export function wordsOf(line: string): Word[] {
  const words: Word[] = [];
  let at = 0;
  for (;;) {
    while (at < line.length && /\s/.test(line[at])) at++;
    if (at >= line.length) return words;
    const start = at;
    let text = '';
    let depth = 0;
    const quoted = line[at] === "'" || line[at] === '"';
    while (at < line.length && (depth > 0 || !/\s/.test(line[at]))) {
      const character = line[at];
      if ((character === '"' && depth > 0) || ((character === "'" || character === '"') && depth === 0)) {
        const end = closing(line, at, depth > 0);
        if (end < 0) throw new UsageError(`the quote at ${line.slice(at, at + 20)} has no end`);
        text += depth > 0 ? line.slice(at, end + 1) : line.slice(at + 1, end).replaceAll(character + character, character);
        at = end + 1;
        continue;
      }
      if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') depth--;
      text += character;
      at++;
    }
    // As in SQL, the rest is a comment.
    if (text === '--' && !quoted) return words;
    words.push({ text, quoted: quoted && line.slice(start, at).length >= 2 });
  }
}

/** Inside JSON a backslash escapes; outside, a quote is doubled. */
function closing(line: string, at: number, json: boolean): number {
  const quote = line[at];
  for (let i = at + 1; i < line.length; i++) {
    if (json && line[i] === '\\') i++;
    else if (line[i] === quote) {
      if (!json && line[i + 1] === quote) i++;
      else return i;
    }
  }
  return -1;
}
