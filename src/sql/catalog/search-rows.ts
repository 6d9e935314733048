/**
 * pg_ts_config, pg_ts_config_map, pg_ts_dict, pg_ts_parser and pg_ts_template: built-in text search objects with PostgreSQL 15's
 * oids, and user-defined ones.
 */
import type { SearchDictionaryObject } from '../../worlds/definition.ts';
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { hasStopWords } from '../functions/search/stop-words.ts';
import type { Schema } from '../schema/schema.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

export const SEARCH_PARSER = 3722;

/** Oid, name, functions. */
export const TEMPLATES: readonly (readonly [oid: number, name: string, init: number, lexize: number])[] = [
  [3727, 'simple', 3725, 3726],
  [3730, 'synonym', 3728, 3729],
  [3733, 'ispell', 3731, 3732],
  [3742, 'thesaurus', 3740, 3741],
  [13150, 'snowball', 13148, 13149],
];

function templateOid(name: string): number {
  return TEMPLATES.find((each) => each[1] === name)?.[0] ?? 0;
}

export function searchConfigRows(schema: Schema): Row[] {
  return [
    ...CONFIGURATIONS.map(({ oid, name }): Row => [oid, name, PG_CATALOG, OWNER, SEARCH_PARSER]),
    ...[...schema.searchConfigurations.values()].map(({ number, name, schema: own }): Row => [
      number,
      name,
      schema.schemas.get(own) ?? 0,
      schema.ownerOf(number),
      SEARCH_PARSER,
    ]),
  ];
}

export function searchMapRows(schema: Schema): Row[] {
  return [
    ...CONFIGURATIONS.flatMap(({ oid, dictionaries }) => dictionaries.flatMap((each, type): Row[] => (each === null ? [] : [[oid, type, 1, each.oid]]))),
    ...[...schema.searchConfigurations.values()].flatMap(({ number, mappings }) =>
      mappings.flatMap(({ token, dictionaries }) => dictionaries.map((each, i): Row => [number, token, i + 1, each])),
    ),
  ];
}

/** Options in the syntax of CREATE. */
export function optionsText(options: SearchDictionaryObject['options']): string | null {
  if (options.length === 0) return null;
  return options
    .map(({ name, value, bare }) => {
      const quoted = `${value.includes('\\') ? 'E' : ''}'${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
      return `${quoteIdentifier(name)} = ${bare === true ? value : quoted}`;
    })
    .join(', ');
}

function snowballOptions(language: string): string {
  return `language = '${language}'${hasStopWords(language) ? `, stopwords = '${language}'` : ''}`;
}

export function searchDictionaryRows(schema: Schema): Row[] {
  return [
    ...DICTIONARIES.map(({ oid, name }): Row =>
      name === 'simple'
        ? [oid, name, PG_CATALOG, OWNER, templateOid('simple'), null]
        : [oid, name, PG_CATALOG, OWNER, templateOid('snowball'), snowballOptions(name.slice(0, -'_stem'.length))],
    ),
    ...[...schema.searchDictionaries.values()].map(({ number, name, schema: own, template, options }): Row => [
      number,
      name,
      schema.schemas.get(own) ?? 0,
      schema.ownerOf(number),
      templateOid(template),
      optionsText(options),
    ]),
  ];
}

export function searchParserRows(): Row[] {
  return [[SEARCH_PARSER, 'default', PG_CATALOG, 3717, 3718, 3719, 3720, 3721]];
}

export function searchTemplateRows(): Row[] {
  return TEMPLATES.map(([oid, name, init, lexize]) => [oid, name, PG_CATALOG, init, lexize]);
}

/** Whether there is such a built-in object, whose schema is always searched. */
export function isSearchObject(oid: number): boolean {
  return oid === SEARCH_PARSER || TEMPLATES.some((each) => each[0] === oid) || [...CONFIGURATIONS, ...DICTIONARIES].some((each) => each.oid === oid);
}
