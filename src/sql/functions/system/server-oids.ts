/** Oids of built-in objects that cannot be created: languages and tablespaces. */
export const LANGUAGES: Readonly<Record<string, number>> = { internal: 12, c: 13, sql: 14, plpgsql: 13563 };
export const TABLESPACES: Readonly<Record<string, number>> = { pg_default: 1663, pg_global: 1664 };
