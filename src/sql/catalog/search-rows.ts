/** pg_ts_config, pg_ts_config_map, pg_ts_dict, pg_ts_parser and pg_ts_template: what text search has built in, under the oids of PostgreSQL 15. */
import { CONFIGURATIONS, DICTIONARIES } from '../functions/search/configurations.ts';
import { OWNER, PG_CATALOG } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';

const PARSER = 3722;
const SIMPLE = 3727;
const SNOWBALL = 13150;

export function searchConfigRows(): Row[] {
  return CONFIGURATIONS.map(({ oid, name }) => [oid, name, PG_CATALOG, OWNER, PARSER]);
}

export function searchMapRows(): Row[] {
  return CONFIGURATIONS.flatMap(({ oid, dictionaries }) => dictionaries.flatMap((each, type): Row[] => (each === null ? [] : [[oid, type, 1, each.oid]])));
}

export function searchDictionaryRows(): Row[] {
  return DICTIONARIES.map(({ oid, name }) =>
    name === 'simple' ? [oid, name, PG_CATALOG, OWNER, SIMPLE, null] : [oid, name, PG_CATALOG, OWNER, SNOWBALL, "language = 'english', stopwords = 'english'"],
  );
}

export function searchParserRows(): Row[] {
  return [[PARSER, 'default', PG_CATALOG, 3717, 3718, 3719, 3720, 3721]];
}

export function searchTemplateRows(): Row[] {
  return [
    [SIMPLE, 'simple', PG_CATALOG, 3725, 3726],
    [SNOWBALL, 'snowball', PG_CATALOG, 13148, 13149],
  ];
}

/** Whether there is such an object, whose schema is always searched. */
export function isSearchObject(oid: number): boolean {
  return oid === PARSER || oid === SIMPLE || oid === SNOWBALL || [...CONFIGURATIONS, ...DICTIONARIES].some((each) => each.oid === oid);
}
