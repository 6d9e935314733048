/**
 * Text to statements. A list is parsed as a whole or not at all, as in Postgres: an error in its last statement is raised before its
 * first one runs.
 *
 *     text ── scan (statements, limits, AS OF) ──┬─ Postgres's: grammar (WASM) ── lowering ──┬── statements
 *                                                └─ svc's own: world/ ───────────────────────┘
 *
 * Raises only SvcError: 42601 and other errors of Postgres's grammar, with `position` (characters from 1 in the whole text); 54000
 * and 54001 for exceeding statement-limits.ts; 42P02 for a parameter number out of range; 0A000 for syntax without a node in the
 * AST; 22021 for invalid UTF-8.
 */
import type { RawStmt } from '@pgsql/types';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Expression } from '../ast/expression.ts';
import { plainExpression } from '../ast/plain-select.ts';
import type { Statement } from '../ast/statement.ts';
import { AsOfPlaces, findAsOf, withBlanks, type AsOfPlace } from './as-of.ts';
import { GrammarError, parseWithGrammar } from './grammar.ts';
import { codeOfGrammarError, hintOfGrammarError } from './grammar-error-codes.ts';
import { lowerStatement } from './lower-statement.ts';
import { guardStack, Lowering } from './lowering.ts';
import { STATEMENT_LIMITS } from './statement-limits.ts';
import { Scanner, TOKEN, type TextSpan } from './scanner.ts';
import { scanStatements, tooLong, type StatementSpan } from './statement-scan.ts';
import { byteMap, characterPosition, offsetOfCodePoint } from './text-offsets.ts';
import type { InnerParser } from './world/world-reader.ts';
import { parseWorldStatement } from './world/world-statement.ts';

/** The range of a statement in the list's text: UTF-16 offsets of its first character and after its last, without `;`. */
export interface TextRange {
  start: number;
  end: number;
}
export type ParsedStatement = Statement & { range: TextRange };

/** The statements of a list; none for an empty one. */
export function parse(text: string): ParsedStatement[] {
  checkText(text);
  return guardStack(() => parseList(text));
}

function parseList(text: string): ParsedStatement[] {
  const spans = scanStatements(text);
  const statements: ParsedStatement[] = [];
  for (let i = 0; i < spans.length;) {
    const span = spans[i];
    if (span.world) {
      statements.push(withRange(parseWorldStatement(text, span.start, span.end, inner), span));
      i++;
      continue;
    }
    let last = i;
    while (last + 1 < spans.length && !spans[last + 1].world && spans[last + 1].end - span.start <= STATEMENT_LIMITS.pieceLengthTarget) last++;
    // The `;` stays with its statement: an error may point to it. After the last statement Postgres points to the text's end.
    const end = last + 1 < spans.length ? spans[last].behind : text.length;
    parsePiece(text, spans.slice(i, last + 1), end, statements);
    i = last + 1;
  }
  return statements;
}

/** The parts of world statements in Postgres's syntax. */
const inner: InnerParser = {
  query(text, start, end) {
    const [statement] = parsePart(text, start, end, start, text.slice(start, end));
    if (statement?.type === 'select' || statement?.type === 'values' || statement?.type === 'setOperation') return statement;
    throw new SvcError('42601', 'a query is expected here', { position: characterPosition(text, start) });
  },
  expression(text, start, end) {
    // Between THEN and END the grammar accepts exactly one expression.
    const opening = 'SELECT CASE WHEN true THEN ';
    const [statement] = parsePart(text, start, end, start - opening.length, `${opening}${text.slice(start, end)} END`);
    const value = statement?.type === 'select' && statement.items.length === 1 && statement.from.length === 0 ? statement.items[0].value : null;
    if (value?.type === 'case' && value.branches.length === 1 && value.otherwise === null) return value.branches[0].then;
    throw new SvcError('42601', 'an expression is expected here', { position: characterPosition(text, start) });
  },
};

function checkText(text: string): void {
  if (text.length > STATEMENT_LIMITS.textLengthMax) throw tooLong(`a text of ${STATEMENT_LIMITS.textLengthMax} characters`);
  if (text.includes('\0')) throw new SvcError('22021', 'invalid byte sequence for encoding "UTF8": 0x00');
  if (text.isWellFormed()) return;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdfff) continue;
    if (code < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) i++;
    else
      throw new SvcError(
        '22021',
        `invalid byte sequence for encoding "UTF8": 0xed 0x${(0x80 | ((code >> 6) & 0x3f)).toString(16)} 0x${(0x80 | (code & 0x3f)).toString(16)}`,
      );
  }
}

function parsePiece(text: string, spans: StatementSpan[], end: number, statements: ParsedStatement[]): void {
  const base = spans[0].start;
  let places: AsOfPlace[] | null = null;
  let blanks: TextSpan[] | null = null;
  for (const span of spans) {
    if (!span.asOf && span.comments === null) continue;
    const found = span.asOf ? findAsOf(text, span.start, span.end, (from, to) => parseExpressionAt(text, from, to)) : [];
    places ??= [];
    for (const place of found) places.push(place);
    blanks ??= [];
    for (const blank of [...found, ...(span.comments ?? [])].sort((a, b) => a.start - b.start)) blanks.push(blank);
  }
  const piece = blanks === null ? text.slice(base, end) : withBlanks(text, base, end, blanks);
  const junk = spans.find((span) => span.junk !== null)?.junk ?? null;
  const { lowering, raws } = parseRaw(text, base, piece, end, places, junk);
  // The grammar decides where statements end. The two may differ if an AS OF was between words that belong together, like BEGIN and ATOMIC.
  if (raws.length !== spans.length) spans = raws.map((raw) => spanOf(raw, text, lowering, base + piece.length));
  for (let i = 0; i < raws.length; i++) {
    lowering.statementAt = spans[i].start;
    statements.push(withRange(lowerStatement(lowering, raws[i].stmt!), spans[i]));
  }
  refuseMisplaced(lowering);
}

function spanOf(raw: RawStmt, text: string, lowering: Lowering, pieceEnd: number): StatementSpan {
  const from = raw.stmt_location ?? 0;
  const to = raw.stmt_len === undefined ? pieceEnd : lowering.at(from + raw.stmt_len);
  const scanner = new Scanner(text, lowering.at(from), to);
  scanner.next();
  const span = { start: scanner.start, end: scanner.end, behind: to, world: false, asOf: false, junk: null, comments: null };
  while (scanner.next() !== TOKEN.end) span.end = scanner.end;
  return span;
}

/** `piece` is the text from `start` to `end` in a wrapper; its first character is at `base`. */
function parsePart(text: string, start: number, end: number, base: number, piece: string): Statement[] {
  const places = findAsOf(text, start, end, (from, to) => parseExpressionAt(text, from, to));
  for (const { start: from, end: to } of places) piece = piece.slice(0, from - base) + ' '.repeat(to - from) + piece.slice(to - base);
  const { lowering, raws } = parseRaw(text, base, piece, end, places, null);
  lowering.statementAt = start;
  const statements = raws.map((raw) => lowerStatement(lowering, raw.stmt!));
  refuseMisplaced(lowering);
  return statements;
}

function parseRaw(
  text: string,
  base: number,
  piece: string,
  end: number,
  places: AsOfPlace[] | null,
  junk: StatementSpan['junk'],
): { lowering: Lowering; raws: RawStmt[] } {
  let tree: ReturnType<typeof parseWithGrammar>;
  try {
    tree = parseWithGrammarAt(text, piece, base, end);
  } catch (error) {
    refuseJunk(text, junk, error);
    throw error;
  }
  refuseJunk(text, junk, null);
  return { lowering: new Lowering(text, base, byteMap(piece), places === null ? null : new AsOfPlaces(places)), raws: tree.stmts ?? [] };
}

const SELECT = 'SELECT ';

/** A single expression, with positions in the text. */
function parseExpressionAt(text: string, from: number, to: number): Expression {
  const statements = parsePart(text, from, to, from - SELECT.length, SELECT + text.slice(from, to));
  const expression = statements.length === 1 ? plainExpression(statements[0]) : null;
  if (expression !== null) return expression;
  throw new SvcError('42601', 'AS OF takes one expression', { position: characterPosition(text, from), hint: 'Write a longer one in parentheses.' });
}

/** AS OF that no table claimed. */
function refuseMisplaced(lowering: Lowering): void {
  const place = lowering.asOf?.misplaced;
  if (place) throw lowering.syntaxError(`syntax error at or near "${lowering.text.slice(place.valueAt, place.valueEnd)}"`, place.valueAt);
}

/** Later grammars give a position. */
const WITHOUT_PLACE = /WITH TIES/;

/** `end` is the end of the written text, since the wrapper may continue the piece. */
function parseWithGrammarAt(text: string, piece: string, base: number, end: number): ReturnType<typeof parseWithGrammar> {
  try {
    return parseWithGrammar(piece);
  } catch (error) {
    if (!(error instanceof GrammarError)) throw error;
    const { message, index } = error;
    const place = index === null ? null : offsetOfCodePoint(piece, index);
    const code = codeOfGrammarError(message, piece, place);
    const hint = hintOfGrammarError(message, code);
    if (place === null || WITHOUT_PLACE.test(message)) throw new SvcError(code, message, { hint });
    const offset = base + place;
    if (offset < end || place >= piece.length) throw new SvcError(code, message, { hint, position: characterPosition(text, Math.min(offset, end)) });
    throw new SvcError('42601', 'syntax error at end of input', { position: characterPosition(text, end) });
  }
}

/** Postgres's scanner refuses `$1abc` when it reaches it; earlier errors are raised first. */
function refuseJunk(text: string, junk: StatementSpan['junk'], error: unknown): void {
  if (junk === null) return;
  const position = characterPosition(text, junk.start);
  if (error instanceof SvcError && error.position !== undefined && error.position < position) return;
  throw new SvcError('42601', `trailing junk after parameter at or near "${text.slice(junk.start, junk.end)}"`, { position });
}

function withRange(statement: Statement, span: StatementSpan): ParsedStatement {
  return Object.assign(statement, { range: { start: span.start, end: span.end } });
}
