/**
 * Parses queries. Each grammar provides words and operators; a word may become several nodes, for functions with a configuration
 * (to_tsquery …), or none: a stop word. Those are removed when the tree is complete, and enclosing phrases grow by their positions.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { LIMITS } from '../../base/limits.ts';
import { isTsOperator, refuseLongWord, TS_POSITION_MAX, TsWordReader } from './ts-word-reader.ts';
import { EMPTY_QUERY, STOPPED_QUERY, type TsNode, type TsPair, TsQuery, tsPair, tsWord } from './tsquery-tree.ts';

/** A node, or a placeholder for a removed word. */
export type TsDraft = TsNode | typeof STOP | DraftNot | DraftPair;
export const STOP = { kind: 'stop' } as const;
export interface DraftNot {
  readonly kind: 'not';
  readonly right: TsDraft;
}
export interface DraftPair {
  readonly kind: TsPair['kind'];
  readonly left: TsDraft;
  readonly right: TsDraft;
  readonly distance: number;
}

/** The nodes of a word. */
export type TsWordMeaning = (text: string, weight: number, prefix: boolean) => TsDraft;

type Operator = { readonly kind: 'not' | 'and' | 'or' | 'phrase'; readonly distance: number };
type Token = Operator | { readonly kind: 'open' } | { readonly kind: 'close' } | { readonly kind: 'end' } | { readonly kind: 'value'; readonly node: TsDraft };

const PRIORITY = { or: 1, and: 2, phrase: 3, not: 4 } as const;
const END: Token = { kind: 'end' };
const NOT: Token = { kind: 'not', distance: 0 };
const AND: Token = { kind: 'and', distance: 0 };
const OR: Token = { kind: 'or', distance: 0 };
const SPACE = /\s/;
const OR_WORD = /or(?![-_\p{L}\p{N}])[^]\s*\S/iuy;
const WEIGHT_BITS: Readonly<Record<string, number>> = { a: 8, b: 4, c: 2, d: 1 };

const asItIs: TsWordMeaning = (text, weight, prefix) => {
  refuseLongWord(text);
  return tsWord(text, weight, prefix);
};

export function parseTsQuery(text: string, meaning: TsWordMeaning = asItIs): TsQuery {
  return finished(new Grammar(new StandardTokens(text, meaning)).tree());
}

export function parseWebQuery(text: string, meaning: TsWordMeaning): TsQuery {
  return finished(new Grammar(new WebTokens(text, meaning)).tree());
}

export function finished(draft: TsDraft | null): TsQuery {
  if (draft === null) return EMPTY_QUERY;
  const { node } = withoutStops(draft);
  return node === null ? STOPPED_QUERY : new TsQuery(node);
}

/** 22023 if it is invalid. */
export function checkedDistance(distance: number): number {
  if (distance < 0 || distance > TS_POSITION_MAX + 1) {
    throw new SvcError('22023', `distance in phrase operator must be an integer value between zero and ${TS_POSITION_MAX + 1} inclusive`);
  }
  return distance;
}

interface Tokens {
  next(): Token;
  fault(): SvcError;
}

/** Operator precedence is ! <-> & |, left-associative. */
class Grammar {
  readonly #tokens: Tokens;
  #depth = 0;

  constructor(tokens: Tokens) {
    this.#tokens = tokens;
  }

  /** Up to a closing parenthesis or the end; null if it is empty. */
  tree(): TsDraft | null {
    if (++this.#depth > LIMITS.searchDepthMax) throw new SvcError('54001', 'stack depth limit exceeded');
    const values: TsDraft[] = [];
    const waiting: Operator[] = [];
    const reduce = (operator: Operator | null): void => {
      while (waiting.length > 0) {
        const last = waiting[waiting.length - 1];
        // Only NOT is right-associative.
        if (operator !== null && (operator.kind === 'not' ? PRIORITY.not >= PRIORITY[last.kind] : PRIORITY[operator.kind] > PRIORITY[last.kind])) break;
        waiting.pop();
        const right = values.pop();
        if (right === undefined) throw this.#tokens.fault();
        if (last.kind === 'not') values.push({ kind: 'not', right });
        else {
          const left = values.pop();
          if (left === undefined) throw this.#tokens.fault();
          values.push({ kind: last.kind, left, right, distance: last.distance });
        }
      }
    };
    for (;;) {
      const token = this.#tokens.next();
      if (token.kind === 'end' || token.kind === 'close') break;
      if (token.kind === 'value') values.push(token.node);
      else if (token.kind === 'open') {
        const inner = this.tree();
        if (inner !== null) values.push(inner);
      } else {
        reduce(token);
        waiting.push(token);
      }
    }
    reduce(null);
    this.#depth--;
    return values[0] ?? null;
  }
}

class StandardTokens implements Tokens {
  readonly #text: string;
  readonly #words: TsWordReader;
  readonly #meaning: TsWordMeaning;
  #state: 'first' | 'operand' | 'operator' = 'first';
  #open = 0;

  constructor(text: string, meaning: TsWordMeaning) {
    this.#text = text;
    this.#words = new TsWordReader(text, 'query');
    this.#meaning = meaning;
  }

  fault(): SvcError {
    return this.#words.fault();
  }

  next(): Token {
    const text = this.#text;
    const words = this.#words;
    while (words.at < text.length && SPACE.test(text[words.at])) words.at++;
    const char = text[words.at] ?? '';
    if (this.#state !== 'operator') {
      if (char === '!') {
        words.at++;
        this.#state = 'operand';
        return NOT;
      }
      if (char === '(') {
        words.at++;
        this.#open++;
        this.#state = 'operand';
        return { kind: 'open' };
      }
      if (char === ':') throw this.fault();
      const word = words.next();
      if (word === null) {
        if (this.#state === 'first') return END;
        throw new SvcError('42601', `no operand in tsquery: "${text}"`);
      }
      const { weight, prefix } = this.#flags();
      this.#state = 'operator';
      return { kind: 'value', node: this.#meaning(word.text, weight, prefix) };
    }
    if (char === '') {
      if (this.#open > 0) throw this.fault();
      return END;
    }
    if (char === ')') {
      words.at++;
      if (--this.#open < 0) throw this.fault();
      return { kind: 'close' };
    }
    this.#state = 'operand';
    if (char === '&' || char === '|') {
      words.at++;
      return char === '&' ? AND : OR;
    }
    // At the very end it is no operator.
    const phrase = /<(?:-|(\d+))>(?=[^])/y;
    phrase.lastIndex = words.at;
    const found = phrase.exec(text);
    if (found === null) throw this.fault();
    words.at = phrase.lastIndex;
    return { kind: 'phrase', distance: found[1] === undefined ? 1 : checkedDistance(Number(found[1])) };
  }

  /** Weights and the star after a word. */
  #flags(): { weight: number; prefix: boolean } {
    const words = this.#words;
    let weight = 0;
    let prefix = false;
    if (this.#text[words.at] !== ':') return { weight, prefix };
    for (words.at++; words.at < this.#text.length; words.at++) {
      const char = this.#text[words.at].toLowerCase();
      if (char === '*') prefix = true;
      else if (WEIGHT_BITS[char] === undefined) break;
      else weight |= WEIGHT_BITS[char];
    }
    return { weight, prefix };
  }
}

/** `a "b c" or -d`: never an error. */
class WebTokens implements Tokens {
  readonly #text: string;
  readonly #words: TsWordReader;
  readonly #meaning: TsWordMeaning;
  #state: 'first' | 'operand' | 'operator' = 'first';
  #ended = false;

  constructor(text: string, meaning: TsWordMeaning) {
    this.#text = text;
    this.#words = new TsWordReader(text, 'web');
    this.#meaning = meaning;
  }

  fault(): SvcError {
    return this.#words.fault();
  }

  next(): Token {
    if (this.#ended) return END;
    const text = this.#text;
    const words = this.#words;
    for (;;) {
      const char = text[words.at] ?? '';
      if (this.#state !== 'operator') {
        if (char === '-') {
          words.at++;
          this.#state = 'operand';
          return NOT;
        }
        if (char === '"') {
          const end = text.indexOf('"', words.at + 1);
          const quoted = text.slice(words.at + 1, end === -1 ? text.length : end);
          words.at = end === -1 ? text.length : end + 1;
          this.#state = 'operator';
          return { kind: 'value', node: this.#meaning(quoted, 0, false) };
        }
        if (isTsOperator(char)) {
          words.at++;
          this.#state = 'operand';
          continue;
        }
        if (char === '' || !SPACE.test(char)) {
          const word = words.next();
          if (word !== null) {
            this.#state = 'operator';
            return { kind: 'value', node: this.#meaning(word.text, 0, false) };
          }
          this.#ended = true;
          return this.#state === 'first' ? END : { kind: 'value', node: STOP };
        }
      } else if (char === '"') {
        this.#state = 'operand';
        return AND;
      } else if (this.#or()) {
        this.#state = 'operand';
        return OR;
      } else if (char === '') return END;
      else if (!isTsOperator(char) && !SPACE.test(char)) {
        this.#state = 'operand';
        return AND;
      }
      words.at++;
    }
  }

  /** `or` as a separate word, with something after it. */
  #or(): boolean {
    OR_WORD.lastIndex = this.#words.at;
    if (!OR_WORD.test(this.#text)) return false;
    this.#words.at += 2;
    return true;
  }
}

interface Cleaned {
  readonly node: TsNode | null;
  /** How much a phrase grows on the left and right of a removed word. */
  readonly left: number;
  readonly right: number;
}

function withoutStops(draft: TsDraft): Cleaned {
  if (draft.kind === 'word') return { node: draft, left: 0, right: 0 };
  if (draft.kind === 'stop') return { node: null, left: 0, right: 0 };
  if (draft.kind === 'not') {
    const inner = withoutStops(draft.right);
    return { ...inner, node: inner.node === null ? null : { kind: 'not', right: inner.node } };
  }
  const a = withoutStops(draft.left);
  const b = withoutStops(draft.right);
  const phrase = draft.kind === 'phrase';
  const distance = phrase ? draft.distance : 0;
  if (a.node === null && b.node === null) {
    const both = phrase ? a.left + distance + b.left : Math.max(a.left, b.left);
    return { node: null, left: both, right: both };
  }
  if (a.node === null) return { node: b.node, left: phrase ? a.left + distance + b.left : b.left, right: b.right };
  if (b.node === null) return { node: a.node, left: a.left, right: phrase ? a.right + distance + b.right : a.right };
  if (!phrase) return { node: tsPair(draft.kind, a.node, b.node), left: 0, right: 0 };
  return { node: tsPair('phrase', a.node, b.node, distance + a.right + b.left), left: a.left, right: b.right };
}
