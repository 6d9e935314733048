/** The configurations and dictionaries of text search that are built in, under the oids of PostgreSQL 15, and the types that name them. */
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
export const ENGLISH: SearchObject = { oid: 13164, name: 'english' };
export const SIMPLE_DICTIONARY: SearchObject = { oid: 3765, name: 'simple' };
export const ENGLISH_STEM: SearchObject = { oid: 13163, name: 'english_stem' };

export const SEARCH_CONFIGURATIONS: readonly SearchObject[] = [SIMPLE, ENGLISH];

const NUMBER = /^\s*\d+\s*$/;

/** Names of built-in ones mean the same in every session, so stored texts hold names; those of worlds are found by their sessions. */
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

/** What the text names, with its schema or without. */
export function findSearchObject(text: string, among: readonly SearchObject[]): SearchObject | undefined {
  const parts = /^\s*(?:(?:pg_catalog|"pg_catalog")\s*\.\s*)?(?:"((?:[^"]|"")+)"|([^".\s]+))\s*$/i.exec(text);
  const name = parts?.[1]?.replaceAll('""', '"') ?? parts?.[2]?.toLowerCase();
  return among.find((each) => each.name === name);
}

/** Its oid; 42704 where there is none. */
export function searchObject(text: string, among: readonly SearchObject[], what: 'configuration' | 'dictionary', env: Environment): number {
  const found = findSearchObject(text, among);
  const own = found === undefined ? env.system?.definitions.searchOid(what, text) : undefined;
  if (typeof own === 'number') return own;
  if (found === undefined) throw new SvcError('42704', `text search ${what} "${text.replaceAll('"', '')}" does not exist`);
  return found.oid;
}

export const REGCONFIG: SqlType = naming(PLAIN_CONFIG, SEARCH_CONFIGURATIONS, 'configuration');
export const REGDICTIONARY: SqlType = naming(PLAIN_DICTIONARY, [SIMPLE_DICTIONARY, ENGLISH_STEM], 'dictionary');
