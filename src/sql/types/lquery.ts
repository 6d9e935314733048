/**
 * lquery of the extension ltree: a pattern for whole trees, level by level. A value is its text.
 *
 *   level  .  level …      level: *{n,m}, or words with `|` between them, `!` before all of them and {n,m} after them
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { checkLabel, isLabelCharacter, labelsOf, LEVELS_MAX } from './ltree.ts';
import { fitsLabel, printTreeWord, treeWord, type TreeWord } from './ltree-words.ts';
import { makeType } from './make-type.ts';
import type { SqlType } from './type.ts';

export const LQUERY_OID = 9811;

interface Level {
  /** None for `*`. */
  readonly words: readonly TreeWord[];
  readonly negated: boolean;
  readonly low: number;
  readonly high: number;
  /** Whether {…} was written. */
  readonly counted: boolean;
}

const FLAGS = '@*%';
const isDigit = (character: string | undefined): boolean => character !== undefined && character >= '0' && character <= '9';

function early(): SvcError {
  return new SvcError('42601', 'lquery syntax error', { detail: 'Unexpected end of input.' });
}

class Reader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#characters = Array.from(text);
  }

  get #next(): string | undefined {
    return this.#characters[this.#at];
  }

  /** An unexpected character. */
  #unexpected(): SvcError {
    return this.#next === undefined ? early() : new SvcError('42601', `lquery syntax error at character ${this.#at + 1}`);
  }

  #taken(character: string): boolean {
    if (this.#next !== character) return false;
    this.#at++;
    return true;
  }

  levels(): Level[] {
    const levels: Level[] = [];
    do levels.push(this.#level());
    while (this.#taken('.'));
    if (this.#next !== undefined) throw this.#unexpected();
    return levels;
  }

  #level(): Level {
    if (this.#taken('*')) return { words: [], negated: false, ...this.#counts(0, LEVELS_MAX) };
    const negated = this.#taken('!');
    const words = [this.#word(negated)];
    while (this.#taken('|')) words.push(this.#word(false));
    return { words, negated, ...this.#counts(1, 1) };
  }

  #word(mayBeEmpty: boolean): TreeWord {
    let text = '';
    let flags = '';
    for (; this.#next !== undefined && isLabelCharacter(this.#next); this.#at++) text += this.#next;
    const ends = this.#next === undefined || '.|{'.includes(this.#next);
    if (text === '' && mayBeEmpty && ends) {
      throw new SvcError('42601', `lquery syntax error at character ${this.#at + 1}`, { detail: 'Empty labels are not allowed.' });
    }
    if (text === '') throw this.#unexpected();
    for (; this.#next !== undefined && FLAGS.includes(this.#next); this.#at++) flags += this.#next;
    if (this.#next !== undefined && !'.|{'.includes(this.#next)) throw this.#unexpected();
    checkLabel(text, this.#at + 1);
    return treeWord(text, flags);
  }

  #counts(low: number, high: number): Pick<Level, 'low' | 'high' | 'counted'> {
    if (!this.#taken('{')) return { low, high, counted: false };
    const least = isDigit(this.#next) ? this.#number('Low') : null;
    let most: number | null = least;
    if (this.#taken(',')) most = isDigit(this.#next) ? this.#number('High', least ?? 0) : LEVELS_MAX;
    else if (least === null) throw this.#unexpected();
    if (!this.#taken('}')) throw this.#unexpected();
    return { low: least ?? 0, high: most!, counted: true };
  }

  #number(what: string, least = 0): number {
    const place = this.#at + 1;
    let digits = '';
    for (; isDigit(this.#next); this.#at++) digits += this.#next;
    const value = Number(digits);
    const refuse = (code: '54000' | '42601', why: string): never => {
      throw new SvcError(code, 'lquery syntax error', { detail: `${why}, at character ${place}.` });
    };
    if (value > LEVELS_MAX) refuse('54000', `${what} limit (${value}) exceeds the maximum allowed (${LEVELS_MAX})`);
    if (value < least) refuse('42601', `Low limit (${least}) is greater than high limit (${value})`);
    return value;
  }
}

function printCounts({ low, high, words }: Level): string {
  if (low === high) return `{${low}}`;
  if (high === LEVELS_MAX) return low === 0 ? (words.length === 0 ? '' : '{,}') : `{${low},}`;
  return `{${low === 0 ? '' : low},${high}}`;
}

function print(levels: readonly Level[]): string {
  return levels
    .map((level) => {
      const words = level.words.length === 0 ? '*' : `${level.negated ? '!' : ''}${level.words.map(printTreeWord).join('|')}`;
      return level.counted ? words + printCounts(level) : words;
    })
    .join('.');
}

let lastText: string | null = null;
let lastLevels: readonly Level[] = [];

/** The same pattern is often matched with many rows. */
function levelsOf(value: string): readonly Level[] {
  if (value !== lastText) {
    lastLevels = new Reader(value).levels();
    lastText = value;
  }
  return lastLevels;
}

/** Whether the whole tree matches: the reachable positions are tracked per level. */
export function fitsPattern(tree: string, pattern: string): boolean {
  const labels = labelsOf(tree);
  let reached = new Set([0]);
  for (const { words, negated, low, high } of levelsOf(pattern)) {
    const next = new Set<number>();
    const fits = (label: string): boolean => words.length === 0 || words.some((word) => fitsLabel(word, label)) !== negated;
    for (const from of reached) {
      for (let at = from; ; at++) {
        if (at - from >= low) next.add(at);
        if (at - from >= high || at >= labels.length || !fits(labels[at])) break;
      }
    }
    if (next.size === 0) return false;
    reached = next;
  }
  return reached.has(labels.length);
}

export const LQUERY: SqlType = makeType({
  oid: LQUERY_OID,
  name: 'lquery',
  title: 'lquery',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 9812,
  ordered: false,
  hashable: false,
  parse: (text) => print(new Reader(text).levels()),
  format: String,
});
