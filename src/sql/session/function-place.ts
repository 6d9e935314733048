/** Maps an error position in a function's body to the position in the statement that creates the function. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { Scanner, TOKEN } from '../parse/scanner.ts';
import { stringValue } from '../parse/string-literal.ts';

/** The 1-based position in the statement; null if the body is not found in it, or found more than once. */
export function placeInStatement(statement: string, body: string, position: number): number | null {
  const scanner = new Scanner(statement);
  let found: number | null = null;
  for (let kind = scanner.next(); kind !== TOKEN.end && kind !== TOKEN.unfinished; kind = scanner.next()) {
    if (kind !== TOKEN.string || stringValue(scanner.lexeme) !== body) continue;
    if (found !== null) return null;
    found = scanner.start + inside(scanner.lexeme, position - 1) + 1;
  }
  return found;
}

/** Position of a character of the value in the literal. */
function inside(lexeme: string, index: number): number {
  if (lexeme.startsWith('$')) return lexeme.indexOf('$', 1) + 1 + index;
  let at = lexeme.indexOf("'") + 1;
  const escapes = !lexeme.startsWith("'");
  for (let i = 0; i < index; i++) at += lexeme[at] === "'" || (escapes && lexeme[at] === '\\') ? 2 : 1;
  return at;
}

/** Throws the error with its position in the creating statement. `context` describes it if there is no such position. */
export function throwPlaced(error: SvcError, statement: string, body: string, context: string): never {
  const { code, message, detail, hint, position, data } = error;
  const parts = { ...(detail === undefined ? {} : { detail }), ...(hint === undefined ? {} : { hint }), cause: error };
  const own = typeof data?.where === 'string' ? data.where : null;
  if (position === undefined) throw new SvcError(code, message, { ...parts, data: { ...data, where: own === null ? context : `${own}\n${context}` } });
  const at = placeInStatement(statement, body, position);
  if (at !== null) throw new SvcError(code, message, { ...parts, position: at, ...(own === null ? {} : { data: { where: own } }) });
  throw new SvcError(code, message, parts).within({ where: context, query: body, position });
}
