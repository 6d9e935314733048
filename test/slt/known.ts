/**
 * What of the sqllogictest files svc does not do as Postgres does, by reason: file, and how the statements begin
 * (blanks as one). What follows from an exception (a table that was not made) is listed with it.
 */
export interface Known {
  readonly reason: string;
  readonly statements: Readonly<Record<string, readonly string[]>>;
}

export const KNOWN: readonly Known[] = [
  {
    reason: 'A table that is rewritten numbers a new serial column in the order of its keys.',
    statements: {
      'alter-table.slt': ['SELECT id, s FROM t2 ORDER BY id;', 'SELECT * FROM t2 ORDER BY s;'],
    },
  },
  {
    reason: 'Functions of extensions are there without CREATE EXTENSION.',
    statements: {
      'functions-string.slt': ["SELECT levenshtein('a', 'b');"],
    },
  },
  {
    reason: 'Databases and the settings of the server are not changed through SQL.',
    statements: {
      'errors.slt': ['CREATE DATABASE template1;'],
    },
  },
  {
    reason: 'Rows come in key order if no order is given.',
    statements: {
      'duckdb/constraints/foreignkey/test_foreignkey.test.gz': ['SELECT * FROM song;', 'SELECT * FROM album;'],
    },
  },
];

/** Why a statement of a file is expected to go wrong; null where it must not. */
export function knownReason(file: string, sql: string): string | null {
  return KNOWN.find(({ statements }) => statements[file]?.some((start) => isOf(start, sql)))?.reason ?? null;
}

export function knownStatements(file: string): string[] {
  return KNOWN.flatMap(({ statements }) => statements[file] ?? []);
}

/** Whether the statement begins so. */
export function isOf(start: string, sql: string): boolean {
  return sql.replace(/\s+/g, ' ').trim().startsWith(start);
}

/**
 * Files that need what PGlite does not ship, whose expectations are written by hand, and those with answers of Postgres 15
 * that PGlite, an 18, gives in another way: these were written by a server of that release. PGlite fires no event triggers either.
 */
export const WITHOUT_ORACLE: readonly string[] = [
  'types-vector.slt',
  'icu-collations.slt',
  'nondeterministic-keys.slt',
  'encodings-of-several-bytes.slt',
  'hstore-subscripts.slt',
  'intarray-queries.slt',
  'drop-extension.slt',
  'ltree.slt',
  'views-with-queries.slt',
  'view-relation-names.slt',
  'scalar-gin-gist.slt',
  'alter-of-versions.slt',
  'conversions.slt',
  'definitions-more.slt',
  'event-triggers.slt',
  'event-triggers-firing.slt',
  'event-triggers-publications.slt',
  'event-triggers-foreign.slt',
  'foreign-data.slt',
  'foreign-tables.slt',
  'publications.slt',
  'storage-parameters.slt',
  'subscriptions.slt',
  ...[
    'alter-objects',
    'alter-table',
    'alter-types',
    'arrays',
    'backslashes',
    'collations',
    'composites',
    'dates',
    'expressions',
    'extensions',
    'joins',
    'json',
    'numbers',
    'polymorphic',
    'queries',
    'ranges',
    'strings',
    'windows',
    'with',
    'writes',
    'xml',
    'xml-mapped',
  ].map((area) => `postgres15-${area}.slt`),
];
