/** Tokens of a JSON path: words, strings, numbers and operators. */
import { SvcError } from '../../base/errors/svc-error.ts';

export interface PathToken {
  readonly kind: 'word' | 'string' | 'variable' | 'number' | 'sign' | 'end';
  readonly text: string;
  /** The text for errors: the operator or number as written, a string's last quote, and for a word the following blank, if any. */
  readonly written: string;
}

const SIGNS = [
  '&&',
  '||',
  '==',
  '!=',
  '<>',
  '<=',
  '>=',
  '**',
  '<',
  '>',
  '!',
  '?',
  '%',
  '$',
  '.',
  '[',
  ']',
  '{',
  '}',
  '(',
  ')',
  '@',
  '#',
  ',',
  '*',
  ':',
  '-',
  '+',
  '/',
  '=',
  '&',
  '|',
];
const BLANK = /\s/;
const ENDS_WORD = /[?%$.[\]{}()|&!=<>@#,*:\-+/\\"\s]/;
const WORD = /[^?%$.[\]{}()|&!=<>@#,*:\-+/\\"\s]*/y;
const NUMBER = /(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?/y;

const UNICODE = /([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\}/y;
const BROKEN_UNICODE = /\\u(?:\{[0-9a-fA-F]{0,6}|[0-9a-fA-F]{0,3})/y;

export function pathFault(what: string, near: string): SvcError {
  return new SvcError('42601', near === '' ? `${what} at end of jsonpath input` : `${what} at or near "${near}" of jsonpath input`);
}

export function pathTokens(text: string): PathToken[] {
  const out: PathToken[] = [];
  let at = 0;
  const add = (kind: PathToken['kind'], value: string, from: number): void => {
    const blank = BLANK.test(text[at] ?? '') ? text[at] : '';
    out.push({ kind, text: value, written: kind === 'word' ? blank : kind === 'string' ? '"' : text.slice(from, at) });
  };
  while (at < text.length) {
    const from = at;
    const char = text[at];
    if (BLANK.test(char)) {
      at++;
      continue;
    }
    if (text.startsWith('/*', at)) {
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw pathFault('unexpected end of comment', '');
      at = end + 2;
      continue;
    }
    if (char === '"' || (char === '$' && text[at + 1] === '"')) {
      at += char === '$' ? 2 : 1;
      const value = quotedText();
      add(char === '$' ? 'variable' : 'string', value, from);
      continue;
    }
    const number = numberAt();
    if (number !== null) {
      at += number.length;
      add('number', number, from);
      continue;
    }
    if (char === '$' && at + 1 < text.length && !ENDS_WORD.test(text[at + 1])) {
      at++;
      add('variable', word(), from);
      continue;
    }
    const sign = SIGNS.find((each) => text.startsWith(each, at));
    if (sign !== undefined) {
      at += sign.length;
      add('sign', sign === '<>' ? '!=' : sign, from);
      continue;
    }
    add('word', word(), from);
  }
  out.push({ kind: 'end', text: '', written: '' });
  return out;

  /** A number followed by more than one word character is a word. */
  function numberAt(): string | null {
    NUMBER.lastIndex = WORD.lastIndex = at;
    const found = NUMBER.exec(text)?.[0];
    if (found === undefined) return null;
    const length = /^0\d/.test(found) ? 1 : found.length;
    const wordLength = WORD.exec(text)![0].length;
    if (wordLength > length + 1) return null;
    const rest = text.slice(at + length);
    if (/^[eE][+-]/.test(rest)) throw pathFault('invalid numeric literal', text.slice(at, at + length + 2));
    if (rest !== '' && !ENDS_WORD.test(rest[0])) throw pathFault('trailing junk after numeric literal', text.slice(at, at + length + 1));
    return found;
  }

  function word(): string {
    let value = '';
    while (at < text.length && (!ENDS_WORD.test(text[at]) || text[at] === '\\')) value += text[at] === '\\' ? escape() : text[at++];
    return value;
  }

  function quotedText(): string {
    let value = '';
    for (;;) {
      if (at >= text.length) throw pathFault('unexpected end of quoted string', '');
      const next = text[at];
      if (next === '"') {
        at++;
        return value;
      }
      value += next === '\\' ? escape() : text[at++];
    }
  }

  /** After a backslash. */
  function escape(): string {
    const letter = text[++at];
    at++;
    switch (letter) {
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'n':
        return '\n';
      case 'r':
        return '\r';
      case 't':
        return '\t';
      case 'v':
        return '\v';
      case 'x':
        return point(hex(/([0-9a-fA-F]{2})/y, /\\x[0-9a-fA-F]?/y, 'invalid hex character sequence'));
      case 'u':
        return unicode();
      case undefined:
        throw pathFault('unexpected end after backslash', '\\');
      default:
        return letter;
    }
  }

  /** After `\u`: four digits, or some in braces; a high surrogate requires the low one. */
  function unicode(): string {
    const code = hex(UNICODE, BROKEN_UNICODE, 'invalid unicode sequence');
    if (code >= 0xdc00 && code <= 0xdfff) throw surrogateFault('Unicode low surrogate must follow a high surrogate.');
    if (code < 0xd800 || code > 0xdbff) return point(code);
    if (!text.startsWith('\\u', at)) throw surrogateFault('Unicode low surrogate must follow a high surrogate.');
    at += 2;
    const low = hex(UNICODE, BROKEN_UNICODE, 'invalid unicode sequence');
    if (low >= 0xd800 && low <= 0xdbff) throw surrogateFault('Unicode high surrogate must not follow a high surrogate.');
    if (low < 0xdc00 || low > 0xdfff) throw surrogateFault('Unicode low surrogate must follow a high surrogate.');
    return String.fromCharCode(code, low);
  }

  function hex(form: RegExp, broken: RegExp, fault: string): number {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found === null) {
      broken.lastIndex = at - 2;
      throw pathFault(fault, broken.exec(text)![0]);
    }
    at += found[0].length;
    return Number.parseInt(found[1] ?? found[2], 16);
  }
}

function surrogateFault(detail: string): SvcError {
  return new SvcError('22P02', 'invalid input syntax for type jsonpath', { detail });
}

function point(code: number): string {
  if (code === 0) throw new SvcError('22P05', 'unsupported Unicode escape sequence', { detail: '\\u0000 cannot be converted to text.' });
  if (code > 0x10ffff) throw new SvcError('42601', 'invalid Unicode code point');
  return String.fromCodePoint(code);
}
