/** The built-in text search configurations and dictionaries, with PostgreSQL 15's oids, and the types regconfig and regdictionary. */
import { inQuotes } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { REGCONFIG as PLAIN_CONFIG, REGDICTIONARY as PLAIN_DICTIONARY } from './identifiers.ts';
import type { Environment } from './environment.ts';
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export interface SearchObject {
  readonly oid: number;
  readonly name: string;
}

export const SIMPLE: SearchObject = { oid: 3748, name: 'simple' };
export const SIMPLE_DICTIONARY: SearchObject = { oid: 3765, name: 'simple' };

/** In the order of their oids, two for each. */
const LANGUAGES: readonly string[] =
  `arabic armenian basque catalan danish dutch english finnish french german greek hindi hungarian indonesian irish italian lithuanian nepali norwegian
  portuguese romanian russian serbian spanish swedish tamil turkish yiddish`.split(/\s+/);
/** Languages without a stemmer here. */
const WITHOUT_STEMMER = new Set(['basque', 'catalan', 'yiddish']);
const FIRST_LANGUAGE_OID = 13151;

export const SEARCH_LANGUAGES: readonly string[] = LANGUAGES.filter((name) => !WITHOUT_STEMMER.has(name));

function ofLanguages(offset: number, named: (language: string) => string): SearchObject[] {
  return LANGUAGES.flatMap((language, i) => (WITHOUT_STEMMER.has(language) ? [] : [{ oid: FIRST_LANGUAGE_OID + 2 * i + offset, name: named(language) }]));
}

/** Dictionaries of languages, in the order of SEARCH_LANGUAGES. */
export const STEM_DICTIONARIES: readonly SearchObject[] = ofLanguages(0, (language) => `${language}_stem`);
/** Configurations of languages, in the same order. */
export const LANGUAGE_CONFIGURATIONS: readonly SearchObject[] = ofLanguages(1, (language) => language);

export const SEARCH_CONFIGURATIONS: readonly SearchObject[] = [SIMPLE, ...LANGUAGE_CONFIGURATIONS];
export const SEARCH_DICTIONARIES: readonly SearchObject[] = [SIMPLE_DICTIONARY, ...STEM_DICTIONARIES];

const NUMBER = /^\s*\d+\s*$/;

/** Names of built-in ones mean the same in every session, so stored texts contain names; user-defined ones are resolved by their sessions. */
function naming(plain: SqlType, among: readonly SearchObject[], what: 'configuration' | 'dictionary'): SqlType {
  const text = (value: Value, env: Environment): string => {
    if (value === 0) return '-';
    const known = among.find(({ oid }) => oid === value)?.name;
    if (known !== undefined) return env.quotesAll ? inQuotes(known) : known;
    return env.system?.definitions.searchName(what, value as number) ?? String(value);
  };
  return {
    ...plain,
    parse: (given, typmod, env) => (given === '-' || NUMBER.test(given) ? plain.parse(given, typmod, env) : searchObject(given, among, what, env)),
    format: text,
    json: text,
  };
}

/** The object that the text names, qualified or not. */
export function findSearchObject(text: string, among: readonly SearchObject[]): SearchObject | undefined {
  const parts = /^\s*(?:(?:pg_catalog|"pg_catalog")\s*\.\s*)?(?:"((?:[^"]|"")+)"|([^".\s]+))\s*$/i.exec(text);
  const name = parts?.[1]?.replaceAll('""', '"') ?? parts?.[2]?.toLowerCase();
  return among.find((each) => each.name === name);
}

/** Its oid; 42704 if there is none. */
export function searchObject(text: string, among: readonly SearchObject[], what: 'configuration' | 'dictionary', env: Environment): number {
  const found = findSearchObject(text, among);
  const own = found === undefined ? env.system?.definitions.searchOid(what, text) : undefined;
  if (typeof own === 'number') return own;
  if (found === undefined) throw new SvcError('42704', `text search ${what} "${text.replaceAll('"', '')}" does not exist`);
  return found.oid;
}

export const REGCONFIG: SqlType = naming(PLAIN_CONFIG, SEARCH_CONFIGURATIONS, 'configuration');
export const REGDICTIONARY: SqlType = naming(PLAIN_DICTIONARY, SEARCH_DICTIONARIES, 'dictionary');
