/** Dictionaries and configurations: mapping of tokens to lexemes. Manual, sections 12.6 and 12.7. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Environment, SearchConfigurationDefinition, SearchDictionaryDefinition } from '../../types/environment.ts';
import { LANGUAGE_CONFIGURATIONS, SEARCH_LANGUAGES, searchObject, SIMPLE, SIMPLE_DICTIONARY, STEM_DICTIONARIES } from '../../types/search-names.ts';
import { lowerCase } from '../../types/letter-case.ts';
import { stopWordsIn } from './stop-words.ts';
import { lexizerOf, stemmer } from './templates.ts';
import { TOKEN_TYPES, tokenNumber } from './token-types.ts';

export interface Dictionary {
  readonly oid: number;
  readonly name: string;
  /** Lexemes of a token: none for a stop word, null if the dictionary does not know it. */
  lexize(token: string): readonly string[] | null;
  /** The dictionaries that are tried in order, if there are several. */
  readonly chain?: readonly Dictionary[];
}

export interface Configuration {
  readonly oid: number;
  readonly name: string;
  /** By token type; null if such tokens are ignored. */
  readonly dictionaries: readonly (Dictionary | null)[];
}

const simple: Dictionary = { oid: SIMPLE_DICTIONARY.oid, name: SIMPLE_DICTIONARY.name, lexize: (token) => [lowerCase(token)] };
const stems: readonly Dictionary[] = SEARCH_LANGUAGES.map((language, i) => ({ ...STEM_DICTIONARIES[i], lexize: stemmer(language, stopWordsIn(language)) }));
const stemsOf = (language: string): Dictionary => stems[SEARCH_LANGUAGES.indexOf(language)];

const ASCII_WORDS = new Set(['asciiword', 'hword_asciipart', 'asciihword']);
const OTHER_WORDS = new Set(['word', 'hword_part', 'hword']);
const PASSED_OVER = new Set(['blank', 'tag', 'protocol', 'entity']);
/** Languages for which an ASCII word is stemmed as English. */
const BESIDE_ENGLISH = new Set(['hindi', 'russian']);

function configuration(oid: number, name: string, ascii: Dictionary, words: Dictionary): Configuration {
  const dictionaries: (Dictionary | null)[] = [null];
  for (const [alias] of TOKEN_TYPES) {
    dictionaries[tokenNumber(alias)] = PASSED_OVER.has(alias) ? null : ASCII_WORDS.has(alias) ? ascii : OTHER_WORDS.has(alias) ? words : simple;
  }
  return { oid, name, dictionaries };
}

export const DICTIONARIES: readonly Dictionary[] = [simple, ...stems];
export const CONFIGURATIONS: readonly Configuration[] = [
  configuration(SIMPLE.oid, SIMPLE.name, simple, simple),
  ...LANGUAGE_CONFIGURATIONS.map(({ oid, name }) => configuration(oid, name, stemsOf(BESIDE_ENGLISH.has(name) ? 'english' : name), stemsOf(name))),
];

const configurations = new Map(CONFIGURATIONS.map((each) => [each.oid, each]));
const dictionaries = new Map(DICTIONARIES.map((each) => [each.oid, each]));

const madeDictionaries = new WeakMap<SearchDictionaryDefinition, Dictionary>();

interface Made {
  readonly configuration: Configuration;
  /** The dictionaries it was built from: a change rebuilds it. */
  readonly parts: readonly Dictionary[];
}
const madeConfigurations = new WeakMap<SearchConfigurationDefinition, Made>();

export function dictionaryAt(env: Environment, oid: number): Dictionary {
  const found = dictionaries.get(oid);
  if (found !== undefined) return found;
  const definition = env.system?.definitions.searchDictionary(oid) ?? null;
  if (definition === null) throw new SvcError('XX000', `cache lookup failed for text search dictionary ${oid}`);
  let made = madeDictionaries.get(definition);
  if (made === undefined) madeDictionaries.set(definition, (made = { oid, name: definition.name, lexize: lexizerOf(definition.template, definition.options) }));
  return made;
}

export function configurationAt(env: Environment, oid: number): Configuration {
  const found = configurations.get(oid);
  if (found !== undefined) return found;
  const definition = env.system?.definitions.searchConfiguration(oid) ?? null;
  if (definition === null) throw new SvcError('XX000', `cache lookup failed for text search configuration ${oid}`);
  const known = madeConfigurations.get(definition);
  if (known !== undefined && known.parts.every((each) => dictionaryAt(env, each.oid) === each)) return known.configuration;
  const own: (Dictionary | null)[] = new Array<null>(TOKEN_TYPES.length + 1).fill(null);
  const parts = new Set<Dictionary>();
  for (const { token, dictionaries: asked } of definition.mappings) {
    const chain = asked.map((each) => dictionaryAt(env, each));
    for (const each of chain) parts.add(each);
    own[token] = chain.length === 1 ? chain[0] : chained(chain);
  }
  const configuration = { oid, name: definition.name, dictionaries: own };
  madeConfigurations.set(definition, { configuration, parts: [...parts] });
  return configuration;
}

/** The first dictionary that knows a token decides. */
function chained(chain: readonly Dictionary[]): Dictionary {
  return {
    oid: chain[0].oid,
    name: chain[0].name,
    chain,
    lexize: (token) => {
      for (const each of chain) {
        const lexemes = each.lexize(token);
        if (lexemes !== null) return lexemes;
      }
      return null;
    },
  };
}

/** The session's: default_text_search_config. */
export function standardConfiguration(env: Environment): Configuration {
  const name = env.setting('default_text_search_config') ?? 'pg_catalog.english';
  return configurationAt(env, searchObject(name, CONFIGURATIONS, 'configuration', env));
}
