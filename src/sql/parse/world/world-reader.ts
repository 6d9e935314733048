/**
 * Parses a world statement token by token: the basis of the grammars in this folder.
 *
 * Names of worlds, agents, policies, checks, readers and checkpoints may be unquoted with `-` and `.` in them, where SQL's scanner
 * would split; they are taken from the text itself, keep their case, and end before a comment.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Expression } from '../../ast/expression.ts';
import type { Query } from '../../ast/query.ts';
import type { Duration, Text, WorldReference } from '../../ast/world.ts';
import { Scanner, TOKEN } from '../scanner.ts';
import { quotedNameValue, stringValue } from '../string-literal.ts';
import { characterPosition } from '../text-offsets.ts';

/** Parses the parts of a world statement in Postgres's syntax, given by their range in the text. */
export interface InnerParser {
  query(text: string, start: number, end: number): Query;
  expression(text: string, start: number, end: number): Expression;
}

export class WorldReader {
  readonly text: string;
  /** Start of the statement and end of its last token. */
  readonly start: number;
  readonly end: number;
  readonly inner: InnerParser;
  readonly #scanner: Scanner;

  constructor(text: string, start: number, end: number, inner: InnerParser) {
    this.text = text;
    this.start = start;
    this.end = end;
    this.inner = inner;
    // To the end of the text rather than the statement: an error points to the `;`.
    this.#scanner = new Scanner(text, start);
    this.#scanner.next();
  }

  /** Of the current token. */
  get at(): number {
    return this.#scanner.start;
  }

  /** The current token in lower case if it is an unquoted word or punctuation, otherwise ''. */
  get word(): string {
    const { kind } = this.#scanner;
    return kind === TOKEN.word || kind === TOKEN.punctuation || kind === TOKEN.operator ? this.#scanner.lexeme.toLowerCase() : '';
  }

  get atEnd(): boolean {
    return this.#scanner.kind === TOKEN.end || this.#scanner.start >= this.end;
  }

  get isString(): boolean {
    return this.#scanner.kind === TOKEN.string;
  }

  get isNumber(): boolean {
    return this.#scanner.kind === TOKEN.number;
  }

  /** Consumes the words if they all come next. */
  accept(...words: string[]): boolean {
    const at = this.#scanner.start;
    for (const word of words) {
      if (this.word !== word || this.atEnd) {
        this.#scanner.moveTo(at);
        this.#scanner.next();
        return false;
      }
      this.#scanner.next();
    }
    return true;
  }

  expect(...words: string[]): void {
    for (const word of words) {
      if (this.word !== word || this.atEnd) throw this.failure();
      this.#scanner.next();
    }
  }

  expectEnd(): void {
    if (!this.atEnd) throw this.failure();
  }

  /** Continues after `at`. */
  skipTo(at: number): void {
    this.#scanner.moveTo(at);
    this.#scanner.next();
  }

  /** Postgres's error for an unexpected token. */
  failure(): SvcError {
    const { kind, start, lexeme } = this.#scanner;
    if (kind === TOKEN.end) return this.error('syntax error at end of input', start);
    if (kind !== TOKEN.unfinished) return this.error(`syntax error at or near "${lexeme}"`, start);
    const what = lexeme.startsWith('/*')
      ? '/* comment'
      : lexeme.startsWith('$')
        ? 'dollar-quoted string'
        : lexeme.includes('"') && !lexeme.includes("'")
          ? 'quoted identifier'
          : 'quoted string';
    return this.error(`unterminated ${what} at or near "${lexeme}"`, start);
  }

  error(message: string, at: number): SvcError {
    return new SvcError('42601', message, { position: characterPosition(this.text, at) });
  }

  /** An svc name: unquoted, or in double quotes. */
  name(): string {
    if (this.atEnd) throw this.failure();
    const { kind, start } = this.#scanner;
    if (kind === TOKEN.quotedName) {
      const name = quotedNameValue(this.#scanner.lexeme);
      if (name === '') throw this.error('zero-length delimited identifier at or near """"', start);
      this.#scanner.next();
      return name;
    }
    const end = this.#bareEnd(start, isNameCode);
    if (end === start) throw this.failure();
    this.skipTo(end);
    return this.text.slice(start, end);
  }

  /** `[AS OF 'moment']` */
  asOf(): Text | null {
    return this.accept('as', 'of') ? this.string() : null;
  }

  /** `w`, `w@when`, `"w"@'when'`, `'w@when'`. */
  reference(): WorldReference {
    const at = this.at;
    if (this.isString) {
      const { value } = this.string();
      const mark = value.indexOf('@');
      return mark < 0 ? { name: value, when: null, at } : { name: value.slice(0, mark), when: value.slice(mark + 1), at };
    }
    const quoted = this.#scanner.kind === TOKEN.quotedName;
    const nameEnd = quoted ? this.#scanner.end : this.#bareEnd(at, isNameCode);
    const name = this.name();
    if (this.text[nameEnd] !== '@') return { name, when: null, at };
    this.skipTo(nameEnd + 1);
    if (this.isString && this.at === nameEnd + 1) return { name, when: this.string().value, at };
    const end = this.#bareEnd(nameEnd + 1, isMomentCode);
    if (end === nameEnd + 1) throw this.failure();
    this.skipTo(end);
    return { name, when: this.text.slice(nameEnd + 1, end), at };
  }

  #bareEnd(start: number, belongs: (code: number) => boolean): number {
    let end = start;
    while (end < this.end && belongs(this.text.charCodeAt(end)) && !this.text.startsWith('--', end)) end++;
    return end;
  }

  /** A name by SQL's rules: folded to lower case unless quoted. */
  identifier(): string {
    if (this.atEnd) throw this.failure();
    const { kind, lexeme } = this.#scanner;
    if (kind !== TOKEN.word && kind !== TOKEN.quotedName) throw this.failure();
    this.#scanner.next();
    return kind === TOKEN.word ? lexeme.toLowerCase() : quotedNameValue(lexeme);
  }

  /** `table` or `schema.table`. */
  table(): string {
    let name = this.identifier();
    while (this.accept('.')) name += `.${this.identifier()}`;
    return name;
  }

  string(): Text {
    if (!this.isString || this.atEnd) throw this.failure();
    const text = { value: stringValue(this.#scanner.lexeme), at: this.at };
    this.#scanner.next();
    return text;
  }

  /** The token of a number as written, with its sign. */
  numberText(): string {
    const sign = this.word === '-' || this.word === '+' ? this.word : '';
    const start = this.at;
    if (sign !== '') this.#scanner.next();
    if (!this.isNumber || this.atEnd) {
      if (sign !== '') this.skipTo(start);
      throw this.failure();
    }
    const { lexeme } = this.#scanner;
    this.#scanner.next();
    return sign === '-' ? `-${lexeme}` : lexeme;
  }

  integer(): number {
    const at = this.at;
    const text = this.numberText();
    const value = Number(text.replaceAll('_', ''));
    if (!Number.isSafeInteger(value)) {
      this.skipTo(at);
      throw this.failure();
    }
    return value;
  }

  /** Counts and limits: a sign is refused. */
  count(): number {
    if (this.word === '-' || this.word === '+') throw this.failure();
    return this.integer();
  }

  /** `INTERVAL '1 day'`, `'1h'`, `1h`, or milliseconds. */
  duration(): Duration {
    const at = this.at;
    this.accept('interval');
    if (this.isString) return { text: this.string().value, milliseconds: null, at };
    if (this.word === '-') throw this.failure();
    const text = this.numberText();
    return { text, milliseconds: /^[\d.]+$/.test(text) ? Number(text) : null, at };
  }

  /** `(item, …)`; may be empty if `mayBeEmpty`. */
  list<Item>(item: () => Item, mayBeEmpty = false): Item[] {
    const items: Item[] = [];
    this.expect('(');
    if (mayBeEmpty && this.accept(')')) return items;
    do items.push(item());
    while (this.accept(','));
    this.expect(')');
    return items;
  }

  /** Clauses in any order, each at most once: `clause` parses one, or returns '' if none of its own comes next. */
  clauses(clause: () => string): void {
    const seen = new Set<string>();
    while (!this.atEnd) {
      const at = this.at;
      const taken = clause();
      if (taken !== '' && !seen.has(taken)) {
        seen.add(taken);
        continue;
      }
      this.skipTo(at);
      throw this.failure();
    }
  }
}

function isNameCode(code: number): boolean {
  return isLetterOrDigit(code) || code === 95 || code === 45 || code === 46;
}

/** Also `:`, `+` and `#`: `2024-01-01T10:00:00+02:00`, `#12`. */
function isMomentCode(code: number): boolean {
  return isNameCode(code) || code === 58 || code === 43 || code === 35;
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code >= 128;
}
