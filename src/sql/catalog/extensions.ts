/**
 * Extensions that CREATE EXTENSION accepts. Their types and functions are built in for all worlds; a world records that the
 * extension was created, so that dumps restore, programs that query pg_extension work, and DROP EXTENSION checks dependents. Names,
 * versions and comments are those of PostgreSQL 15's contrib and of pgvector.
 */

export interface Extension {
  readonly name: string;
  readonly version: string;
  readonly comment: string;
  /** The foreign-data wrapper that it creates, with its functions. */
  readonly wrapper?: { readonly name: string; readonly handler: string; readonly validator: string };
}

const extension = (name: string, version: string, comment: string): Extension => ({ name, version, comment });

export const EXTENSIONS: ReadonlyMap<string, Extension> = new Map(
  [
    extension('vector', '0.8.0', 'vector data type'),
    extension('fuzzystrmatch', '1.1', 'determine similarities and distance between strings'),
    extension('pg_trgm', '1.6', 'text similarity measurement and index searching based on trigrams'),
    extension('unaccent', '1.1', 'text search dictionary that removes accents'),
    extension('uuid-ossp', '1.1', 'generate universally unique identifiers (UUIDs)'),
    extension('pgcrypto', '1.3', 'cryptographic functions'),
    extension('btree_gin', '1.3', 'support for indexing common datatypes in GIN'),
    extension('pg_stat_statements', '1.10', 'track planning and execution statistics of all SQL statements executed'),
    extension('citext', '1.6', 'data type for case-insensitive character strings'),
    extension('hstore', '1.8', 'data type for storing sets of (key, value) pairs'),
    extension('intarray', '1.5', 'functions, operators, and index support for 1-D arrays of integers'),
    extension('ltree', '1.2', 'data type for hierarchical tree-like structures'),
    extension('tablefunc', '1.0', 'functions that manipulate whole tables, including crosstab'),
    extension('btree_gist', '1.7', 'support for indexing common datatypes in GiST'),
    {
      ...extension('file_fdw', '1.0', 'foreign-data wrapper for flat file access'),
      wrapper: { name: 'file_fdw', handler: 'file_fdw_handler', validator: 'file_fdw_validator' },
    },
  ].map((each) => [each.name, each]),
);
