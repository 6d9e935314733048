/**
 * Words in texts of tsvector and tsquery: bare or quoted, with backslash escapes, and in a tsvector with positions after a colon.
 * Manual, section 8.11.
 *
 *     in a tsvector    'don''t':3,4A rat:2
 *     in a tsquery     words end at an operator, and what follows a colon belongs to the query
 *     in a web search  nothing is quoted and nothing escaped
 */
import { SvcError } from '../../base/errors/svc-error.ts';

/** The maximum position; greater ones are clamped. */
export const TS_POSITION_MAX = 16383;
/** A lexeme is shorter than this. */
export const TS_WORD_BYTES_MAX = 2047;
/** A lexeme has fewer positions than this. */
export const TS_POSITIONS_MAX = 256;

export type TsWordPlace = 'vector' | 'query' | 'web';

/** A position and its weight, 0 (D) to 3 (A), as Postgres packs them. */
export function tsPosition(position: number, weight: number): number {
  return (position > TS_POSITION_MAX ? TS_POSITION_MAX : position) | (weight << 14);
}

export interface TsWord {
  readonly text: string;
  /** Packed, in the given order; null if there are none. */
  readonly positions: number[] | null;
}

const SPACE = /\s/;
const DIGIT = /[0-9]/;
const WEIGHTS: Readonly<Record<string, number>> = { a: 3, A: 3, '*': 3, b: 2, B: 2, c: 1, C: 1, d: 0, D: 0 };

export function isTsOperator(char: string): boolean {
  return char !== '' && '!&|()<'.includes(char);
}

export class TsWordReader {
  readonly text: string;
  readonly #place: TsWordPlace;
  at = 0;

  constructor(text: string, place: TsWordPlace) {
    this.text = text;
    this.#place = place;
  }

  fault(): SvcError {
    return new SvcError('42601', `syntax error in ${this.#place === 'vector' ? 'tsvector' : 'tsquery'}: "${this.text}"`);
  }

  /** The next word; null at the end. */
  next(): TsWord | null {
    const { text } = this;
    const web = this.#place === 'web';
    while (this.at < text.length && SPACE.test(text[this.at])) this.at++;
    if (this.at >= text.length) return null;
    if (!web && text[this.at] === "'") return this.#quoted();
    if (this.#place !== 'vector' && isTsOperator(text[this.at])) throw this.fault();
    let word = '';
    for (let first = true; ; first = false) {
      const char = this.at < text.length ? text[this.at] : '';
      if (char === '\\' && !web) {
        word += this.#escaped();
        continue;
      }
      if (first) {
        word = char;
        this.at++;
        continue;
      }
      if (char === '' || SPACE.test(char) || (this.#place !== 'vector' && isTsOperator(char)) || (web && char === '"')) return { text: word, positions: null };
      if (char === ':') {
        if (this.#place !== 'vector') return { text: word, positions: null };
        return { text: word, positions: this.#positions() };
      }
      word += char;
      this.at++;
    }
  }

  #escaped(): string {
    const point = this.text.codePointAt(this.at + 1);
    if (point === undefined) throw new SvcError('42601', `there is no escaped character: "${this.text}"`);
    const char = String.fromCodePoint(point);
    this.at += 1 + char.length;
    return char;
  }

  #quoted(): TsWord {
    const { text } = this;
    this.at++;
    let word = '';
    for (;;) {
      if (this.at >= text.length) throw this.fault();
      const char = text[this.at];
      if (char === '\\') {
        word += this.#escaped();
        continue;
      }
      this.at++;
      if (char !== "'") word += char;
      else if (text[this.at] === "'") {
        word += char;
        this.at++;
      } else break;
    }
    if (word === '') throw this.fault();
    return { text: word, positions: this.#place === 'vector' && text[this.at] === ':' ? this.#positions() : null };
  }

  /** From the colon on: `3A,4` up to a blank or the end. */
  #positions(): number[] {
    const { text } = this;
    const out: number[] = [];
    this.at++;
    for (;;) {
      const from = this.at;
      while (this.at < text.length && DIGIT.test(text[this.at])) this.at++;
      if (this.at === from) throw this.fault();
      const position = Number(text.slice(from, this.at));
      if (position === 0) throw new SvcError('42601', `wrong position info in tsvector: "${text}"`);
      let weight = 0;
      for (;;) {
        const char = this.at < text.length ? text[this.at] : '';
        if (char === ',') break;
        if (char === '' || SPACE.test(char)) {
          out.push(tsPosition(position, weight));
          return out;
        }
        const given = WEIGHTS[char];
        if (given === undefined) {
          if (!DIGIT.test(char)) throw this.fault();
        } else {
          if (weight !== 0) throw this.fault();
          weight = given;
        }
        this.at++;
      }
      this.at++;
      out.push(tsPosition(position, weight));
    }
  }
}

/** A word as both types print it. */
export function tsQuote(word: string): string {
  return `'${word.replace(/['\\]/g, '$&$&')}'`;
}

export function refuseLongWord(word: string): void {
  if (word.length * 3 < TS_WORD_BYTES_MAX) return;
  const size = Buffer.byteLength(word);
  if (size >= TS_WORD_BYTES_MAX) throw new SvcError('54000', `word is too long (${size} bytes, max ${TS_WORD_BYTES_MAX} bytes)`);
}
