/**
 * One pass over a list's text before the grammar: splits it into statements, distinguishes svc's own from Postgres's, finds those
 * with AS OF, and refuses what would overflow the grammar's stack (statement-limits.ts).
 *
 * The depth of an expression's tree is bounded from tokens alone. Each parenthesis, bracket and CASE is a level; a level counts the
 * operators since the last comma, AND, OR or clause keyword, since those start a new operand. (AND and OR chains are flat in the
 * tree.) A closed level passes its largest count to the enclosing level, as `((a+b)+c)+d` is as deep as `a+b+c+d`.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { startsExpression } from './as-of-expression.ts';
import { tooDeep } from './lowering.ts';
import { Scanner, TOKEN, type TextSpan } from './scanner.ts';
import { STATEMENT_LIMITS } from './statement-limits.ts';
import { startsWorldStatement, WORLD_FIRST_WORDS } from './world/first-words.ts';

/** One non-empty statement: from its first token to its last, without `;`. */
export interface StatementSpan {
  start: number;
  end: number;
  /** After its `;`, or the text's end: whitespace and comments may come between. */
  behind: number;
  /** svc's own: unknown to the grammar. */
  world: boolean;
  /** Has the words AS OF with a value after them, possibly in a part where they mean nothing. */
  asOf: boolean;
  /** The first `$1abc`, which libpg-query parses as `$1 abc`; null without one. */
  junk: TextSpan | null;
  /** Comments inside strings, which are blanked before the grammar. */
  comments: TextSpan[] | null;
}

const OPERATOR_WORD = 1;
const OPERAND_WORD = 2;
const AND_WORD = 3;
const BETWEEN_WORD = 4;
const RELATION_WORD = 5;
const CASE_WORD = 6;
const END_WORD = 7;
const BEGIN_WORD = 8;
const ATOMIC_WORD = 9;
const AS_WORD = 10;
const OF_WORD = 11;

const WORDS = new Map<string, number>();
for (const word of ['not', 'is', 'isnull', 'notnull', 'like', 'ilike', 'similar', 'in', 'collate', 'at', 'operator', 'overlaps'])
  WORDS.set(word, OPERATOR_WORD);
// Reserved words only: another could be a column's name in the middle of a chain.
for (const word of [
  'or',
  'select',
  'from',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'offset',
  'when',
  'then',
  'else',
  'on',
  'using',
  'returning',
  'for',
  'window',
  'fetch',
])
  WORDS.set(word, OPERAND_WORD);
for (const word of ['join', 'union', 'intersect', 'except']) WORDS.set(word, RELATION_WORD);
WORDS.set('and', AND_WORD);
WORDS.set('between', BETWEEN_WORD);
WORDS.set('case', CASE_WORD);
WORDS.set('end', END_WORD);
WORDS.set('begin', BEGIN_WORD);
WORDS.set('atomic', ATOMIC_WORD);
WORDS.set('as', AS_WORD);
WORDS.set('of', OF_WORD);
const WORD_LENGTH_MAX = 9;

const PARENTHESIS = 1;
const CASE = 2;
const BEGIN = 3;

const DOT = 46;
const COMMA = 44;
const SEMICOLON = 59;

/** The open levels, level 0 being the statement itself. Reused: a scan is synchronous and not recursive. */
const levelKind = new Uint8Array(STATEMENT_LIMITS.nestingMax + 2);
const levelCount = new Int32Array(STATEMENT_LIMITS.nestingMax + 2);
const levelMax = new Int32Array(STATEMENT_LIMITS.nestingMax + 2);
const levelBetweens = new Int32Array(STATEMENT_LIMITS.nestingMax + 2);
let depth = 0;

function open(kind: number): void {
  if (++depth > STATEMENT_LIMITS.nestingMax) throw tooDeep();
  levelKind[depth] = kind;
  levelCount[depth] = 0;
  levelMax[depth] = 0;
  levelBetweens[depth] = 0;
}

function close(): void {
  const inner = Math.max(levelMax[depth], levelCount[depth]);
  depth--;
  if (inner > levelCount[depth]) levelCount[depth] = inner;
}

function countOperator(): void {
  if (++levelCount[depth] > STATEMENT_LIMITS.operatorChainMax) throw tooDeep();
}

function startOperand(): void {
  if (levelCount[depth] > levelMax[depth]) levelMax[depth] = levelCount[depth];
  levelCount[depth] = 0;
  levelBetweens[depth] = 0;
}

export function scanStatements(text: string): StatementSpan[] {
  const spans: StatementSpan[] = [];
  const scanner = new Scanner(text);
  let span: StatementSpan | null = null;
  let tokens = 0;
  let relations = 0;
  let word = 0;
  let afterDot = false;
  let semicolon = false;
  for (;;) {
    const kind = scanner.next();
    if (kind === TOKEN.end) break;
    if (++tokens > STATEMENT_LIMITS.tokenCountMax) throw tooLong(`at most ${STATEMENT_LIMITS.tokenCountMax} words and signs`);
    if (span === null) {
      if (scanner.punctuation === SEMICOLON) continue;
      span = { start: scanner.start, end: scanner.end, behind: text.length, world: false, asOf: false, junk: null, comments: null };
      spans.push(span);
      if (kind === TOKEN.word && WORLD_FIRST_WORDS.has(scanner.lexeme.toLowerCase())) span.world = startsWorldStatement(text, scanner.start);
      depth = 0;
      levelCount[0] = 0;
      levelMax[0] = 0;
      levelBetweens[0] = 0;
      relations = 0;
      word = 0;
      afterDot = false;
      semicolon = false;
    }
    if (scanner.punctuation !== SEMICOLON) span.end = scanner.end;
    if (span.junk?.end === 0) span.junk.end = scanner.end;
    if (kind === TOKEN.word) {
      const length = scanner.end - scanner.start;
      const before = word;
      const afterSemicolon = semicolon;
      semicolon = false;
      word = length > WORD_LENGTH_MAX || length < 2 || afterDot ? 0 : (WORDS.get(scanner.lexeme.toLowerCase()) ?? 0);
      afterDot = false;
      if (word === 0) continue;
      // `AS case` is a label.
      if (before === AS_WORD && word !== OF_WORD && word !== OPERAND_WORD) {
        word = 0;
        continue;
      }
      switch (word) {
        case OPERATOR_WORD:
          countOperator();
          break;
        case BETWEEN_WORD:
          countOperator();
          levelBetweens[depth]++;
          break;
        case AND_WORD:
          // The AND of BETWEEN ends nothing.
          if (levelBetweens[depth] > 0) levelBetweens[depth]--;
          else startOperand();
          break;
        case OPERAND_WORD:
          startOperand();
          break;
        case RELATION_WORD:
          startOperand();
          if (++relations > STATEMENT_LIMITS.relationChainMax) throw tooDeep();
          break;
        case CASE_WORD:
          open(CASE);
          break;
        case END_WORD:
          // END may also be a label: a body's own comes after a `;` or directly after ATOMIC.
          if (depth > 0 && (levelKind[depth] === CASE || (levelKind[depth] === BEGIN && (afterSemicolon || before === ATOMIC_WORD)))) close();
          break;
        case ATOMIC_WORD:
          if (before === BEGIN_WORD && depth === 0 && definesRoutine(text, span.start)) open(BEGIN);
          break;
        case OF_WORD:
          if (before === AS_WORD && !span.asOf) span.asOf = valueFollows(text, scanner.end);
          break;
      }
      continue;
    }
    word = 0;
    afterDot = false;
    semicolon = false;
    if (kind === TOKEN.string && scanner.commentsInStrings !== null) {
      span.comments ??= [];
      for (const comment of scanner.commentsInStrings) span.comments.push(comment);
      scanner.commentsInStrings = null;
    }
    if (kind === TOKEN.parameter && span.junk === null && scanner.isFollowedByLetter) {
      span.junk = { start: scanner.start, end: 0 };
      continue;
    }
    if (kind === TOKEN.operator) {
      countOperator();
      continue;
    }
    switch (scanner.punctuation) {
      case 0:
        break;
      case 40:
      case 91:
        open(PARENTHESIS);
        break;
      case 41:
      case 93:
        while (depth > 0 && levelKind[depth] === CASE) close();
        if (depth > 0 && levelKind[depth] === PARENTHESIS) close();
        break;
      case COMMA:
        startOperand();
        break;
      case DOT:
        afterDot = true;
        break;
      case SEMICOLON:
        startOperand();
        while (depth > 0 && levelKind[depth] === CASE) close();
        if (depth === 0) {
          checkLength(span);
          span.behind = scanner.end;
          span = null;
        } else {
          startOperand();
          semicolon = true;
        }
        break;
    }
  }
  if (span !== null) checkLength(span);
  return spans;
}

/** CREATE [OR REPLACE] FUNCTION or PROCEDURE: only their bodies contain statements. */
function definesRoutine(text: string, start: number): boolean {
  const ahead = new Scanner(text, start);
  const word = (): string => (ahead.next() === TOKEN.word ? ahead.lexeme.toLowerCase() : '');
  if (word() !== 'create') return false;
  let second = word();
  if (second === 'or' && word() === 'replace') second = word();
  return second === 'function' || second === 'procedure';
}

function valueFollows(text: string, at: number): boolean {
  const ahead = new Scanner(text, at);
  if (ahead.next() === TOKEN.word && ahead.lexeme.toLowerCase() === 'world') ahead.next();
  return startsExpression(ahead.kind, ahead.lexeme.toLowerCase());
}

function checkLength(span: StatementSpan): void {
  if (span.end - span.start > STATEMENT_LIMITS.statementLengthMax) throw tooLong(`one statement at most ${STATEMENT_LIMITS.statementLengthMax} characters`);
}

export function tooLong(limit: string): SvcError {
  return new SvcError('54000', 'statement is too long', { detail: `The limit is ${limit}.`, hint: 'Send it in parts, or load rows with COPY.' });
}
