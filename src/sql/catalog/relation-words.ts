/** Postgres's words for relations, by relkind. */
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
