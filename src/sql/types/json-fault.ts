/**
 * The error in a text that is not JSON, as Postgres reports it: the lexer and parser of its jsonapi.c, run on a text that the fast
 * parsers refused. Speed does not matter here.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

/** Deeper documents are 54001, so that recursion over a tree stays within the JS stack. */
export const JSON_DEPTH_MAX = 1000;

export function tooDeep(): SvcError {
  return new SvcError('54001', 'stack depth limit exceeded', { hint: `JSON documents nest at most ${JSON_DEPTH_MAX} levels deep.` });
}

type Token = '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar' | 'end';

const WORD = /[A-Za-z0-9_\u0080-\uffff]/;

class Diagnosis {
  readonly text: string;
  readonly unescape: boolean;
  token: Token = 'end';
  start = 0;
  end = 0;
  line = 1;
  lineStart = 0;

  constructor(text: string, unescape: boolean) {
    this.text = text;
    this.unescape = unescape;
  }

  run(): void {
    this.next();
    this.value(0);
    if (this.token !== 'end') throw this.unexpected('end of input');
  }

  value(depth: number): void {
    if (depth > JSON_DEPTH_MAX) throw tooDeep();
    if (this.token === '{') this.object(depth);
    else if (this.token === '[') this.array(depth);
    else if (this.token === 'string' || this.token === 'scalar') this.next();
    else throw this.unexpected('JSON value');
  }

  object(depth: number): void {
    this.next();
    if (this.token === 'string') {
      for (;;) {
        if ((this.token as Token) !== 'string') throw this.unexpected('string');
        this.next();
        if ((this.token as Token) !== ':') throw this.unexpected('":"');
        this.next();
        this.value(depth + 1);
        if ((this.token as Token) !== ',') break;
        this.next();
      }
    } else if (this.token !== '}') {
      throw this.unexpected('string or "}"');
    }
    if ((this.token as Token) !== '}') throw this.unexpected('"," or "}"');
    this.next();
  }

  array(depth: number): void {
    this.next();
    if (this.token !== ']') {
      this.value(depth + 1);
      while ((this.token as Token) === ',') {
        this.next();
        this.value(depth + 1);
      }
    }
    if ((this.token as Token) !== ']') throw this.unexpected('"," or "]"');
    this.next();
  }

  unexpected(expected: string): SvcError {
    if (this.token === 'end') return this.fault('The input string ended unexpectedly.');
    return this.fault(`Expected ${expected}, but found "${this.text.slice(this.start, this.end)}".`);
  }

  fault(detail: string, code: '22P02' | '22P05' = '22P02'): SvcError {
    const { text, lineStart } = this;
    let from = lineStart;
    // Postgres shows at most 50 bytes; it counts bytes, we count units, which is the same for ASCII.
    while (this.end - from >= 50) from++;
    if (from - lineStart <= 3) from = lineStart;
    const after = text[this.end];
    const suffix = this.token !== 'end' && this.end < text.length && after !== '\n' && after !== '\r' ? '...' : '';
    const where = `JSON data, line ${this.line}: ${from > lineStart ? '...' : ''}${text.slice(from, this.end)}${suffix}`;
    return new SvcError(code, code === '22P05' ? 'unsupported Unicode escape sequence' : 'invalid input syntax for type json', { detail, data: { where } });
  }

  invalidToken(): SvcError {
    this.token = 'scalar';
    return this.fault(`Token "${this.text.slice(this.start, this.end)}" is invalid.`);
  }

  next(): void {
    const { text } = this;
    let at = this.end;
    for (; at < text.length; at++) {
      const c = text.charCodeAt(at);
      if (c === 10) {
        this.line++;
        this.lineStart = at + 1;
      } else if (c !== 32 && c !== 9 && c !== 13) break;
    }
    this.start = at;
    if (at >= text.length) {
      this.token = 'end';
      this.end = at;
      return;
    }
    const char = text[at];
    if (char === '"') {
      this.token = 'string';
      this.string();
    } else if ('{}[],:'.includes(char)) {
      this.token = char as Token;
      this.end = at + 1;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      this.number();
    } else {
      while (at < text.length && WORD.test(text[at])) at++;
      this.end = at === this.start ? at + 1 : at;
      const word = text.slice(this.start, this.end);
      if (word !== 'true' && word !== 'false' && word !== 'null') throw this.invalidToken();
      this.token = 'scalar';
    }
  }

  number(): void {
    const { text } = this;
    let at = this.start;
    let wrong = false;
    /** Skips digits; whether there were any. */
    const digits = (): boolean => {
      const from = at;
      while (text[at] >= '0' && text[at] <= '9') at++;
      return at > from;
    };
    if (text[at] === '-') at++;
    if (text[at] === '0') at++;
    else wrong = !digits();
    if (text[at] === '.') {
      at++;
      if (!digits()) wrong = true;
    }
    if (text[at] === 'e' || text[at] === 'E') {
      at++;
      if (text[at] === '+' || text[at] === '-') at++;
      if (!digits()) wrong = true;
    }
    for (; at < text.length && WORD.test(text[at]); at++) wrong = true;
    this.end = at;
    if (wrong) throw this.invalidToken();
    this.token = 'scalar';
  }

  string(): void {
    const { text } = this;
    const stop = (at: number, detail: string, code: '22P02' | '22P05' = '22P02'): SvcError => {
      this.end = Math.min(at, text.length);
      return this.fault(detail, code);
    };
    const unterminated = (): SvcError => {
      this.end = text.length;
      return this.invalidToken();
    };
    const low = 'Unicode low surrogate must follow a high surrogate.';
    let high = false;
    let at = this.start + 1;
    for (; ; at++) {
      if (at >= text.length) throw unterminated();
      const c = text.charCodeAt(at);
      if (c === 92 && text[at + 1] === 'u') {
        at++;
        let code = 0;
        for (let i = 0; i < 4; i++) {
          at++;
          if (at >= text.length) throw unterminated();
          const digit = parseInt(text[at], 16);
          if (Number.isNaN(digit)) throw stop(at + 1, '"\\u" must be followed by four hexadecimal digits.');
          code = code * 16 + digit;
        }
        if (!this.unescape) continue;
        if (code >= 0xd800 && code <= 0xdbff) {
          if (high) throw stop(at + 1, 'Unicode high surrogate must not follow a high surrogate.');
          high = true;
          continue;
        }
        if (code >= 0xdc00 && code <= 0xdfff) {
          if (!high) throw stop(at + 1, low);
          high = false;
          continue;
        }
        if (high) throw stop(at + 1, low);
        if (code === 0) throw stop(at + 1, '\\u0000 cannot be converted to text.', '22P05');
        continue;
      }
      if (high && this.unescape) throw stop(at + (c === 92 ? 2 : 1), low);
      if (c === 34) break;
      if (c < 32) throw stop(at, `Character with value 0x${c.toString(16).padStart(2, '0')} must be escaped.`);
      if (c === 92) {
        at++;
        if (at >= text.length) throw unterminated();
        if (!'"\\/bfnrt'.includes(text[at])) {
          this.start = at;
          throw stop(at + 1, `Escape sequence "\\${String.fromCodePoint(text.codePointAt(at)!)}" is invalid.`);
        }
      }
    }
    this.end = at + 1;
  }
}

/**
 * Throws Postgres's error for a text that is not JSON. `unescape`: escapes are resolved too, as jsonb and the functions over json
 * do, so that \u0000 and lone surrogates are errors. Returns if the text is valid.
 */
export function raiseJsonFault(text: string, unescape: boolean): void {
  new Diagnosis(text, unescape).run();
}
