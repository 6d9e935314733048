/** tsvector: distinct lexemes in byte order, each with its positions. Manual, section 8.11.1. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import { compareText } from './text-order.ts';
import { refuseLongWord, TS_POSITION_MAX, TS_POSITIONS_MAX, tsQuote, TsWordReader } from './ts-word-reader.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

/** Bytes of all lexemes together. */
const STRING_BYTES_MAX = 1_048_575;

/** Positions in order, each packed with its weight (tsPosition); null if the lexeme has none. */
export type TsPositions = readonly number[] | null;

export class TsVector {
  /** In order, without duplicates. */
  readonly lexemes: readonly string[];
  readonly positions: readonly TsPositions[];
  #size = -1;

  constructor(lexemes: readonly string[], positions: readonly TsPositions[]) {
    this.lexemes = lexemes;
    this.positions = positions;
  }

  /** Index of the lexeme, or of the first one after it. */
  lowerBound(lexeme: string): number {
    let low = 0;
    let high = this.lexemes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareText(this.lexemes[middle], lexeme) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Size of Postgres's form, the first criterion of the order of vectors. */
  get sizeBytes(): number {
    if (this.#size >= 0) return this.#size;
    let size = 0;
    this.lexemes.forEach((lexeme, i) => {
      size += Buffer.byteLength(lexeme);
      const own = this.positions[i];
      if (own !== null) size += (size & 1) + 2 + 2 * own.length;
    });
    return (this.#size = 8 + 4 * this.lexemes.length + size);
  }
}

export interface TsEntry {
  readonly text: string;
  readonly positions: readonly number[] | null;
}

/** A vector of words in any order; if a position has two weights, the greater one counts. */
export function tsVectorOf(words: readonly TsEntry[]): TsVector {
  const byText = new Map<string, number[] | null>();
  for (const { text, positions } of words) {
    const known = byText.get(text);
    if (known === undefined || known === null) byText.set(text, positions === null ? null : [...positions]);
    else if (positions !== null) known.push(...positions);
  }
  const lexemes = [...byText.keys()].sort(compareText);
  let bytes = 0;
  for (const lexeme of lexemes) bytes += lexeme.length;
  if (bytes * 3 > STRING_BYTES_MAX) refuseLong(lexemes);
  return new TsVector(
    lexemes,
    lexemes.map((lexeme) => {
      const own = byText.get(lexeme)!;
      return own === null ? null : orderedPositions(own);
    }),
  );
}

export function refuseLong(lexemes: readonly string[]): void {
  let size = 0;
  for (const lexeme of lexemes) size += Buffer.byteLength(lexeme);
  if (size > STRING_BYTES_MAX) throw new SvcError('54000', `string is too long for tsvector (${size} bytes, max ${STRING_BYTES_MAX} bytes)`);
}

/** Sorts in place, without duplicates. */
export function orderedPositions(given: number[]): number[] {
  if (given.length === 1) return given;
  given.sort((a, b) => (a & TS_POSITION_MAX) - (b & TS_POSITION_MAX));
  const out = [given[0]];
  for (let i = 1; i < given.length; i++) {
    const last = out.length - 1;
    if ((given[i] & TS_POSITION_MAX) !== (out[last] & TS_POSITION_MAX)) {
      out.push(given[i]);
      if (out.length >= TS_POSITIONS_MAX || (given[i] & TS_POSITION_MAX) === TS_POSITION_MAX) break;
    } else if (given[i] >>> 14 > out[last] >>> 14) out[last] = given[i];
  }
  return out;
}

export function parseTsVector(text: string): TsVector {
  const reader = new TsWordReader(text, 'vector');
  const words: TsEntry[] = [];
  for (let word = reader.next(); word !== null; word = reader.next()) {
    refuseLongWord(word.text);
    words.push(word);
  }
  return tsVectorOf(words);
}

const WEIGHT_LETTERS = ['', 'C', 'B', 'A'];

export function tsVectorText({ lexemes, positions }: TsVector): string {
  let out = '';
  for (let i = 0; i < lexemes.length; i++) {
    out += `${i === 0 ? '' : ' '}${tsQuote(lexemes[i])}`;
    const own = positions[i];
    if (own === null) continue;
    for (let k = 0; k < own.length; k++) out += `${k === 0 ? ':' : ','}${own[k] & TS_POSITION_MAX}${WEIGHT_LETTERS[own[k] >>> 14]}`;
  }
  return out;
}

/** By size, then number of lexemes, then content: those with more, later or heavier positions first. */
export function compareTsVectors(a: TsVector, b: TsVector): number {
  const bySize = a.sizeBytes - b.sizeBytes || a.lexemes.length - b.lexemes.length;
  if (bySize !== 0) return bySize;
  for (let i = 0; i < a.lexemes.length; i++) {
    const left = a.positions[i];
    const right = b.positions[i];
    if ((left === null) !== (right === null)) return left === null ? 1 : -1;
    const order = compareText(a.lexemes[i], b.lexemes[i]);
    if (order !== 0) return order;
    if (left === null || right === null) continue;
    if (left.length !== right.length) return right.length - left.length;
    for (let k = 0; k < left.length; k++) {
      const places = (right[k] & TS_POSITION_MAX) - (left[k] & TS_POSITION_MAX) || (right[k] >>> 14) - (left[k] >>> 14);
      if (places !== 0) return places;
    }
  }
  return 0;
}

export const TSVECTOR: SqlType = makeType({
  oid: 3614,
  name: 'tsvector',
  title: 'tsvector',
  category: 'U',
  length: -1,
  repr: 'object',
  arrayOid: 3643,
  parse: (text) => parseTsVector(text),
  format: (value) => tsVectorText(value as TsVector),
  compare: (a, b) => compareTsVectors(a as TsVector, b as TsVector),
  hashKey: (value: Value) => tsVectorText(value as TsVector),
});
