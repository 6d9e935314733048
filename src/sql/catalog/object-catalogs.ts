/** In which catalog an object of a world stands, by what it is, and what relations are called. */
import type { CatalogObject } from '../../worlds/definition.ts';
import { CLASS } from './fixed-oids.ts';

export const CATALOG_OF = {
  relation: CLASS.pg_class,
  table: CLASS.pg_class,
  view: CLASS.pg_class,
  sequence: CLASS.pg_class,
  index: CLASS.pg_class,
  check: CLASS.pg_constraint,
  'foreign key': CLASS.pg_constraint,
  schema: CLASS.pg_namespace,
  enum: CLASS.pg_type,
  domain: CLASS.pg_type,
  composite: CLASS.pg_type,
  range: CLASS.pg_type,
  function: CLASS.pg_proc,
  operator: CLASS.pg_operator,
  cast: CLASS.pg_cast,
  extension: CLASS.pg_extension,
  policy: CLASS.pg_policy,
  trigger: CLASS.pg_trigger,
  rule: CLASS.pg_rewrite,
  collation: CLASS.pg_collation,
  'extended statistics': CLASS.pg_statistic_ext,
  'text search dictionary': CLASS.pg_ts_dict,
  'text search configuration': CLASS.pg_ts_config,
  publication: CLASS.pg_publication,
  'publication table': CLASS.pg_publication_rel,
  'publication schema': CLASS.pg_publication_namespace,
  'event trigger': CLASS.pg_event_trigger,
  'foreign data wrapper': CLASS.pg_foreign_data_wrapper,
  server: CLASS.pg_foreign_server,
  'user mapping': CLASS.pg_user_mapping,
} as const satisfies Partial<Record<CatalogObject['what'], number>>;

/** What Postgres calls a relation, by its relkind. */
export const RELATION_WORDS: Readonly<Record<string, string>> = {
  r: 'table',
  p: 'table',
  v: 'view',
  m: 'materialized view',
  i: 'index',
  I: 'index',
  S: 'sequence',
  c: 'composite type',
  f: 'foreign table',
  t: 'toast table',
};
