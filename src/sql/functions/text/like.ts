/**
 * LIKE. A pattern is compiled once: to a comparison, a prefix, suffix or substring search if it has that form, to searches for its
 * parts if it has no `_`, otherwise to a matcher that backtracks to the last `%`.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule, SqlFunction, SqlOperator } from '../define.ts';
import { lowerCase } from '../../types/letter-case.ts';

type Matcher = (text: string) => boolean;

const ESCAPE = 92;
const MANY = 37;
const ONE = 95;

function endsWithEscape(): never {
  throw new SvcError('22025', 'LIKE pattern must not end with escape character');
}

/** `unit`: `_` matches one unit of the string (bytes), otherwise a character. */
function compile(pattern: string, unit: boolean): Matcher {
  const plain = /^(%*)([^%_\\]*)(%*)$/.exec(pattern);
  if (plain === null) return compileParts(pattern) ?? ((text) => matchSlowly(text, pattern, unit));
  const body = plain[2] as string;
  const before = plain[1] !== '';
  const after = plain[3] !== '' || (before && body === '');
  if (before && after) return body === '' ? () => true : (text) => text.includes(body);
  if (before) return (text) => text.endsWith(body);
  if (after) return (text) => text.startsWith(body);
  return (text) => text === body;
}

/** For a pattern without `_`: its parts between the `%` are searched in order. */
function compileParts(pattern: string): Matcher | undefined {
  const parts = [''];
  for (let i = 0; i < pattern.length; i++) {
    let code = pattern.charCodeAt(i);
    if (code === ONE) return undefined;
    if (code === MANY) {
      parts.push('');
      continue;
    }
    if (code === ESCAPE) {
      if (++i === pattern.length) return undefined;
      code = pattern.charCodeAt(i);
    }
    parts[parts.length - 1] += String.fromCharCode(code);
  }
  const [first] = parts as [string];
  if (parts.length === 1) return (text) => text === first;
  const last = parts[parts.length - 1] as string;
  const middle = parts.slice(1, -1).filter((part) => part !== '');
  return (text) => {
    if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
    const end = text.length - last.length;
    let at = first.length;
    for (const part of middle) {
      const found = text.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= end;
  };
}

function matchSlowly(text: string, pattern: string, unit: boolean): boolean {
  let t = 0;
  let p = 0;
  let starPattern = -1;
  let starText = 0;
  while (t < text.length) {
    if (p < pattern.length) {
      let wanted = pattern.charCodeAt(p);
      if (wanted === MANY) {
        starPattern = ++p;
        starText = t;
        if (p === pattern.length) return true;
        continue;
      }
      if (wanted === ONE) {
        t += width(text, t, unit);
        p++;
        continue;
      }
      let taken = 1;
      if (wanted === ESCAPE) {
        if (p + 1 === pattern.length) endsWithEscape();
        wanted = pattern.charCodeAt(p + 1);
        taken = 2;
      }
      if (wanted === text.charCodeAt(t)) {
        t++;
        p += taken;
        continue;
      }
    }
    if (starPattern < 0) return false;
    starText += width(text, starText, unit);
    t = starText;
    p = starPattern;
  }
  while (p < pattern.length && pattern.charCodeAt(p) === MANY) p++;
  return p === pattern.length;
}

function width(text: string, index: number, unit: boolean): number {
  return !unit && (text.charCodeAt(index) & 0xfc00) === 0xd800 && index + 1 < text.length ? 2 : 1;
}

const COMPILED_MAX = 500;
/** After this many unknown patterns in a row they are values rather than constants. */
const STRANGERS = 64;
/** This many more are neither looked up nor compiled. */
const UNLOOKED = 4096;

/** A pattern is mostly a constant: the last one is at hand, some more are cached. */
class Patterns {
  readonly #unit: boolean;
  readonly #fold: boolean;
  #pattern = '';
  #matcher: Matcher;
  #all = new Map<string, Matcher>();
  /** Unknown patterns in a row; below zero: those that are matched without compiling. */
  #strangers = 0;

  constructor(unit: boolean, fold: boolean) {
    this.#unit = unit;
    this.#fold = fold;
    this.#matcher = compile('', unit);
  }

  match(text: string, pattern: string): boolean {
    if (pattern === this.#pattern) return this.#matcher(text);
    if (this.#strangers < 0) {
      this.#strangers++;
      return matchSlowly(text, this.#fold ? lowerCase(pattern) : pattern, this.#unit);
    }
    return this.#find(pattern)(text);
  }

  #find(pattern: string): Matcher {
    let matcher = this.#all.get(pattern);
    if (matcher !== undefined) this.#strangers = 0;
    else {
      if (++this.#strangers >= STRANGERS) this.#strangers = -UNLOOKED;
      matcher = compile(this.#fold ? lowerCase(pattern) : pattern, this.#unit);
      if (this.#all.size >= COMPILED_MAX) this.#all = new Map();
      this.#all.set(pattern, matcher);
    }
    this.#pattern = pattern;
    this.#matcher = matcher;
    return matcher;
  }
}

const TEXTS = new Patterns(false, false);
const FOLDED = new Patterns(false, true);
const BYTES = new Patterns(true, false);

export const like = (text: string, pattern: string): boolean => TEXTS.match(text, pattern);
const notLike = (text: string, pattern: string): boolean => !TEXTS.match(text, pattern);
const ilike = (text: string, pattern: string): boolean => FOLDED.match(lowerCase(text), pattern);
const notIlike = (text: string, pattern: string): boolean => !FOLDED.match(lowerCase(text), pattern);
const byteaLike = (text: string, pattern: string): boolean => BYTES.match(text, pattern);
const byteaNotLike = (text: string, pattern: string): boolean => !BYTES.match(text, pattern);

/** The pattern with `\` as the escape character. */
export function likeEscape(pattern: string, escape: string, unit = false): string {
  if (escape === '') return pattern.replaceAll('\\', '\\\\');
  if (escape.length > width(escape, 0, unit)) {
    throw new SvcError('22025', 'invalid escape string', { hint: 'Escape string must be empty or one character.' });
  }
  if (escape === '\\') return pattern;
  let result = '';
  let escaped = false;
  for (let i = 0; i < pattern.length;) {
    const character = pattern.slice(i, i + width(pattern, i, unit));
    i += character.length;
    if (character === escape && !escaped) {
      result += '\\';
      escaped = true;
      continue;
    }
    if (character === '\\' && !escaped) result += '\\';
    result += character;
    escaped = false;
  }
  return result;
}

type Test = (text: string, pattern: string) => boolean;

function operator(name: string, left: string, right: string, proc: string, negator: string, impl: Test): SqlOperator {
  return { name, left, right, returns: 'bool', proc, negator, impl };
}

function family(type: string): SqlOperator[] {
  return [
    operator('~~', type, 'text', `${type}like`, '!~~', like),
    operator('!~~', type, 'text', `${type}nlike`, '~~', notLike),
    operator('~~*', type, 'text', `${type}iclike`, '!~~*', ilike),
    operator('!~~*', type, 'text', `${type}icnlike`, '~~*', notIlike),
  ];
}

function named(name: string, type: string, pattern: string, impl: Test, doc: string): SqlFunction {
  return { kind: 'scalar', name, args: [type, pattern], returns: 'bool', doc, impl };
}

const MATCHES = 'Whether the value matches the LIKE pattern.';
const FAILS = 'Whether the value does not match the LIKE pattern.';

export const likeMatching: FunctionModule = {
  operators: [
    ...family('text'),
    ...family('name'),
    // A char(n) is matched with its padding.
    ...family('bpchar'),
    operator('~~', 'bytea', 'bytea', 'bytealike', '!~~', byteaLike),
    operator('!~~', 'bytea', 'bytea', 'byteanlike', '~~', byteaNotLike),
  ],
  functions: [
    named('like', 'text', 'text', like, MATCHES),
    named('like', 'name', 'text', like, MATCHES),
    named('like', 'bytea', 'bytea', byteaLike, MATCHES),
    named('notlike', 'text', 'text', notLike, FAILS),
    named('notlike', 'name', 'text', notLike, FAILS),
    named('notlike', 'bytea', 'bytea', byteaNotLike, FAILS),
    {
      kind: 'scalar',
      name: 'like_escape',
      args: ['text', 'text'],
      returns: 'text',
      doc: 'The LIKE pattern rewritten from another escape character to the backslash.',
      impl: (pattern: string, escape: string) => likeEscape(pattern, escape),
    },
    {
      kind: 'scalar',
      name: 'like_escape',
      args: ['bytea', 'bytea'],
      returns: 'bytea',
      doc: 'The LIKE pattern rewritten from another escape character to the backslash.',
      impl: (pattern: string, escape: string) => likeEscape(pattern, escape, true),
    },
  ],
};
