/** Texts and documents as vectors, through a configuration. Manual, section 12.3.1. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { runSteps } from '../../../base/run-steps.ts';
import { type JsonItemKind, jsonItems } from '../../types/json-items.ts';
import { isJsonArray, JsonObject } from '../../types/json-tree.ts';
import { treeOf } from '../../types/jsonb.ts';
import { compareText } from '../../types/text-order.ts';
import { TS_POSITION_MAX, TS_POSITIONS_MAX, TS_WORD_BYTES_MAX } from '../../types/ts-word-reader.ts';
import { refuseLong, TsVector } from '../../types/tsvector.ts';
import type { Configuration } from './configurations.ts';
import { TokenParser } from './token-parser.ts';

/** Receives each lexeme with its position, from 1; stop words keep their positions free. */
export type LexemeSink = (lexeme: string, place: number) => void;

/** Tokens in a step of `lexemeSteps`: less than a millisecond. */
const TOKENS_A_STEP = 256;

/** Gives the last position. */
export function lexemesOf(configuration: Configuration, text: string, before: number, sink: LexemeSink): number {
  return runSteps(lexemeSteps(configuration, text, before, sink));
}

/** The same in steps, for texts of any length beside other work. */
export function* lexemeSteps({ dictionaries }: Configuration, text: string, before: number, sink: LexemeSink): Generator<void, number> {
  const parser = new TokenParser(text);
  let place = before;
  let tokens = 0;
  for (let token = parser.next(); token !== null; token = parser.next()) {
    if (++tokens % TOKENS_A_STEP === 0) yield;
    const dictionary = dictionaries[token.type];
    if (dictionary === null || isTooLong(token.text)) continue;
    const lexemes = dictionary.lexize(token.text);
    if (lexemes === null) continue;
    place++;
    for (const lexeme of lexemes) sink(lexeme, place);
  }
  return place;
}

export function isTooLong(token: string): boolean {
  return token.length * 3 >= TS_WORD_BYTES_MAX && Buffer.byteLength(token) >= TS_WORD_BYTES_MAX;
}

class VectorBuilder {
  readonly #places = new Map<string, number[]>();
  #place = 0;
  #count = 0;

  add(configuration: Configuration, text: string): void {
    this.#place = lexemesOf(configuration, text, this.#place, (lexeme, at) => {
      this.#count++;
      const place = at > TS_POSITION_MAX ? TS_POSITION_MAX : at;
      const known = this.#places.get(lexeme);
      if (known === undefined) this.#places.set(lexeme, [place]);
      else if (known.length < TS_POSITIONS_MAX - 1 && known[known.length - 1] !== place) known.push(place);
    });
  }

  /** Words of different parts are not adjacent. */
  addPart(configuration: Configuration, text: string): void {
    const count = this.#count;
    this.add(configuration, text);
    if (this.#count > count) this.#place++;
  }

  vector(): TsVector {
    const lexemes = [...this.#places.keys()].sort(compareText);
    if (lexemes.length > 1000) refuseLong(lexemes);
    return new TsVector(
      lexemes,
      lexemes.map((lexeme) => this.#places.get(lexeme)!),
    );
  }
}

export function vectorOf(configuration: Configuration, text: string): TsVector {
  const builder = new VectorBuilder();
  builder.add(configuration, text);
  return builder.vector();
}

export function vectorOfJson(configuration: Configuration, document: string, kinds: ReadonlySet<JsonItemKind>): TsVector {
  const builder = new VectorBuilder();
  for (const { kind, text } of jsonItems(document)) if (kinds.has(kind)) builder.addPart(configuration, text);
  return builder.vector();
}

export const STRINGS: ReadonlySet<JsonItemKind> = new Set<JsonItemKind>(['string']);
const KINDS: readonly JsonItemKind[] = ['string', 'numeric', 'boolean', 'key'];
const HINT = 'Possible values are: "string", "numeric", "boolean", "key", and "all".';

/** The kinds of items in the third argument of json_to_tsvector: `"all"`, `["string", "key"]`. */
export function jsonKinds(filter: string): ReadonlySet<JsonItemKind> {
  const tree = treeOf(filter);
  if (tree instanceof JsonObject) throw new SvcError('22023', 'wrong flag type, only arrays and scalars are allowed');
  const out = new Set<JsonItemKind>();
  for (const flag of isJsonArray(tree) ? tree : [tree]) {
    if (typeof flag !== 'string') throw new SvcError('22023', 'flag array element is not a string', { hint: HINT });
    const kind = KINDS.find((each) => each === flag.toLowerCase());
    if (flag.toLowerCase() === 'all') for (const each of KINDS) out.add(each);
    else if (kind === undefined) throw new SvcError('22023', `wrong flag in flag array: "${flag}"`, { hint: HINT });
    else out.add(kind);
  }
  return out;
}
