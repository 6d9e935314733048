/** Parses JSON paths, by precedence: or, and, not and comparisons, sums, products, signs, steps. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { numberNodeFromText } from './json-number.ts';
import { pathFault, type PathToken, pathTokens } from './jsonpath-tokens.ts';
import { type Arithmetic, type Comparison, isPredicate, type JsonPath, type PathMethod, type PathNode, type PathStep } from './jsonpath-syntax.ts';

const METHODS = new Set<string>(['type', 'size', 'double', 'ceiling', 'floor', 'abs', 'keyvalue']);
const COMPARISONS = new Set<string>(['==', '!=', '<', '<=', '>', '>=']);
const DEPTH_MAX = 1000;

export function parseJsonPath(text: string): JsonPath {
  if (text === '') throw new SvcError('22P02', `invalid input syntax for type jsonpath: "${text}"`);
  return new Parser(pathTokens(text)).whole(text);
}

class Parser {
  readonly #tokens: readonly PathToken[];
  #at = 0;
  #depth = 0;
  /** Enclosing filters and array subscripts: `@` and `last` are valid only in them. */
  #filters = 0;
  #subscripts = 0;

  constructor(tokens: readonly PathToken[]) {
    this.#tokens = tokens;
  }

  whole(text: string): JsonPath {
    let lax = true;
    if (this.#isWord('strict')) {
      this.#at++;
      lax = false;
    } else if (this.#isWord('lax')) this.#at++;
    if (this.#next.kind === 'end' && this.#at === 0) throw new SvcError('22P02', `invalid input syntax for type jsonpath: "${text}"`);
    const root = this.#either();
    if (this.#next.kind !== 'end') throw this.#fault();
    return { lax, root };
  }

  get #next(): PathToken {
    return this.#tokens[this.#at];
  }

  #fault(): SvcError {
    return pathFault('syntax error', this.#next.written);
  }

  #isSign(text: string): boolean {
    return this.#next.kind === 'sign' && this.#next.text === text;
  }

  /** Keywords are case-insensitive, except null, true and false. */
  #isWord(word: string): boolean {
    return this.#next.kind === 'word' && this.#next.text.toLowerCase() === word;
  }

  #take(sign: string): void {
    if (!this.#isSign(sign)) throw this.#fault();
    this.#at++;
  }

  #truth(node: PathNode): PathNode {
    if (!isPredicate(node)) throw this.#fault();
    return node;
  }

  #either(): PathNode {
    if (++this.#depth > DEPTH_MAX) throw new SvcError('54001', 'stack depth limit exceeded');
    let left = this.#both();
    while (this.#isSign('||')) {
      this.#truth(left);
      this.#at++;
      left = { kind: 'or', left, right: this.#truth(this.#both()) };
    }
    this.#depth--;
    return left;
  }

  #both(): PathNode {
    let left = this.#not();
    while (this.#isSign('&&')) {
      this.#truth(left);
      this.#at++;
      left = { kind: 'and', left, right: this.#truth(this.#not()) };
    }
    return left;
  }

  #not(): PathNode {
    if (!this.#isSign('!')) return this.#comparison();
    this.#at++;
    if (!this.#isSign('(') && !this.#isWord('exists')) throw this.#fault();
    return { kind: 'not', arg: this.#truth(this.#primaryTruth()) };
  }

  /** The operand of `!`: parenthesised, or exists. */
  #primaryTruth(): PathNode {
    if (this.#isWord('exists')) return this.#exists();
    this.#take('(');
    const inner = this.#either();
    this.#take(')');
    return inner;
  }

  #exists(): PathNode {
    this.#at++;
    this.#take('(');
    const arg = this.#sum();
    this.#take(')');
    return { kind: 'exists', arg };
  }

  #comparison(): PathNode {
    const left = this.#sum();
    const { kind, text } = this.#next;
    if (kind === 'sign' && COMPARISONS.has(text)) {
      if (isPredicate(left)) throw this.#fault();
      this.#at++;
      return { kind: 'compare', op: text as Comparison, left, right: this.#sum() };
    }
    if (this.#isWord('starts')) {
      this.#at++;
      if (!this.#isWord('with')) throw this.#fault();
      this.#at++;
      const given = this.#next;
      if (given.kind !== 'string' && given.kind !== 'variable') throw this.#fault();
      this.#at++;
      const right: PathNode = given.kind === 'string' ? { kind: 'literal', value: given.text } : { kind: 'variable', name: given.text };
      return { kind: 'startsWith', left, right };
    }
    if (this.#isWord('like_regex')) {
      this.#at++;
      const pattern = this.#string();
      let flags = '';
      if (this.#isWord('flag')) {
        this.#at++;
        flags = orderedFlags(this.#string());
      }
      return { kind: 'likeRegex', arg: left, pattern, flags };
    }
    if (this.#isWord('is')) {
      this.#at++;
      if (!this.#isWord('unknown')) throw this.#fault();
      this.#at++;
      return { kind: 'isUnknown', arg: this.#truth(left) };
    }
    return left;
  }

  #string(): string {
    if (this.#next.kind !== 'string') throw this.#fault();
    return this.#tokens[this.#at++].text;
  }

  #sum(): PathNode {
    let left = this.#product();
    while (this.#isSign('+') || this.#isSign('-')) {
      const op = this.#tokens[this.#at++].text as Arithmetic;
      left = { kind: 'arithmetic', op, left, right: this.#product() };
    }
    return left;
  }

  #product(): PathNode {
    let left = this.#signed();
    while (this.#isSign('*') || this.#isSign('/') || this.#isSign('%')) {
      const op = this.#tokens[this.#at++].text as Arithmetic;
      left = { kind: 'arithmetic', op, left, right: this.#signed() };
    }
    return left;
  }

  #signed(): PathNode {
    if (this.#isSign('+') || this.#isSign('-')) {
      const op = this.#tokens[this.#at++].text as '+' | '-';
      return { kind: 'sign', op, arg: this.#signed() };
    }
    return this.#path();
  }

  #path(): PathNode {
    const base = this.#primary();
    const steps: PathStep[] = [];
    for (let step = this.#step(); step !== null; step = this.#step()) steps.push(step);
    return steps.length === 0 ? base : { kind: 'steps', base, steps };
  }

  #primary(): PathNode {
    const token = this.#next;
    switch (token.kind) {
      case 'string':
        this.#at++;
        return { kind: 'literal', value: token.text };
      case 'number':
        this.#at++;
        return { kind: 'literal', value: numberNodeFromText(token.text) };
      case 'variable':
        this.#at++;
        return { kind: 'variable', name: token.text };
      case 'word':
        return this.#word(token);
      case 'sign':
        if (token.text === '$') {
          this.#at++;
          return { kind: 'root' };
        }
        if (token.text === '@') {
          if (this.#filters === 0) throw new SvcError('42601', '@ is not allowed in root expressions');
          this.#at++;
          return { kind: 'current' };
        }
        if (token.text === '(') {
          this.#at++;
          const inner = this.#either();
          this.#take(')');
          return inner;
        }
        if (token.text === '!') return this.#not();
        throw this.#fault();
      default:
        throw this.#fault();
    }
  }

  #word({ text }: PathToken): PathNode {
    if (text === 'null' || text === 'true' || text === 'false') {
      this.#at++;
      return { kind: 'literal', value: text === 'null' ? null : text === 'true' };
    }
    if (this.#isWord('exists')) return this.#exists();
    if (this.#isWord('last')) {
      if (this.#subscripts === 0) throw new SvcError('42601', 'LAST is allowed only in array subscripts');
      this.#at++;
      return { kind: 'last' };
    }
    throw this.#fault();
  }

  #step(): PathStep | null {
    if (this.#isSign('[')) return this.#items();
    if (this.#isSign('?')) {
      this.#at++;
      this.#take('(');
      this.#filters++;
      const condition = this.#truth(this.#either());
      this.#filters--;
      this.#take(')');
      return { kind: 'filter', condition };
    }
    if (!this.#isSign('.')) return null;
    this.#at++;
    if (this.#isSign('*')) {
      this.#at++;
      return { kind: 'anyKey' };
    }
    if (this.#isSign('**')) {
      this.#at++;
      return this.#levels();
    }
    const token = this.#next;
    if (token.kind !== 'word' && token.kind !== 'string') throw this.#fault();
    this.#at++;
    if (token.kind === 'word' && this.#isSign('(')) {
      const name = token.text.toLowerCase();
      if (name === 'datetime') {
        this.#at++;
        const template = this.#next.kind === 'string' ? this.#string() : null;
        this.#take(')');
        return { kind: 'datetime', template };
      }
      if (METHODS.has(name)) {
        this.#at++;
        this.#take(')');
        return { kind: 'method', name: name as PathMethod };
      }
      throw this.#fault();
    }
    return { kind: 'key', name: token.text };
  }

  #items(): PathStep {
    this.#at++;
    if (this.#isSign('*')) {
      this.#at++;
      this.#take(']');
      return { kind: 'anyItem' };
    }
    this.#subscripts++;
    const subscripts: { from: PathNode; to: PathNode | null }[] = [];
    for (;;) {
      const from = this.#sum();
      let to: PathNode | null = null;
      if (this.#isWord('to')) {
        this.#at++;
        to = this.#sum();
      }
      subscripts.push({ from, to });
      if (!this.#isSign(',')) break;
      this.#at++;
    }
    this.#subscripts--;
    this.#take(']');
    return { kind: 'items', subscripts };
  }

  #levels(): PathStep {
    if (!this.#isSign('{')) return { kind: 'levels', first: 0, last: null };
    this.#at++;
    const level = (): number | null => {
      if (this.#isWord('last')) {
        this.#at++;
        return null;
      }
      if (this.#next.kind !== 'number' || !/^\d+$/.test(this.#next.text)) throw this.#fault();
      return Number(this.#tokens[this.#at++].text);
    };
    const first = level();
    let last = first;
    if (this.#isWord('to')) {
      this.#at++;
      last = level();
    }
    this.#take('}');
    return { kind: 'levels', first, last };
  }
}

function orderedFlags(given: string): string {
  const fault = (detail: string): SvcError => new SvcError('42601', 'invalid input syntax for type jsonpath', { detail });
  for (const letter of given) {
    if (letter === 'x') continue;
    if (!'ismq'.includes(letter)) throw fault(`Unrecognized flag character "${letter}" in LIKE_REGEX predicate.`);
  }
  if (given.includes('x') && !given.includes('q')) {
    throw new SvcError('0A000', 'XQuery "x" flag (expanded regular expressions) is not implemented');
  }
  return [...'ismxq'].filter((letter) => given.includes(letter)).join('');
}
