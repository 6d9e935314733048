/** Dictionaries and configurations: which token becomes which lexeme. Manual, sections 12.6 and 12.7. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../../types/environment.ts';
import { ENGLISH, ENGLISH_STEM, searchObject, SIMPLE, SIMPLE_DICTIONARY } from '../../types/search-names.ts';
import { lowerCase } from '../text/letter-case.ts';
import { englishStem } from './english-stem.ts';
import { ENGLISH_STOP_WORDS } from './stop-words.ts';
import { TOKEN_TYPES, tokenNumber } from './token-types.ts';

export interface Dictionary {
  readonly oid: number;
  readonly name: string;
  /** Lexemes of a token: none for a stop word. */
  lexize(token: string): readonly string[];
}

export interface Configuration {
  readonly oid: number;
  readonly name: string;
  /** By number of the token's type; null where such tokens are passed over. */
  readonly dictionaries: readonly (Dictionary | null)[];
}

const simple: Dictionary = { oid: SIMPLE_DICTIONARY.oid, name: SIMPLE_DICTIONARY.name, lexize: (token) => [lowerCase(token)] };

const STEMS_KEPT_MAX = 50_000;
/** Longer words are no words. */
const STEMMED_BYTES_MAX = 1000;
const NONE: readonly string[] = [];
const stems = new Map<string, readonly string[]>();

const english: Dictionary = {
  oid: ENGLISH_STEM.oid,
  name: ENGLISH_STEM.name,
  lexize: (token) => {
    const known = stems.get(token);
    if (known !== undefined) return known;
    const word = lowerCase(token);
    const out = word === '' || ENGLISH_STOP_WORDS.has(word) ? NONE : [Buffer.byteLength(word) > STEMMED_BYTES_MAX ? word : englishStem(word)];
    if (stems.size >= STEMS_KEPT_MAX) stems.clear();
    stems.set(token, out);
    return out;
  },
};

const STEMMED = new Set(['asciiword', 'word', 'hword_part', 'hword_asciipart', 'asciihword', 'hword']);
const PASSED_OVER = new Set(['blank', 'tag', 'protocol', 'entity']);

function configuration(oid: number, name: string, words: Dictionary): Configuration {
  const dictionaries: (Dictionary | null)[] = [null];
  for (const [alias] of TOKEN_TYPES) dictionaries[tokenNumber(alias)] = PASSED_OVER.has(alias) ? null : STEMMED.has(alias) ? words : simple;
  return { oid, name, dictionaries };
}

export const DICTIONARIES: readonly Dictionary[] = [simple, english];
export const CONFIGURATIONS: readonly Configuration[] = [configuration(SIMPLE.oid, SIMPLE.name, simple), configuration(ENGLISH.oid, ENGLISH.name, english)];

const configurations = new Map(CONFIGURATIONS.map((each) => [each.oid, each]));
const dictionaries = new Map(DICTIONARIES.map((each) => [each.oid, each]));

export function configurationAt(oid: number): Configuration {
  const found = configurations.get(oid);
  if (found === undefined) throw new SvcError('XX000', `cache lookup failed for text search configuration ${oid}`);
  return found;
}

export function dictionaryAt(oid: number): Dictionary {
  const found = dictionaries.get(oid);
  if (found === undefined) throw new SvcError('XX000', `cache lookup failed for text search dictionary ${oid}`);
  return found;
}

/** The session's: default_text_search_config. */
export function standardConfiguration(env: Environment): Configuration {
  const name = env.setting('default_text_search_config') ?? 'pg_catalog.english';
  return configurationAt(searchObject(name, CONFIGURATIONS, 'configuration'));
}
