/**
 * JSON that preserves numbers. A number that a double cannot hold or reproduce as text (`12345678901234567890`, `1.50`) is
 * parsed to an `ExactNumber`: in arithmetic it is the nearest double, as text it is unchanged. Everything else is plain JSON,
 * at the cost of one test of the text.
 *
 * `JSON.rawJSON` could do the writing, but the supported runtime does not have it yet.
 */

/** Cannot occur in a text of the database, which has no NUL, nor be guessed by the author of a `json` value. */
const MARK = `\0${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

let written = 0;
let writing = false;

export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): number | string {
    if (!writing) return Number(this.text);
    written++;
    return MARK + this.text;
  }
}

/** Matches texts that may contain an inexact number; most do not. */
const MAYBE_INEXACT = /[0-9]{16}|[0-9][eE]|\.[0-9]*0(?![0-9])|\.[0-9]{15}|-0/;
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

/** The text must be valid JSON. */
export function parseExactJson(text: string): unknown {
  if (!MAYBE_INEXACT.test(text)) return JSON.parse(text);
  let marked = false;
  const safe = text.replace(TOKEN, (token) => {
    if (token.charCodeAt(0) === 34 || String(Number(token)) === token) return token;
    marked = true;
    return JSON.stringify(MARK + token);
  });
  if (!marked) return JSON.parse(text);
  return JSON.parse(safe, (_key, value: unknown) => (typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value));
}

const WRITTEN_MARK = new RegExp(`"${JSON.stringify(MARK).slice(1, -1).replaceAll('\\', '\\\\')}([^"]*)"`, 'g');

/** `JSON.stringify`, with exact numbers written out. */
export function exactJsonText(value: unknown): string {
  written = 0;
  writing = true;
  let text: string;
  try {
    text = JSON.stringify(value);
  } finally {
    writing = false;
  }
  return written === 0 ? text : text.replace(WRITTEN_MARK, '$1');
}
