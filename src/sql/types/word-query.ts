/**
 * Boolean queries over words with `!`, `&` and `|`, as intarray and ltree write them: `( a | b ) & !c`. The extension defines the
 * words. They are parsed and printed as in the extensions: an OR within another operator is parenthesised, an AND never.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

export type WordQuery<Word> =
  | { readonly kind: 'word'; readonly word: Word }
  | { readonly kind: '!'; readonly arg: WordQuery<Word> }
  | { readonly kind: '&' | '|'; readonly left: WordQuery<Word>; readonly right: WordQuery<Word> };

export interface WordReader<Word> {
  /** The word at a position and the position after it; null if there is none. */
  read(text: string, at: number): { readonly word: Word; readonly end: number } | null;
  /** 42601 for a missing word. */
  missing(): SvcError;
  /** Blanks before a word. */
  readonly blank: RegExp;
}

/** A limit on nesting, for the recursion over a query. */
const DEPTH_MAX = 500;

function bad(): SvcError {
  return new SvcError('42601', 'syntax error');
}

export function parseWordQuery<Word>(text: string, reader: WordReader<Word>): WordQuery<Word> {
  let at = 0;
  let depth = 0;
  const operand = (): WordQuery<Word> => {
    while (at < text.length && reader.blank.test(text[at])) at++;
    if (++depth > DEPTH_MAX) throw new SvcError('54001', 'stack depth limit exceeded');
    let out: WordQuery<Word>;
    if (text[at] === '!') {
      at++;
      out = { kind: '!', arg: operand() };
    } else if (text[at] === '(') {
      at++;
      out = either();
      if (text[at] !== ')') throw bad();
      at++;
    } else {
      const found = reader.read(text, at);
      if (found === null) throw reader.missing();
      out = { kind: 'word', word: found.word };
      at = found.end;
    }
    depth--;
    return out;
  };
  const operator = (sign: '&' | '|', next: () => WordQuery<Word>) => (): WordQuery<Word> => {
    let left = next();
    for (;;) {
      while (text[at] === ' ') at++;
      if (text[at] !== sign) return left;
      at++;
      left = { kind: sign, left, right: next() };
    }
  };
  const both = operator('&', operand);
  const either: () => WordQuery<Word> = operator('|', both);
  const query = either();
  if (at < text.length) throw bad();
  return query;
}

export function printWordQuery<Word>(query: WordQuery<Word>, print: (word: Word) => string, outer = true): string {
  switch (query.kind) {
    case 'word':
      return print(query.word);
    case '!':
      return query.arg.kind === 'word' ? `!${print(query.arg.word)}` : `!( ${printWordQuery(query.arg, print)} )`;
    default: {
      const text = `${printWordQuery(query.left, print, false)} ${query.kind} ${printWordQuery(query.right, print, false)}`;
      return query.kind === '|' && !outer ? `( ${text} )` : text;
    }
  }
}

export function answersWordQuery<Word>(query: WordQuery<Word>, has: (word: Word) => boolean): boolean {
  switch (query.kind) {
    case 'word':
      return has(query.word);
    case '!':
      return !answersWordQuery(query.arg, has);
    case '&':
      return answersWordQuery(query.left, has) && answersWordQuery(query.right, has);
    default:
      return answersWordQuery(query.left, has) || answersWordQuery(query.right, has);
  }
}
