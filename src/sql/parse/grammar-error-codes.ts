/** The SQLSTATE of what Postgres's grammar and scanner raise: libpg-query keeps the message alone. Read off backend/parser/{gram.y,scan.l,parser.c}. */
import type { SqlState } from '../../base/errors/sqlstate.ts';

const CODES: [RegExp, SqlState][] = [
  [/^memory exhausted/, '54001'],
  [/not (yet )?(implemented|supported)|cannot be changed$/, '0A000'],
  [/^(invalid Unicode escape( value)?|invalid Unicode escape character)$/, '22025'],
  [/^invalid byte sequence/, '22021'],
  [/^precision for type float/, '22023'],
  [/^unsafe use of/, '0A000'],
  [/^unrecognized (role option|column option|COPY option)/, '42601'],
];

export function codeOfGrammarError(message: string): SqlState {
  for (const [pattern, code] of CODES) if (pattern.test(message)) return code;
  return '42601';
}
