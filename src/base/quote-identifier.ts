/** Names and strings as SQL text (backend/utils/adt/ruleutils.c, quote_identifier; simple_quote_literal). */

/** Keywords of PostgreSQL 18 that are not unreserved (`pg_get_keywords() WHERE catcode <> 'U'`). */
const KEYWORDS = new Set(
  `all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case cast char character check coalesce
  collate collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
  current_timestamp current_user dec decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign freeze
  from full grant greatest group grouping having ilike in initially inner inout int integer intersect interval into is isnull join json json_array
  json_arrayagg json_exists json_object json_objectagg json_query json_scalar json_serialize json_table json_value lateral leading least left like
  limit localtime localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset on only or order out outer
  overlaps overlay placing position precision primary real references returning right row select session_user setof similar smallint some substring
  symmetric system_user table tablesample then time timestamp to trailing treat trim true union unique user using values varchar variadic verbose
  when where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable`.split(/\s+/),
);

let all = false;

/**
 * Calls `run` with all names quoted, also in nested calls (`quote_all_identifiers`). A module variable instead of an
 * argument, because names are written in hundreds of places without a session, and `run` is synchronous.
 */
export function quotingAll<T>(run: () => T): T {
  const before = all;
  all = true;
  try {
    return run();
  } finally {
    all = before;
  }
}

/** Whether cached texts cannot be used. */
export function isQuotingAll(): boolean {
  return all;
}

export function quoteIdentifier(name: string): string {
  return !all && /^[a-z_][a-z0-9_]*$/.test(name) && !KEYWORDS.has(name) ? name : inQuotes(name);
}

/** Always quoted: for text that is only parsed again. */
export function inQuotes(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function quoteNames(names: readonly string[]): string {
  return names.map(quoteIdentifier).join('.');
}

export function quoteList(names: readonly string[]): string {
  return names.map(quoteIdentifier).join(', ');
}

export function quoteString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

/** The name in text written by `quoteIdentifier`. */
export function plainName(written: string): string {
  return written.startsWith('"') ? written.slice(1, -1).replaceAll('""', '"') : written;
}
