/** Comments on built-in objects, by catalog and oid: rows of pg_description, and the results of obj_description. */
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { ACCESS_METHODS } from './data/access-methods.ts';
import { fields, operatorFacts } from './facts.ts';
import { CLASS, PG_CATALOG, PG_TOAST, PLPGSQL_LANGUAGE } from './fixed-oids.ts';
import { extensionComment } from './server-rows.ts';
import type { LibraryCatalog } from './system-catalog.ts';

type Descriptions = ReadonlyMap<number, ReadonlyMap<number, string>>;

const SCHEMAS: ReadonlyMap<number, string> = new Map([
  [PG_CATALOG, 'system catalog schema'],
  [PG_TOAST, 'reserved schema for TOAST tables'],
  [2200, 'standard public schema'],
]);

const SIMPLE = 'simple dictionary: just lower case and check for stopword';
const SEARCH_TEMPLATES: ReadonlyMap<number, string> = new Map([
  [3727, SIMPLE],
  [3730, 'synonym dictionary: replace word by its synonym'],
  [3733, 'ispell dictionary'],
  [3742, 'thesaurus dictionary: phrase by phrase substitution'],
  [13150, 'snowball stemmer'],
]);

/** Other operators have the descriptions of their functions. */
const COMPARISONS: Readonly<Record<string, string>> = {
  '=': 'equal',
  '<>': 'not equal',
  '<': 'less than',
  '<=': 'less than or equal',
  '>': 'greater than',
  '>=': 'greater than or equal',
};

const made = new WeakMap<LibraryCatalog['functions'], Descriptions>();

/** Access methods with titles beyond their names. */
const METHOD_TITLES: Readonly<Record<string, string>> = {
  btree: 'b-tree index access method',
  gist: 'GiST index access method',
  gin: 'GIN index access method',
  spgist: 'SP-GiST index access method',
  brin: 'block range index (BRIN) access method',
};

export function systemDescriptions({ functions, operators }: Pick<LibraryCatalog, 'functions' | 'operators'>): Descriptions {
  let out = made.get(functions);
  if (out === undefined) made.set(functions, (out = make({ functions, operators })));
  return out;
}

/** In any catalog if none is given. */
export function systemDescription(descriptions: Descriptions, catalog: number | null, oid: number): string | null {
  if (catalog !== null) return descriptions.get(catalog)?.get(oid) ?? null;
  for (const texts of descriptions.values()) {
    const text = texts.get(oid);
    if (text !== undefined) return text;
  }
  return null;
}

function make({ functions, operators }: Pick<LibraryCatalog, 'functions' | 'operators'>): Descriptions {
  const [extension, text] = extensionComment();
  const ofFunctions = new Map<number, string>();
  for (const { oid, fn } of functions.byOid.values()) if (fn !== null) ofFunctions.set(oid, fn.doc);
  const ofOperators = new Map<number, string>();
  for (const { code, name, oid } of operatorFacts().values()) {
    if (!operators.byOid.has(oid)) continue;
    if (functions.byOid.has(code) && !ofFunctions.has(code)) ofFunctions.set(code, `implementation of ${name} operator`);
    if (name in COMPARISONS) ofOperators.set(oid, COMPARISONS[name]);
  }
  return new Map<number, ReadonlyMap<number, string>>([
    [CLASS.pg_proc, ofFunctions],
    [CLASS.pg_operator, ofOperators],
    [CLASS.pg_namespace, SCHEMAS],
    [CLASS.pg_extension, new Map([[extension, text]])],
    [
      CLASS.pg_language,
      new Map([
        [12, 'built-in functions'],
        [13, 'functions in C'],
        [14, 'functions in SQL'],
        [PLPGSQL_LANGUAGE, text],
      ]),
    ],
    [
      CLASS.pg_am,
      new Map(
        fields(ACCESS_METHODS).map(([oid, name, , kind]) => [Number(oid), METHOD_TITLES[name] ?? `${name} ${kind === 't' ? 'table' : 'index'} access method`]),
      ),
    ],
    [
      CLASS.pg_ts_config,
      new Map(CONFIGURATIONS.map(({ oid, name }) => [oid, name === 'simple' ? 'simple configuration' : `configuration for ${name} language`])),
    ],
    [CLASS.pg_ts_parser, new Map([[3722, 'default word parser']])],
    [CLASS.pg_ts_template, SEARCH_TEMPLATES],
    [CLASS.pg_ts_dict, new Map(DICTIONARIES.map(({ oid, name }) => [oid, dictionaryText(name)]))],
  ]);
}

function dictionaryText(name: string): string {
  return name.endsWith('_stem') ? `snowball stemmer for ${name.slice(0, -'_stem'.length)} language` : SIMPLE;
}
