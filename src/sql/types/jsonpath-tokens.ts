/** Words, strings, numbers and signs of a JSON path. */
import { SvcError } from '../../base/errors/svc-error.ts';

export interface PathToken {
  readonly kind: 'word' | 'string' | 'variable' | 'number' | 'sign' | 'end';
  readonly text: string;
  /** As written, for errors. */
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
const NUMBER = /(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?/y;

export function pathFault(what: string, near: string): SvcError {
  return new SvcError('42601', near === '' ? `${what} at end of jsonpath input` : `${what} at or near "${near}" of jsonpath input`);
}

export function pathTokens(text: string): PathToken[] {
  const out: PathToken[] = [];
  let at = 0;
  const add = (kind: PathToken['kind'], value: string, from: number): void => void out.push({ kind, text: value, written: text.slice(from, at) });
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
    NUMBER.lastIndex = at;
    const number = NUMBER.exec(text);
    if (number !== null) {
      at += number[0].length;
      if (at < text.length && /[a-zA-Z_]/.test(text[at])) throw pathFault('trailing junk after numeric literal', text.slice(from, at + 1));
      if (/^0\d/.test(number[0])) throw pathFault('trailing junk after numeric literal', number[0].slice(0, 2));
      add('number', number[0], from);
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

  function word(): string {
    let value = '';
    while (at < text.length && (!ENDS_WORD.test(text[at]) || text[at] === '\\')) value += text[at] === '\\' ? escape() : text[at++];
    return value;
  }

  function quotedText(): string {
    let value = '';
    for (;;) {
      if (at >= text.length) throw pathFault('unterminated quoted string', '');
      const next = text[at];
      if (next === '"') {
        at++;
        return value;
      }
      value += next === '\\' ? escape() : text[at++];
    }
  }

  /** Behind a backslash. */
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
        return hex(/[0-9a-fA-F]{2}/y, 'invalid hexadecimal character sequence');
      case 'u': {
        if (text[at] === '{') {
          const braced = /\{([0-9a-fA-F]{1,6})\}/y;
          braced.lastIndex = at;
          const found = braced.exec(text);
          if (found === null) throw pathFault('invalid Unicode escape sequence', text.slice(at - 2, at + 1));
          at += found[0].length;
          return point(Number.parseInt(found[1], 16));
        }
        return hex(/[0-9a-fA-F]{4}/y, 'invalid Unicode escape sequence');
      }
      case undefined:
        throw pathFault('unexpected end after backslash', '');
      default:
        return letter;
    }
  }

  function hex(form: RegExp, fault: string): string {
    form.lastIndex = at;
    const found = form.exec(text);
    if (found === null) throw pathFault(fault, text.slice(at - 2, at));
    at += found[0].length;
    return point(Number.parseInt(found[0], 16));
  }
}

function point(code: number): string {
  if (code === 0) throw new SvcError('22P05', 'unsupported Unicode escape sequence', { detail: '\\u0000 cannot be converted to text.' });
  if (code > 0x10ffff) throw new SvcError('22P02', 'invalid Unicode escape value');
  return String.fromCodePoint(code);
}
