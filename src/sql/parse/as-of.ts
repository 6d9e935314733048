/**
 * `AS OF when` and `AS OF WORLD 'w[@when]'` after a table, each an expression. Postgres's grammar does not know it, and no Postgres
 * statement has a value after AS OF, so tokens alone identify it (as-of-expression.ts). It is blanked before the grammar sees the
 * text, which keeps all positions, and is assigned to its table afterwards by the start of that table's name:
 *
 *     FROM s.t AS OF '-1h' x      FROM ONLY (t) AS OF '-1h'      FROM t AS x (a, b) AS OF WORLD 'w@-1h'
 *          ^ directly after it          ^                             ^ after its alias
 *
 * The words before AS OF are ambiguous (`a b AS OF`: table b, or table a with alias b). Both positions are recorded; the parse tree
 * has a table at only one of them.
 */
import type { Expression } from '../ast/expression.ts';
import { stateNamed } from '../ast/as-of-state.ts';
import type { AsOf } from '../ast/query.ts';
import type { AsOfFinder } from './lowering.ts';
import { expressionEnd, type Token } from './as-of-expression.ts';
import { Scanner, TOKEN, type TextSpan } from './scanner.ts';
import { stringValue } from './string-literal.ts';

export interface AsOfPlace {
  /** The text to be blanked. */
  start: number;
  end: number;
  /** The position of Postgres's syntax error. */
  valueAt: number;
  valueEnd: number;
  asOf: AsOf;
  /** Start of the table's name if AS OF comes directly after it, or after its alias; -1 for neither. */
  tableAt: number;
  aliasedAt: number;
  aliasHasColumns: boolean;
}

const OPEN = '(';
const CLOSE = ')';

/** All occurrences in one statement that is known to contain the words AS OF. */
export function findAsOf(text: string, from: number, to: number, parse: (from: number, to: number) => Expression): AsOfPlace[] {
  const tokens: Token[] = [];
  const scanner = new Scanner(text, from, to);
  while (scanner.next() !== TOKEN.end) {
    const bare = scanner.kind === TOKEN.word || scanner.kind === TOKEN.punctuation || scanner.kind === TOKEN.operator;
    tokens.push({ kind: scanner.kind, start: scanner.start, end: scanner.end, word: bare ? scanner.lexeme.toLowerCase() : '', partner: -1 });
  }
  matchParentheses(tokens);
  const places: AsOfPlace[] = [];
  for (let i = 1; i + 2 < tokens.length; i++) {
    if (tokens[i].word !== 'as' || tokens[i + 1]?.word !== 'of') continue;
    const inWorld = tokens[i + 2]?.word === 'world';
    const first = inWorld ? i + 3 : i + 2;
    const behind = tokens[first] === undefined ? -1 : expressionEnd(tokens, first);
    if (behind < 0) continue;
    const { start: valueAt, end: valueEnd, kind } = tokens[first];
    const { start } = tokens[i];
    const { end } = tokens[behind - 1];
    const isLiteral = behind === first + 1 && kind === TOKEN.string;
    places.push({
      start,
      end,
      valueAt,
      valueEnd,
      asOf: isLiteral
        ? { ...stateNamed(stringValue(text.slice(valueAt, end)), inWorld), value: null, at: start }
        : { world: null, when: null, value: { expression: parse(valueAt, end), inWorld }, at: start },
      ...tableBefore(tokens, i - 1),
    });
    // Occurrences inside belong to the expression.
    i = behind - 1;
  }
  return places;
}

function isName(token: Token | undefined): boolean {
  return token !== undefined && (token.kind === TOKEN.word || token.kind === TOKEN.quotedName);
}

function tableBefore(tokens: Token[], last: number): Pick<AsOfPlace, 'tableAt' | 'aliasedAt' | 'aliasHasColumns'> {
  const tableAt = nameEndingAt(tokens, last);
  const aliasHasColumns = tokens[last].word === CLOSE;
  let alias = last;
  if (aliasHasColumns) alias = tokens[last].partner - 1;
  let table = -1;
  if (isName(tokens[alias])) table = tokens[alias - 1]?.word === 'as' ? alias - 2 : alias - 1;
  return { tableAt, aliasedAt: table < 0 ? -1 : nameEndingAt(tokens, table), aliasHasColumns };
}

/** The start of `a.b.c`, or of the name in `ONLY (a.b)`, that ends with token `last`; -1 if there is none. */
function nameEndingAt(tokens: Token[], last: number): number {
  if (tokens[last].word === CLOSE) {
    const open = tokens[last].partner;
    if (open < 1 || tokens[open - 1].word !== 'only') return -1;
    const at = nameEndingAt(tokens, last - 1);
    return at === tokens[open + 1].start ? at : -1;
  }
  if (!isName(tokens[last])) return -1;
  let first = last;
  while (first >= 2 && tokens[first - 1].word === '.' && isName(tokens[first - 2])) first -= 2;
  return tokens[first].start;
}

function matchParentheses(tokens: Token[]): void {
  const open: number[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].word === OPEN) open.push(i);
    else if (tokens[i].word === CLOSE) {
      tokens[i].partner = open.pop() ?? -1;
      if (tokens[i].partner >= 0) tokens[tokens[i].partner].partner = i;
    }
  }
}

/** The text from `from` to `to` with these ranges blanked, which are within it and in order. */
export function withBlanks(text: string, from: number, to: number, places: readonly TextSpan[]): string {
  let blanked = '';
  let at = from;
  for (const place of places) {
    blanked += text.slice(at, place.start) + ' '.repeat(place.end - place.start);
    at = place.end;
  }
  return blanked + text.slice(at, to);
}

export class AsOfPlaces implements AsOfFinder {
  readonly #direct = new Map<number, AsOfPlace>();
  readonly #aliased = new Map<number, AsOfPlace>();
  readonly #unclaimed: Set<AsOfPlace>;

  constructor(places: AsOfPlace[]) {
    this.#unclaimed = new Set(places);
    for (const place of places) {
      if (place.tableAt >= 0) this.#direct.set(place.tableAt, place);
      if (place.aliasedAt >= 0) this.#aliased.set(place.aliasedAt, place);
    }
  }

  claim(tableAt: number, hasAlias: boolean, hasColumns: boolean): AsOf | null {
    let place = this.#direct.get(tableAt);
    if (place === undefined && hasAlias) {
      place = this.#aliased.get(tableAt);
      if (place !== undefined && place.aliasHasColumns && !hasColumns) place = undefined;
    }
    if (place === undefined) return null;
    this.#unclaimed.delete(place);
    return place.asOf;
  }

  /** An occurrence that follows no table. */
  get misplaced(): AsOfPlace | null {
    for (const place of this.#unclaimed) return place;
    return null;
  }
}
