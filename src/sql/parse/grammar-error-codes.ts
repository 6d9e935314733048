/** SQLSTATEs of the errors of Postgres's grammar and scanner: libpg-query returns only the message. From backend/parser/{gram.y,scan.l,parser.c}. */
import type { SqlState } from '../../base/errors/sqlstate.ts';
import { Scanner, TOKEN } from './scanner.ts';

const CODES: [RegExp, SqlState][] = [
  [/^memory exhausted/, '54001'],
  [/^LIMIT #,# syntax/, '42601'],
  [/not (yet )?(implemented|supported)|no longer supported|cannot be changed$|constraints cannot be marked/, '0A000'],
  [/^unsafe use of|^aggregates cannot have output|^an ordered-set aggregate with a VARIADIC/, '0A000'],
  [/^invalid Unicode escape value$/, '42601'],
  [/^invalid byte sequence/, '22021'],
  [/^precision for type float|^unrecognized partitioning strategy|^unrecognized JSON encoding|^column number must be in range/, '22023'],
  [/^role name ".*" is reserved$|cannot be used as a role name here$/, '42939'],
  [/^frame (start|end|starting)/, '42P20'],
];

/** `offset` is the error position in the parsed piece. */
export function codeOfGrammarError(message: string, piece: string, offset: number | null): SqlState {
  // The scanner raises it for E'…', the parser for U&'…' with another code.
  if (message === 'invalid Unicode escape') return offset !== null && isInUnicodeString(piece, offset) ? '42601' : '22025';
  for (const [pattern, code] of CODES) if (pattern.test(message)) return code;
  return '42601';
}

/** The grammar has no hints: these are the scanner's. */
export function hintOfGrammarError(message: string, code: SqlState): string | undefined {
  if (message !== 'invalid Unicode escape') return undefined;
  return `Unicode escapes must be ${code === '42601' ? '\\XXXX or \\+XXXXXX' : '\\uXXXX or \\UXXXXXXXX'}.`;
}

function isInUnicodeString(piece: string, offset: number): boolean {
  const scanner = new Scanner(piece);
  while (scanner.next() !== TOKEN.end && scanner.end <= offset);
  return /^u&/i.test(scanner.lexeme);
}
