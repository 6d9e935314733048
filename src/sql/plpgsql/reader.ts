/** Tokens of PL/pgSQL text, and the text between them. */
import { stringValue } from '../parse/string-literal.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { Scanner, TOKEN } from '../parse/scanner.ts';
import type { Checks } from './checks.ts';
import type { Fragment, Target } from './syntax.ts';

export class Reader {
  readonly text: string;
  readonly #scanner: Scanner;
  /** Of the current token. */
  kind = 0;
  start = 0;
  end = 0;
  /** Lower case for an unquoted word; otherwise as written. */
  lexeme = '';
  depth = 0;
  /** While the function is being created. */
  readonly checks: Checks | null;
  /** Line of the last statement that was started. */
  latestLine = 1;

  constructor(text: string, checks: Checks | null = null) {
    this.text = text;
    this.checks = checks;
    this.#scanner = new Scanner(text);
    this.next();
  }

  next(): void {
    this.kind = this.#scanner.next();
    this.start = this.#scanner.start;
    this.end = this.#scanner.end;
    const { lexeme } = this.#scanner;
    this.lexeme = this.kind === TOKEN.word ? lexeme.toLowerCase() : lexeme;
  }

  moveTo(at: number): void {
    this.#scanner.moveTo(at);
    this.next();
  }

  get line(): number {
    this.latestLine = lineAt(this.text, this.start);
    return this.latestLine;
  }

  is(word: string): boolean {
    return this.lexeme === word && this.kind !== TOKEN.quotedName && this.kind !== TOKEN.string;
  }

  take(word: string): boolean {
    if (!this.is(word)) return false;
    this.next();
    return true;
  }

  expect(word: string): void {
    if (!this.take(word)) this.fail();
  }

  fail(): never {
    this.#error('syntax error');
  }

  /** 42601 at the current token. */
  error(message: string, at = this.start): never {
    throw new SvcError('42601', message, { position: at + 1 });
  }

  #error(message: string): never {
    if (this.kind === TOKEN.end) this.error(`${message} at end of input`, this.text.length);
    this.error(`${message} at or near "${this.text.slice(this.start, this.end)}"`);
  }

  /** The error of an unexpected token. */
  failAs(message: string): never {
    this.#error(message);
  }

  get isName(): boolean {
    return this.kind === TOKEN.word || this.kind === TOKEN.quotedName;
  }

  name(): string {
    if (!this.isName) this.fail();
    const name = this.kind === TOKEN.quotedName ? unquoted(this.lexeme) : this.lexeme;
    this.next();
    return name;
  }

  /** The value of the current string. */
  string(): string {
    if (this.kind !== TOKEN.string) this.fail();
    const text = stringValue(this.lexeme);
    this.next();
    return text;
  }

  /** Text up to one of the words or signs, which becomes the current token. 42601 if there is none, or nothing before it. */
  until(...ends: readonly string[]): Fragment {
    return this.#untilOf('expression', ends);
  }

  #untilOf(what: 'expression' | 'SQL statement', ends: readonly string[]): Fragment {
    const from = this.start;
    let last = from;
    let open = 0;
    let cases = 0;
    for (;;) {
      if (this.kind === TOKEN.end || this.kind === TOKEN.unfinished) this.fail();
      if (open === 0 && cases === 0 && ends.some((end) => this.is(end))) break;
      if (this.is('(') || this.is('[')) open++;
      else if (this.is(')') || this.is(']')) open--;
      else if (this.is('case')) cases++;
      else if (this.is('end') && cases > 0) cases--;
      else if (this.is(';') && !ends.includes(';')) this.missing(ends);
      if (open < 0) this.fail();
      last = this.end;
      this.next();
    }
    if (last === from) this.failAs(`missing ${what}`);
    return { text: this.text.slice(from, last), at: from };
  }

  /** The same, checked as an expression. */
  expression(...ends: readonly string[]): Fragment {
    const found = this.until(...ends);
    this.checks?.expression(found);
    return found;
  }

  /** … and as a query. */
  query(...ends: readonly string[]): Fragment {
    const found = this.#untilOf('SQL statement', ends);
    this.checks?.statement(found);
    return found;
  }

  missing(ends: readonly string[]): never {
    this.error(`missing "${ends[0].toUpperCase()}" at end of SQL expression`);
  }

  /** `a, b, c` up to one of the ends. */
  list(...ends: readonly string[]): Fragment[] {
    const out = [this.expression(',', ...ends)];
    while (this.take(',')) out.push(this.expression(',', ...ends));
    return out;
  }
}

export function lineAt(text: string, at: number): number {
  let line = 1;
  for (let i = text.indexOf('\n'); i >= 0 && i < at; i = text.indexOf('\n', i + 1)) line++;
  return line;
}

function unquoted(lexeme: string): string {
  return lexeme.slice(1, -1).replaceAll('""', '"');
}

export function parseTarget(reader: Reader): Target {
  const at = reader.start;
  const parts = [reader.kind === TOKEN.parameter ? parameter(reader) : reader.name()];
  while (reader.is('.')) {
    reader.next();
    parts.push(reader.name());
  }
  if (!reader.is('[')) return { parts, path: null, at };
  const from = reader.start;
  let open = 0;
  let end = from;
  while (reader.is('[') || reader.is('.') || open > 0 || reader.isName) {
    if (reader.is('[') || reader.is('(')) open++;
    else if (reader.is(']') || reader.is(')')) open--;
    if (reader.kind === TOKEN.end) reader.fail();
    end = reader.end;
    reader.next();
  }
  return { parts, path: { text: reader.text.slice(from, end), at: from }, at };
}

/** `$1`. */
function parameter(reader: Reader): string {
  const name = reader.lexeme;
  reader.next();
  return name;
}

export function parseTargets(reader: Reader): Target[] {
  const targets = [parseTarget(reader)];
  while (reader.take(',')) targets.push(parseTarget(reader));
  return targets;
}
