/**
 * ts_headline: the part of a text that matches a query best, with the query's words marked. A cover is the shortest extent of words,
 * starting at a word of the query, that matches it. Manual, section 12.3.4.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { parseInteger } from '../../types/integer-text.ts';
import { jsonItems } from '../../types/json-items.ts';
import { TS_POSITION_MAX } from '../../types/ts-word-reader.ts';
import { type TsOperand, tsOperands, type TsQuery } from '../../types/tsquery-tree.ts';
import type { Configuration } from './configurations.ts';
import { holds } from './match.ts';
import { tokenNumber } from './token-types.ts';
import { TokenParser } from './token-parser.ts';
import { isTooLong } from './vectors.ts';

interface Options {
  maxWords: number;
  minWords: number;
  shortWord: number;
  maxFragments: number;
  highlightAll: boolean;
  startSel: string;
  stopSel: string;
  fragmentDelimiter: string;
}

interface Word {
  readonly text: string;
  readonly type: number;
  readonly sizeBytes: number;
  /** Position in the order of lexemes; 0 if it has none. */
  place: number;
  /** The matching word of the query. */
  operand: TsOperand | null;
  /** A duplicate for another word of the query: not shown. */
  repeated: boolean;
  shown: boolean;
  marked: boolean;
  /** Shown as a blank, or not at all. */
  blank: boolean;
  skipped: boolean;
}

const types = (...aliases: string[]): ReadonlySet<number> => new Set(aliases.map(tokenNumber));
const TAG = types('tag');
/** Their parts follow. */
const COMPOUND = types('url', 'numhword', 'asciihword', 'hword');
const NO_WORD = types('blank', 'tag', 'url', 'numhword', 'asciihword', 'hword');
const NO_END = types('blank', 'tag', 'url', 'numhword', 'asciihword', 'hword', 'sfloat', 'version', 'float', 'int', 'uint', 'protocol', 'entity');

const whole = (text: string): number => parseInteger(text, 'integer', -2147483648, 2147483647) as number;
const TRUE = new Set(['1', 'on', 'true', 't', 'y', 'yes']);

function optionsOf(text: string): Options {
  const out: Options = {
    maxWords: 35,
    minWords: 15,
    shortWord: 3,
    maxFragments: 0,
    highlightAll: false,
    startSel: '<b>',
    stopSel: '</b>',
    fragmentDelimiter: ' ... ',
  };
  for (const [name, value] of parametersOf(text)) {
    switch (name.toLowerCase()) {
      case 'maxwords':
        out.maxWords = whole(value);
        break;
      case 'minwords':
        out.minWords = whole(value);
        break;
      case 'shortword':
        out.shortWord = whole(value);
        break;
      case 'maxfragments':
        out.maxFragments = whole(value);
        break;
      case 'startsel':
        out.startSel = value;
        break;
      case 'stopsel':
        out.stopSel = value;
        break;
      case 'fragmentdelimiter':
        out.fragmentDelimiter = value;
        break;
      case 'highlightall':
        out.highlightAll = TRUE.has(value.toLowerCase());
        break;
      default:
        throw new SvcError('22023', `unrecognized headline parameter: "${name}"`);
    }
  }
  if (out.highlightAll) return out;
  if (out.minWords >= out.maxWords) throw new SvcError('22023', 'MinWords should be less than MaxWords');
  if (out.minWords <= 0) throw new SvcError('22023', 'MinWords should be positive');
  if (out.shortWord < 0) throw new SvcError('22023', 'ShortWord should be >= 0');
  if (out.maxFragments < 0) throw new SvcError('22023', 'MaxFragments should be >= 0');
  return out;
}

const PARAMETER = /\s*,*\s*(?:"((?:[^"]|"")*)"|([A-Za-z][^\s=]*))\s*=\s*(?:[eE]?'((?:[^'\\]|''|\\[^])*)'|"((?:[^"\\]|""|\\[^])*)"|([^\s,]+))(?=[\s,]|$)/y;

function* parametersOf(text: string): Generator<readonly [name: string, value: string]> {
  PARAMETER.lastIndex = 0;
  for (let at = 0; /[^\s,]/.test(text.slice(at)); at = PARAMETER.lastIndex) {
    PARAMETER.lastIndex = at;
    const found = PARAMETER.exec(text);
    if (found === null) throw new SvcError('42601', `invalid parameter list format: "${text}"`);
    const [, quotedName, bareName, single, double, bare] = found;
    const value =
      single?.replace(/''|\\([^])/g, (_, escaped: string | undefined) => escaped ?? "'") ??
      double?.replace(/""|\\([^])/g, (_, escaped: string | undefined) => escaped ?? '"');
    yield [quotedName?.replaceAll('""', '"') ?? bareName, value ?? bare];
  }
}

export function headline(configuration: Configuration, text: string, query: TsQuery, options: string): string {
  return new Headline(configuration, text, query).text(optionsOf(options));
}

/** For each string of a document; `compact` without blanks between its parts, as Postgres prints results from json. */
export function jsonHeadline(configuration: Configuration, document: string, query: TsQuery, options: string, compact: boolean): string {
  const given = optionsOf(options);
  const between = (part: string): string => (compact ? part.replace(/\s+/g, '') : part);
  let out = '';
  let done = 0;
  for (const { kind, text, from, to } of jsonItems(document)) {
    out += between(document.slice(done, from));
    out += kind === 'string' ? JSON.stringify(new Headline(configuration, text, query).text(given)) : document.slice(from, to);
    done = to;
  }
  return out + between(document.slice(done));
}

interface Cover {
  start: number;
  end: number;
  /** The number of query words in it, and of words. */
  found: number;
  length: number;
  state: 'free' | 'taken' | 'excluded';
}

class Headline {
  readonly #words: Word[] = [];
  readonly #query: TsQuery;

  constructor({ dictionaries }: Configuration, text: string, query: TsQuery) {
    this.#query = query;
    const operands = tsOperands(query.root);
    const parser = new TokenParser(text);
    let place = 0;
    for (let token = parser.next(); token !== null; token = parser.next()) {
      if (isTooLong(token.text)) continue;
      const word: Word = {
        text: token.text,
        type: token.type,
        sizeBytes: Buffer.byteLength(token.text),
        place: 0,
        operand: null,
        repeated: false,
        shown: false,
        marked: false,
        blank: false,
        skipped: false,
      };
      this.#words.push(word);
      const dictionary = dictionaries[token.type];
      if (dictionary === null) continue;
      const lexemes = dictionary.lexize(token.text);
      if (lexemes === null) continue;
      place++;
      for (const lexeme of lexemes) {
        word.place = Math.min(place, TS_POSITION_MAX);
        for (const operand of operands) {
          if (operand.prefix ? !lexeme.startsWith(operand.text) : lexeme !== operand.text) continue;
          if (word.operand === null) word.operand = operand;
          else this.#words.push({ ...word, operand, repeated: true });
        }
      }
    }
  }

  text(options: Options): string {
    if (options.maxFragments > 0) this.#fragments(options);
    else this.#best(options);
    let out = '';
    let inside = false;
    let count = 0;
    for (const word of this.#words) {
      if (word.repeated) continue;
      if (word.shown && !inside && count++ > 0) out += options.fragmentDelimiter;
      inside = word.shown;
      if (!word.shown) continue;
      if (word.blank) out += ' ';
      else if (!word.skipped) out += word.marked ? `${options.startSel}${word.text}${options.stopSel}` : word.text;
    }
    return out;
  }

  #isWord(at: number): boolean {
    return !NO_WORD.has(this.#words[at].type);
  }

  #isFound(at: number): boolean {
    const { operand, repeated } = this.#words[at];
    return operand !== null && !repeated;
  }

  /** A headline should not end here. */
  #isBadEnd(at: number, { shortWord }: Options): boolean {
    const { type, sizeBytes } = this.#words[at];
    return (NO_END.has(type) || sizeBytes <= shortWord) && !this.#isFound(at);
  }

  #nextOperand(from: number): number {
    const words = this.#words;
    for (let i = from; i < words.length; i++) if (words[i].operand !== null) return i;
    return -1;
  }

  /** The first cover from a word on; null if there is none. */
  #cover(from: number, { maxWords, maxFragments }: Options): readonly [start: number, end: number] | null {
    const { root } = this.#query;
    if (root === null) return null;
    const longest = Math.max(maxWords * 10, 100) * Math.max(maxFragments, 1);
    let next = -1;
    for (let start = this.#nextOperand(from); start >= 0; start = next) {
      const places = new Map<TsOperand, number[]>();
      next = -1;
      for (let end = start; end >= 0 && (end === start || end - start < longest);) {
        const { operand, place } = this.#words[end];
        const known = places.get(operand!);
        if (known === undefined) places.set(operand!, [place]);
        else if (known[known.length - 1] < place) known.push(place);
        const answers = holds(root, (word, into) => {
          const own = places.get(word);
          if (own === undefined) return 'no';
          if (into !== null) into.at = own;
          return 'yes';
        });
        if (answers) return [start, end];
        const after = this.#nextOperand(end + 1);
        if (end === start) next = after;
        end = after;
      }
    }
    return null;
  }

  #show(start: number, end: number, highlightAll: boolean): void {
    for (let i = start; i <= end && i < this.#words.length; i++) {
      const word = this.#words[i];
      if (word.operand !== null) word.marked = true;
      if (!highlightAll && TAG.has(word.type)) word.blank = true;
      else if (COMPOUND.has(word.type)) word.skipped = true;
      word.shown = !word.repeated;
    }
  }

  /** The first words of the text. */
  #showStart({ minWords, highlightAll }: Options): void {
    let end = 0;
    for (let i = 0, length = 0; i < this.#words.length && length < minWords; i++) {
      if (this.#isWord(i)) length++;
      end = i;
    }
    this.#show(0, end, highlightAll);
  }

  #best(options: Options): void {
    const words = this.#words;
    const { maxWords, minWords, highlightAll } = options;
    if (highlightAll) {
      this.#show(0, words.length - 1, true);
      return;
    }
    let best: { start: number; end: number; found: number; covered: boolean } | null = null;
    for (let cover = this.#cover(0, options); cover !== null; cover = this.#cover(cover[0] + 1, options)) {
      const [p, q] = cover;
      let length = 0;
      let found = 0;
      let start = p;
      let end = p;
      const count = (at: number): void => {
        if (this.#isWord(at)) length++;
        if (this.#isFound(at)) found++;
      };
      let i = p;
      for (; i <= q && length < maxWords; i++) {
        count(i);
        end = i;
      }
      if (length < maxWords) {
        for (i--; i < words.length && length < maxWords; i++) {
          if (i > q) count(i);
          end = i;
          if (!this.#isBadEnd(i, options) && length >= minWords) break;
        }
        if (length < minWords) {
          for (i = p - 1; i >= 0; i--) {
            count(i);
            if (length >= maxWords || (!this.#isBadEnd(i, options) && length >= minWords)) break;
          }
          start = Math.max(i, 0);
        }
      } else {
        for (i = Math.min(i, q); length > minWords && this.#isBadEnd(i, options); i--) {
          if (this.#isWord(i)) length--;
          if (this.#isFound(i)) found--;
          end = i - 1;
        }
      }
      const covered = start <= p && end >= q;
      const better =
        best === null ||
        (covered && !best.covered) ||
        (covered === best.covered && (found > best.found || (found === best.found && !this.#isBadEnd(end, options) && this.#isBadEnd(best.end, options))));
      if (better) best = { start, end, found, covered };
    }
    if (best === null) this.#showStart(options);
    else this.#show(best.start, best.end, false);
  }

  #fragments(options: Options): void {
    const covers = this.#covers(options);
    let shown = 0;
    for (; shown < options.maxFragments; shown++) {
      let chosen: Cover | null = null;
      let found = 0;
      let length = Infinity;
      for (const cover of covers) {
        if (cover.state !== 'free' || !(found < cover.found || (found === cover.found && length > cover.length))) continue;
        ({ found, length } = cover);
        chosen = cover;
      }
      if (chosen === null) break;
      chosen.state = 'taken';
      if (chosen.length < options.maxWords) this.#stretch(chosen, options);
      const { start, end } = chosen;
      this.#show(start, end, options.highlightAll);
      for (const other of covers) {
        const within = (at: number): boolean => at >= start && at <= end;
        if (other !== chosen && (within(other.start) || within(other.end) || (other.start < start && other.end > end))) other.state = 'excluded';
      }
    }
    if (shown === 0) this.#showStart(options);
  }

  /** Covers split into fragments of limited length that start and end with words of the query. */
  #covers(options: Options): Cover[] {
    const out: Cover[] = [];
    for (let cover = this.#cover(0, options); cover !== null; cover = this.#cover(cover[0] + 1, options)) {
      for (let start = cover[0]; start <= cover[1]; start = out[out.length - 1].end + 1) out.push(this.#piece(start, cover[1], options.maxWords));
    }
    return out;
  }

  #piece(from: number, to: number, maxWords: number): Cover {
    let start = from;
    while (start < to && !this.#isFound(start)) start++;
    let length = 0;
    let found = 0;
    let i = start;
    for (; i <= to && length < maxWords; i++) {
      if (this.#isWord(i)) length++;
      if (this.#isFound(i)) found++;
    }
    let end = to;
    if (to > i) {
      for (end = i; end > start && !this.#isFound(end); end--) if (this.#isWord(end)) length--;
    }
    return { start, end, found, length, state: 'free' };
  }

  /** Half of the room goes to the left. */
  #stretch(cover: Cover, options: Options): void {
    const words = this.#words;
    const { maxWords } = options;
    const room = Math.trunc((maxWords - cover.length) / 2);
    let marker = cover.start;
    for (let i = cover.start - 1, more = 0; i >= 0 && more < room && !words[i].shown; i--) {
      if (this.#isWord(i)) {
        cover.length++;
        more++;
      }
      marker = i;
    }
    for (; marker < cover.start && this.#isBadEnd(marker, options); marker++) if (this.#isWord(marker)) cover.length--;
    cover.start = marker;
    marker = cover.end;
    for (let i = cover.end + 1; i < words.length && cover.length < maxWords && !words[i].shown; i++) {
      if (this.#isWord(i)) cover.length++;
      marker = i;
    }
    for (; marker > cover.end && this.#isBadEnd(marker, options); marker--) if (this.#isWord(marker)) cover.length--;
    cover.end = marker;
  }
}
