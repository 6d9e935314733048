/**
 * Parser of Postgres's regular expressions (manual, 9.7.3): the advanced kind, with `***` directors and embedded options; the
 * extended kind as far as it differs (no escapes, no lazy quantifiers). Basic ones are refused.
 */
import { SvcError } from '../../../../base/errors/svc-error.ts';
import type { CharSet, Node, Parsed } from './syntax.ts';
import { NAMED_CHARACTERS, WORD, classMembers } from './classes.ts';

/** The options in a flags argument. */
export interface Options {
  readonly ignoreCase: boolean;
  /** `.` and `[^…]` stop at a newline. */
  readonly stops: boolean;
  /** `^` and `$` match at lines. */
  readonly lines: boolean;
  readonly expanded: boolean;
  readonly literal: boolean;
  readonly extended: boolean;
}

export const PLAIN_OPTIONS: Options = { ignoreCase: false, stops: false, lines: false, expanded: false, literal: false, extended: false };

/** The options after one more letter, or undefined for an unknown letter. */
export function withLetter(options: Options, letter: string): Options | undefined {
  switch (letter) {
    case 'i':
      return { ...options, ignoreCase: true };
    case 'c':
      return { ...options, ignoreCase: false };
    case 'm':
    case 'n':
      return { ...options, stops: true, lines: true };
    case 'p':
      return { ...options, stops: true, lines: false };
    case 'w':
      return { ...options, stops: false, lines: true };
    case 's':
      return { ...options, stops: false, lines: false };
    case 'x':
      return { ...options, expanded: true };
    case 't':
      return { ...options, expanded: false };
    case 'q':
      return { ...options, literal: true, extended: false };
    case 'e':
      return { ...options, extended: true, literal: false };
    case 'b':
      throw new SvcError('0A000', 'basic regular expressions are not supported');
    default:
      return undefined;
  }
}

const COUNT_MAX = 255;

function fail(message: string): never {
  throw new SvcError('2201B', `invalid regular expression: ${message}`);
}

const BAD_ESCAPE = 'invalid escape \\ sequence';

/** A character escaped for use inside or outside of a JS class. */
export function quoteCharacter(point: number): string {
  if ((point >= 48 && point <= 57) || (point >= 65 && point <= 90) || (point >= 97 && point <= 122)) return String.fromCharCode(point);
  return `\\u{${point.toString(16)}}`;
}

const SETS = new Map<string, CharSet>();
const SETS_MAX = 2000;

function makeSet(source: string, ignoreCase: boolean): CharSet {
  const key = (ignoreCase ? 'i' : '-') + source;
  let set = SETS.get(key);
  if (set === undefined) {
    const test = new RegExp(`^${source}$`, ignoreCase ? 'iu' : 'u');
    let ascii = 0n;
    for (let code = 0; code < 128; code++) if (test.test(String.fromCharCode(code))) ascii |= 1n << BigInt(code);
    const single = /^(?:[0-9A-Za-z]|\\u\{[0-9a-f]+\})$/.test(source);
    set = { kind: 'set', source, ascii, beyond: !single || (ascii === 0n && source.length > 1) };
    if (SETS.size >= SETS_MAX) SETS.clear();
    SETS.set(key, set);
  }
  return set;
}

class Parser {
  readonly #text: string;
  #options: Options;
  #at = 0;
  #groups = 0;
  readonly #closed = new Set<number>();
  #looking = 0;

  constructor(text: string, options: Options) {
    this.#text = text;
    this.#options = options;
  }

  parse(): Parsed {
    this.#directors();
    if (this.#options.literal) {
      const items = Array.from(this.#text.slice(this.#at), (character) => this.#single(character.codePointAt(0) as number));
      return { root: { kind: 'concat', items }, groups: 0, ignoreCase: this.#options.ignoreCase };
    }
    const root = this.#either();
    if (this.#at < this.#text.length) fail('parentheses () not balanced');
    return { root, groups: this.#groups, ignoreCase: this.#options.ignoreCase };
  }

  #directors(): void {
    if (this.#options.literal) return;
    if (this.#text.startsWith('***')) {
      if (this.#text[3] === '=') {
        this.#options = { ...this.#options, literal: true };
        this.#at = 4;
        return;
      }
      if (this.#text[3] === ':') {
        this.#options = { ...this.#options, extended: false };
        this.#at = 4;
      } else fail('quantifier operand invalid');
    }
    if (this.#options.extended) return;
    const embedded = /^\(\?([a-zA-Z]+)(\)?)/.exec(this.#text.slice(this.#at));
    if (embedded === null) return;
    for (const letter of embedded[1] as string) this.#options = withLetter(this.#options, letter) ?? fail('invalid embedded option');
    if (embedded[2] === '') fail('invalid embedded option');
    this.#at += embedded[0].length;
  }

  #single(point: number): CharSet {
    return makeSet(quoteCharacter(point), this.#options.ignoreCase);
  }

  #members(members: string, negated = false): CharSet {
    return makeSet(`[${negated ? '^' : ''}${members}]`, this.#options.ignoreCase);
  }

  /** Skips blanks and comments of the expanded syntax, and `(?#…)`. */
  #skip(): void {
    for (;;) {
      if (this.#options.expanded) {
        while (/^[ \t\n\v\f\r]$/.test(this.#text[this.#at] ?? '')) this.#at++;
        if (this.#text[this.#at] === '#') {
          while (this.#at < this.#text.length && this.#text[this.#at] !== '\n') this.#at++;
          continue;
        }
      }
      if (this.#options.extended || !this.#text.startsWith('(?#', this.#at)) return;
      const end = this.#text.indexOf(')', this.#at);
      this.#at = end < 0 ? this.#text.length : end + 1;
    }
  }

  #either(): Node {
    const branches = [this.#branch()];
    while (this.#text[this.#at] === '|') {
      this.#at++;
      branches.push(this.#branch());
    }
    return branches.length === 1 ? (branches[0] as Node) : { kind: 'either', branches };
  }

  #branch(): Node {
    const items: Node[] = [];
    for (;;) {
      this.#skip();
      const character = this.#text[this.#at];
      if (character === undefined || character === '|' || character === ')') break;
      items.push(this.#quantified());
    }
    return items.length === 0 ? { kind: 'empty' } : items.length === 1 ? (items[0] as Node) : { kind: 'concat', items };
  }

  #quantified(): Node {
    const atom = this.#atom();
    if (atom.kind === 'constraint' || atom.kind === 'look') return atom;
    this.#skip();
    let min = 1;
    let max = 1;
    let exact = false;
    const character = this.#text[this.#at];
    if (character === '*') [min, max] = [0, Infinity];
    else if (character === '+') max = Infinity;
    else if (character === '?') min = 0;
    else if (character === '{' && /[0-9]/.test(this.#text[this.#at + 1] ?? '')) [min, max, exact] = this.#bounds();
    else return atom;
    this.#at++;
    let greedy = true;
    if (!this.#options.extended && this.#text[this.#at] === '?') {
      greedy = false;
      this.#at++;
    }
    this.#skip();
    const next = this.#text[this.#at];
    if (next === '*' || next === '+' || next === '?' || (next === '{' && /[0-9]/.test(this.#text[this.#at + 1] ?? ''))) fail('quantifier operand invalid');
    return { kind: 'repeat', body: atom, min, max, greedy, exact };
  }

  /** `{m}`, `{m,}` or `{m,n}`; leaves the position at the brace. */
  #bounds(): [number, number, boolean] {
    const match = /^\{([0-9]+)(?:(,)([0-9]*))?/.exec(this.#text.slice(this.#at)) as RegExpExecArray;
    this.#at += match[0].length;
    if (this.#at >= this.#text.length) fail('braces {} not balanced');
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Infinity : Number(match[3]);
    if (this.#text[this.#at] !== '}' || min > COUNT_MAX || (max !== Infinity && max > COUNT_MAX) || min > max) fail('invalid repetition count(s)');
    return [min, max, match[2] === undefined];
  }

  #atom(): Node {
    const character = this.#text[this.#at] as string;
    switch (character) {
      case '(':
        return this.#parenthesis();
      case '[':
        return this.#bracket();
      case '.':
        this.#at++;
        return makeSet(this.#options.stops ? '[^\\n]' : '[^]', this.#options.ignoreCase);
      case '^':
        this.#at++;
        return { kind: 'constraint', source: this.#options.lines ? '(?:^|(?<=\\n))' : '^' };
      case '$':
        this.#at++;
        return { kind: 'constraint', source: this.#options.lines ? '(?=\\n|$)' : '$' };
      case '*':
      case '+':
      case '?':
        return fail('quantifier operand invalid');
      case '{':
        if (/[0-9]/.test(this.#text[this.#at + 1] ?? '') || this.#options.extended) return fail('quantifier operand invalid');
        this.#at++;
        return this.#single(123);
      case '\\':
        return this.#escape();
      default: {
        const point = this.#text.codePointAt(this.#at) as number;
        this.#at += point > 0xffff ? 2 : 1;
        return this.#single(point);
      }
    }
  }

  #parenthesis(): Node {
    this.#at++;
    let open = '(';
    if (!this.#options.extended && this.#text[this.#at] === '?') {
      const mark = /^\?(?::|=|!|<=|<!)/.exec(this.#text.slice(this.#at));
      if (mark === null) fail('quantifier operand invalid');
      open = mark[0];
      this.#at += open.length;
    }
    const look = open !== '(' && open !== '?:';
    const index = open === '(' && this.#looking === 0 ? ++this.#groups : 0;
    if (look) this.#looking++;
    const body = this.#either();
    if (look) this.#looking--;
    if (this.#text[this.#at] !== ')') fail('parentheses () not balanced');
    this.#at++;
    if (look) return { kind: 'look', ahead: !open.includes('<'), negative: open.includes('!'), body };
    if (index === 0) return body.kind === 'constraint' || body.kind === 'look' ? { kind: 'concat', items: [body] } : body;
    this.#closed.add(index);
    return { kind: 'group', index, body };
  }

  #escape(): Node {
    this.#at++;
    const character = this.#text[this.#at];
    if (character === undefined) fail(BAD_ESCAPE);
    if (this.#options.extended) {
      const point = this.#text.codePointAt(this.#at) as number;
      this.#at += point > 0xffff ? 2 : 1;
      return this.#single(point);
    }
    switch (character) {
      case 'A':
        this.#at++;
        return { kind: 'constraint', source: '^' };
      case 'Z':
        this.#at++;
        return { kind: 'constraint', source: '$' };
      case 'm':
        this.#at++;
        return { kind: 'constraint', source: `(?<!${WORD})(?=${WORD})` };
      case 'M':
        this.#at++;
        return { kind: 'constraint', source: `(?<=${WORD})(?!${WORD})` };
      case 'y':
        this.#at++;
        return { kind: 'constraint', source: `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))` };
      case 'Y':
        this.#at++;
        return { kind: 'constraint', source: `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))` };
    }
    const shorthand = this.#shorthand();
    if (shorthand !== undefined) return this.#members(shorthand.members, shorthand.negated);
    if (/[1-9]/.test(character)) {
      const digits = (/^[0-9]+/.exec(this.#text.slice(this.#at)) as RegExpExecArray)[0];
      const index = Number(digits);
      // Several digits are a back reference only if that many groups precede.
      if (digits.length === 1 || index <= this.#groups) {
        this.#at += digits.length;
        if (!this.#closed.has(index) || this.#looking > 0) fail('invalid backreference number');
        return { kind: 'back', index };
      }
    }
    return this.#single(this.#characterEscape());
  }

  #shorthand(): { members: string; negated: boolean } | undefined {
    const name = ({ d: 'digit', s: 'space', w: 'word' } as Record<string, string>)[(this.#text[this.#at] as string).toLowerCase()];
    if (name === undefined) return undefined;
    const negated = /[DSW]/.test(this.#text[this.#at] as string);
    this.#at++;
    return { members: classMembers(name, this.#options.ignoreCase) as string, negated };
  }

  /** The character of an escape after its backslash. */
  #characterEscape(): number {
    const character = this.#text[this.#at] as string;
    const simple = ({ a: 7, b: 8, B: 92, e: 27, f: 12, n: 10, r: 13, t: 9, v: 11 } as Record<string, number>)[character];
    if (simple !== undefined) {
      this.#at++;
      return simple;
    }
    if (character === 'c') {
      const point = this.#text.codePointAt(this.#at + 1) ?? fail(BAD_ESCAPE);
      this.#at += 2;
      return point & 31;
    }
    const hex = character === 'x' ? /^x([0-9a-fA-F]+)/ : character === 'u' ? /^u([0-9a-fA-F]{4})/ : character === 'U' ? /^U([0-9a-fA-F]{8})/ : undefined;
    if (hex !== undefined) {
      const match = hex.exec(this.#text.slice(this.#at));
      const point = match === null ? NaN : Number.parseInt(match[1] as string, 16);
      if (!(point <= 0x10ffff)) fail(BAD_ESCAPE);
      this.#at += (match as RegExpExecArray)[0].length;
      return point;
    }
    if (/[0-7]/.test(character)) {
      const match = /^[0-3]?[0-7]{1,2}/.exec(this.#text.slice(this.#at)) as RegExpExecArray;
      this.#at += match[0].length;
      return Number.parseInt(match[0], 8);
    }
    if (/[0-9A-Za-z]/.test(character)) fail(BAD_ESCAPE);
    const point = this.#text.codePointAt(this.#at) as number;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }

  #bracket(): Node {
    const text = this.#text;
    for (const [mark, source] of [
      ['[[:<:]]', `(?<!${WORD})(?=${WORD})`],
      ['[[:>:]]', `(?<=${WORD})(?!${WORD})`],
    ] as const) {
      if (text.startsWith(mark, this.#at)) {
        this.#at += mark.length;
        return { kind: 'constraint', source };
      }
    }
    this.#at++;
    const negated = text[this.#at] === '^';
    if (negated) this.#at++;
    let members = '';
    const start = this.#at;
    for (;;) {
      const character = text[this.#at];
      if (character === undefined) fail('brackets [] not balanced');
      if (character === ']' && this.#at > start) break;
      const first = this.#member(this.#at === start);
      if (typeof first === 'string') {
        members += first;
        if (text[this.#at] === '-' && text[this.#at + 1] !== ']' && text[this.#at + 1] !== undefined) fail('invalid character range');
        continue;
      }
      if (text[this.#at] === '-' && text[this.#at + 1] !== ']') {
        this.#at++;
        if (this.#at >= text.length) fail('brackets [] not balanced');
        const last = this.#member(text[this.#at] === '-');
        if (typeof last === 'string' || last < first) fail('invalid character range');
        members += `${quoteCharacter(first)}-${quoteCharacter(last)}`;
      } else members += quoteCharacter(first);
    }
    this.#at++;
    return this.#members(negated && this.#options.stops ? `${members}\\n` : members, negated);
  }

  /** One member of a bracket expression: a character, or the JS members of a class. `free`: `-` is literal. */
  #member(free: boolean): number | string {
    const text = this.#text;
    const named = /^\[([.=:])(.*?)\1\]/s.exec(text.slice(this.#at));
    if (text[this.#at] === '[' && /[.=:]/.test(text[this.#at + 1] ?? '')) {
      if (named === null) fail('brackets [] not balanced');
      this.#at += named[0].length;
      const name = named[2] as string;
      if (named[1] === ':') return classMembers(name, this.#options.ignoreCase) ?? fail('invalid character class');
      const character = [...name].length === 1 ? name : NAMED_CHARACTERS[name];
      return character === undefined ? fail('invalid collating element') : (character.codePointAt(0) as number);
    }
    if (text[this.#at] === '-' && !free && text[this.#at + 1] !== ']') fail('invalid character range');
    if (text[this.#at] === '\\' && !this.#options.extended) {
      this.#at++;
      if (this.#at >= text.length) fail(BAD_ESCAPE);
      const shorthand = this.#shorthand();
      if (shorthand !== undefined) return shorthand.negated ? complement(shorthand.members) : shorthand.members;
      if (/[AZmMyY1-9]/.test(text[this.#at] as string)) fail(BAD_ESCAPE);
      return this.#characterEscape();
    }
    const point = text.codePointAt(this.#at) as number;
    this.#at += point > 0xffff ? 2 : 1;
    return point;
  }
}

/** Members of the complement of \d, \s or \w: JS's \P accepts only properties, so the others are spelled out. */
function complement(members: string): string {
  let spans = '';
  const inside = new RegExp(`[${members}]`, 'u');
  let start = -1;
  for (let point = 0; point <= 0x110000; point++) {
    const out = point < 0x110000 && !inside.test(String.fromCodePoint(point));
    if (out && start < 0) start = point;
    if (!out && start >= 0) {
      spans += `${quoteCharacter(start)}-${quoteCharacter(point - 1)}`;
      start = -1;
    }
  }
  return spans;
}

export function parseRegexp(pattern: string, options: Options): Parsed {
  return new Parser(pattern, options).parse();
}
