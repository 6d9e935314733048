/**
 * The end of the expression after AS OF. The grammar does not know AS OF, so it is found from tokens alone: an expression is
 * operands between operators, and the first token that can continue neither (an alias, a comma, JOIN, WHERE) ends it.
 *
 *     AS OF now() - interval '10 s' x      AS OF $1 WHERE …      AS OF (SELECT max(at) FROM audits) JOIN …
 *           └────────────────────┘               └┘                    └──────────────────────────┘
 *
 * `t AS of (a, b)` stays an alias with column names, as in Postgres. Other expressions must be parenthesised.
 */
import { TOKEN, type TokenKind } from './scanner.ts';

export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  /** Lower case; '' for strings and quoted names. */
  word: string;
  /** For a closing parenthesis: the index of its opening one, or -1; for an opening one: of its closing one. */
  partner: number;
}

/** Words that may follow an alias called "of", and so do not start an expression. */
const FOLLOWING = new Set(
  `from where group having order limit offset fetch for union intersect except window into on using join inner left right full cross natural tablesample
  returning set when then as with without and or not is in like ilike similar between collate at do loop if case end`.split(/\s+/),
);
/** Words that are values, not column names. */
const VALUES = new Set(['current_timestamp', 'current_date', 'current_time', 'localtimestamp', 'localtime', 'null', 'true', 'false']);

/** Whether a token can start an expression after AS OF. */
export function startsExpression(kind: TokenKind, word: string): boolean {
  if (kind === TOKEN.string || kind === TOKEN.number || kind === TOKEN.parameter || kind === TOKEN.quotedName) return true;
  if (kind === TOKEN.operator) return word === '-' || word === '+';
  return kind === TOKEN.word ? !FOLLOWING.has(word) : word === '(';
}

/** The index after the expression that starts at `first`; -1 if there is none. */
export function expressionEnd(tokens: readonly Token[], first: number): number {
  const { kind, word } = tokens[first];
  if (!startsExpression(kind, word) || (word === '(' && isColumnList(tokens, first))) return -1;
  let at = first;
  for (;;) {
    const operand = operandEnd(tokens, at);
    if (operand < 0) return -1;
    at = operand;
    const next = tokens[at];
    if (next === undefined) return at;
    if (next.kind === TOKEN.operator) {
      at++;
      if (next.word === '::') {
        at = typeEnd(tokens, at);
        if (at < 0) return -1;
        if (tokens[at]?.kind !== TOKEN.operator) return at;
        at++;
      }
    } else if (next.word === 'at' && tokens[at + 1]?.word === 'time' && tokens[at + 2]?.word === 'zone') at += 3;
    else return at;
  }
}

function operandEnd(tokens: readonly Token[], first: number): number {
  let at = first;
  while (tokens[at]?.kind === TOKEN.operator && (tokens[at].word === '-' || tokens[at].word === '+')) at++;
  const token = tokens[at];
  if (token === undefined) return -1;
  if (token.word === '(') return token.partner < 0 ? -1 : token.partner + 1;
  if (token.kind === TOKEN.string || token.kind === TOKEN.number || token.kind === TOKEN.parameter) return at + 1;
  if (token.kind !== TOKEN.quotedName && (token.kind !== TOKEN.word || FOLLOWING.has(token.word))) return -1;
  at++;
  // `timestamp with time zone '…'`
  if ((tokens[at]?.word === 'with' || tokens[at]?.word === 'without') && tokens[at + 1]?.word === 'time' && tokens[at + 2]?.word === 'zone') at += 3;
  while (tokens[at]?.word === '.' && isName(tokens[at + 1])) at += 2;
  if (tokens[at]?.word === '(') return tokens[at].partner < 0 ? -1 : tokens[at].partner + 1;
  return tokens[at]?.kind === TOKEN.string ? at + 1 : at;
}

function typeEnd(tokens: readonly Token[], first: number): number {
  if (!isName(tokens[first])) return -1;
  let at = first + 1;
  while (tokens[at]?.word === '.' && isName(tokens[at + 1])) at += 2;
  if (tokens[at]?.word === '(') at = tokens[at].partner + 1;
  if ((tokens[at]?.word === 'with' || tokens[at]?.word === 'without') && tokens[at + 1]?.word === 'time') at += 3;
  return at;
}

/** `(a, b)` after an alias. */
function isColumnList(tokens: readonly Token[], open: number): boolean {
  for (let at = open + 1; ; at += 2) {
    if (!isName(tokens[at]) || VALUES.has(tokens[at].word)) return false;
    if (tokens[at + 1]?.word === ')') return true;
    if (tokens[at + 1]?.word !== ',') return false;
  }
}

function isName(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === TOKEN.word || token.kind === TOKEN.quotedName);
}
