/**
 * Splits a text into tokens like Postgres's scanner (backend/parser/scan.l), as far as needed to find the boundaries of statements,
 * strings, comments and words. It never fails: invalid input (`1abc`, a stray backslash) becomes some token, and an unterminated
 * quote or comment one token to the end of the text.
 *
 * Reads character codes only and allocates nothing, since every statement passes through it.
 */
export const TOKEN = {
  end: 0,
  word: 1,
  quotedName: 2,
  string: 3,
  number: 4,
  parameter: 5,
  operator: 6,
  punctuation: 7,
  unfinished: 8,
} as const;
export type TokenKind = (typeof TOKEN)[keyof typeof TOKEN];

const SPACE = 1;
const LETTER = 2;
const DIGIT = 4;
const OPERATOR = 8;
/** Classes of ASCII; all above is a letter to Postgres. */
const CLASSES = new Uint8Array(128);
for (const c of ' \t\n\r\f\v') CLASSES[c.charCodeAt(0)] = SPACE;
for (const c of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_') CLASSES[c.charCodeAt(0)] = LETTER;
for (const c of '0123456789') CLASSES[c.charCodeAt(0)] = DIGIT;
for (const c of '~!@#^&|`?+-*/%<>=') CLASSES[c.charCodeAt(0)] = OPERATOR;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;
const DOUBLE_QUOTE = 34;
const DOLLAR = 36;
const PERCENT = 37;
const AMPERSAND = 38;
const QUOTE = 39;
const STAR = 42;
const PLUS = 43;
const MINUS = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const BACKSLASH = 92;

export interface TextSpan {
  start: number;
  end: number;
}

export class Scanner {
  readonly text: string;
  /** Of the current token. */
  kind: TokenKind = TOKEN.end;
  start: number;
  end: number;
  /** Comments between the parts of continued strings so far. Postgres allows them, libpg-query does not. */
  commentsInStrings: TextSpan[] | null = null;
  /** A backslash escapes in plain strings too. */
  backslashes = false;
  readonly #limit: number;

  /** Scans from `from` to `to`. */
  constructor(text: string, from = 0, to = text.length) {
    this.text = text;
    this.start = from;
    this.end = from;
    this.#limit = to;
  }

  /** Moves to the next token; at the end, repeatedly to an empty one. */
  next(): TokenKind {
    const at = this.#skipBlanks(this.end);
    this.start = at;
    if (at < 0) {
      this.start = ~at;
      this.end = this.#limit;
      return (this.kind = TOKEN.unfinished);
    }
    if (at >= this.#limit) {
      this.end = at;
      return (this.kind = TOKEN.end);
    }
    return (this.kind = this.#token(at));
  }

  get isFollowedByLetter(): boolean {
    return this.#class(this.end) === LETTER;
  }

  /** The code of a punctuation token, 0 for any other. */
  get punctuation(): number {
    return this.kind === TOKEN.punctuation ? this.text.charCodeAt(this.start) : 0;
  }

  /** As written. */
  get lexeme(): string {
    return this.text.slice(this.start, this.end);
  }

  /** Moves so that the token at `at` is the next one. */
  moveTo(at: number): void {
    this.end = at;
  }

  #class(at: number): number {
    if (at >= this.#limit) return 0;
    const code = this.text.charCodeAt(at);
    return code < 128 ? CLASSES[code] : LETTER;
  }

  #code(at: number): number {
    return at < this.#limit ? this.text.charCodeAt(at) : 0;
  }

  /** Start of the next token; its complement for an unterminated comment. */
  #skipBlanks(at: number): number {
    const text = this.text;
    const limit = this.#limit;
    for (; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === MINUS && this.#code(at + 1) === MINUS) {
        at = this.#lineEnd(at);
        at--;
      } else if (code === SLASH && this.#code(at + 1) === STAR) {
        const end = this.#commentEnd(at);
        if (end < 0) return ~at;
        at = end - 1;
      } else if (code >= 128 || CLASSES[code] !== SPACE) return at;
    }
    return limit;
  }

  #lineEnd(at: number): number {
    for (; at < this.#limit; at++) {
      const code = this.text.charCodeAt(at);
      if (code === NEWLINE || code === CARRIAGE_RETURN) break;
    }
    return at;
  }

  /** Comments nest. */
  #commentEnd(at: number): number {
    let depth = 1;
    for (at += 2; at < this.#limit; at++) {
      const code = this.text.charCodeAt(at);
      if (code === SLASH && this.#code(at + 1) === STAR) {
        depth++;
        at++;
      } else if (code === STAR && this.#code(at + 1) === SLASH) {
        at++;
        if (--depth === 0) return at + 1;
      }
    }
    return -1;
  }

  #token(at: number): TokenKind {
    const code = this.text.charCodeAt(at);
    const kind = code < 128 ? CLASSES[code] : LETTER;
    if (kind === LETTER) return this.#wordOrPrefixed(at, code);
    if (kind === DIGIT) return this.#number(at);
    if (kind === OPERATOR) return this.#operator(at);
    if (code === QUOTE) return this.#string(at + 1, this.backslashes);
    if (code === DOUBLE_QUOTE) return this.#quotedName(at + 1);
    if (code === DOLLAR) return this.#dollar(at);
    if (code === DOT && this.#class(at + 1) === DIGIT) return this.#number(at);
    if (code === DOT && this.#code(at + 1) === DOT) return this.#operatorToken(at + 2);
    if (code === COLON) {
      const next = this.#code(at + 1);
      if (next === COLON || next === 61) return this.#operatorToken(at + 2);
    }
    this.end = at + 1;
    return TOKEN.punctuation;
  }

  #operatorToken(end: number): TokenKind {
    this.end = end;
    return TOKEN.operator;
  }

  #wordOrPrefixed(at: number, code: number): TokenKind {
    const next = this.#code(at + 1);
    if (next === QUOTE) {
      const prefix = code | 32;
      if (prefix === 101) return this.#string(at + 2, true);
      if (prefix === 98 || prefix === 120) return this.#string(at + 2, false, false);
    } else if (next === AMPERSAND && (code | 32) === 117) {
      const quote = this.#code(at + 2);
      if (quote === QUOTE) return this.#string(at + 3, false);
      if (quote === DOUBLE_QUOTE) return this.#quotedName(at + 3);
    }
    const text = this.text;
    const limit = this.#limit;
    for (at++; at < limit; at++) {
      const c = text.charCodeAt(at);
      if (c < 128 && (CLASSES[c] & (LETTER | DIGIT)) === 0 && c !== DOLLAR) break;
    }
    this.end = at;
    return TOKEN.word;
  }

  #unfinished(): TokenKind {
    this.end = this.#limit;
    return TOKEN.unfinished;
  }

  /**
   * `at` is after the opening quote. In bit strings (`doubles` false) two quotes are an end and a start. A string is continued if only
   * whitespace with a newline and another quote follow.
   */
  #string(at: number, escapes: boolean, doubles = true): TokenKind {
    const text = this.text;
    const limit = this.#limit;
    for (; at < limit; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH && escapes) at++;
      else if (code === QUOTE) {
        if (doubles && this.#code(at + 1) === QUOTE) {
          at++;
          continue;
        }
        const continued = this.#continuation(at + 1);
        if (continued < 0) {
          this.end = at + 1;
          return TOKEN.string;
        }
        at = continued;
      }
    }
    return this.#unfinished();
  }

  /** The position of the quote that continues a string, or -1. */
  #continuation(at: number): number {
    let newline = false;
    let comments: TextSpan[] | null = null;
    for (; at < this.#limit; at++) {
      const code = this.text.charCodeAt(at);
      if (code === NEWLINE || code === CARRIAGE_RETURN) newline = true;
      else if (code === MINUS && this.#code(at + 1) === MINUS) {
        const end = this.#lineEnd(at);
        comments ??= [];
        comments.push({ start: at, end });
        at = end - 1;
      } else if (code >= 128 || CLASSES[code] !== SPACE) {
        if (code !== QUOTE || !newline) return -1;
        if (comments === null) return at;
        this.commentsInStrings ??= [];
        for (const comment of comments) this.commentsInStrings.push(comment);
        return at;
      }
    }
    return -1;
  }

  #quotedName(at: number): TokenKind {
    for (; at < this.#limit; at++) {
      if (this.text.charCodeAt(at) !== DOUBLE_QUOTE) continue;
      if (this.#code(at + 1) !== DOUBLE_QUOTE) {
        this.end = at + 1;
        return TOKEN.quotedName;
      }
      at++;
    }
    return this.#unfinished();
  }

  #dollar(at: number): TokenKind {
    let end = at + 1;
    if (this.#class(end) === DIGIT) {
      while (this.#class(end) === DIGIT) end++;
      this.end = end;
      return TOKEN.parameter;
    }
    while ((this.#class(end) & (DIGIT | LETTER)) !== 0) end++;
    if (this.#code(end) !== DOLLAR) {
      this.end = at + 1;
      return TOKEN.punctuation;
    }
    const tag = this.text.slice(at, end + 1);
    const close = this.text.indexOf(tag, end + 1);
    if (close < 0 || close + tag.length > this.#limit) return this.#unfinished();
    this.end = close + tag.length;
    return TOKEN.string;
  }

  /** Also hexadecimal, octal and binary, underscores, and trailing letters. `1..2` ends before the dots. */
  #number(at: number): TokenKind {
    const prefix = this.#code(at) === 48 ? this.#code(at + 1) | 32 : 0;
    const decimal = prefix !== 120 && prefix !== 111 && prefix !== 98;
    let mayHavePoint = decimal;
    let mayHaveExponent = decimal;
    for (; at < this.#limit; at++) {
      if ((this.#class(at) & (DIGIT | LETTER)) !== 0) {
        if (!mayHaveExponent || (this.#code(at) | 32) !== 101) continue;
        mayHavePoint = mayHaveExponent = false;
        const sign = this.#code(at + 1);
        if ((sign === PLUS || sign === MINUS) && this.#class(at + 2) === DIGIT) at++;
      } else if (mayHavePoint && this.#code(at) === DOT && this.#code(at + 1) !== DOT) mayHavePoint = false;
      else break;
    }
    this.end = at;
    return TOKEN.number;
  }

  /** Ends before a comment; a trailing `+` or `-` belongs to what follows unless the operator contains a character that SQL operators do not have. */
  #operator(at: number): TokenKind {
    const text = this.text;
    const start = at;
    let special = false;
    for (; at < this.#limit; at++) {
      const code = text.charCodeAt(at);
      if (code >= 128 || CLASSES[code] !== OPERATOR) break;
      const next = this.#code(at + 1);
      if (at > start && ((code === MINUS && next === MINUS) || (code === SLASH && next === STAR))) break;
      // ~ ! @ # ^ & | ` ? %
      if (code === PERCENT || (code !== PLUS && code !== MINUS && code !== STAR && code !== SLASH && !(code >= 60 && code <= 62))) special = true;
    }
    if (!special) {
      while (at > start + 1) {
        const last = text.charCodeAt(at - 1);
        if (last !== PLUS && last !== MINUS) break;
        at--;
      }
    }
    this.end = at;
    return TOKEN.operator;
  }
}
