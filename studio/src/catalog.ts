/** Tables and columns of a world, read by SQL as the visitor: privileges hold. */
import { op } from './api.ts';
import { quotedTable } from './parts/text.ts';
import type { SqlReply } from './shapes.ts';

export interface Table {
  readonly schema: string;
  readonly name: string;
  /** As operations name it: without the schema where that is `public`. */
  readonly full: string;
  readonly kind: 'table' | 'view' | 'materialized view' | 'foreign table';
  readonly mayRead: boolean;
}

export interface Column {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly notNull: boolean;
}

const KINDS: Record<string, Table['kind']> = { r: 'table', p: 'table', v: 'view', m: 'materialized view', f: 'foreign table' };

const TABLES = `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind, has_table_privilege(c.oid, 'SELECT') AS may
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY n.nspname <> 'public', n.nspname, c.relname`;

export async function tablesOf(branch: string, signal?: AbortSignal): Promise<Table[]> {
  const { results } = await op<SqlReply>('sql', { branch, sql: TABLES }, { signal });
  return results[0]!.rows.map(({ schema, name, kind, may }) => ({
    schema: String(schema),
    name: String(name),
    full: schema === 'public' ? String(name) : `${String(schema)}.${String(name)}`,
    kind: KINDS[String(kind)] ?? 'table',
    mayRead: may === true,
  }));
}

const COLUMNS = `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS notnull,
  EXISTS (SELECT 1 FROM pg_constraint p WHERE p.conrelid = a.attrelid AND p.contype = 'p' AND a.attnum = ANY (p.conkey)) AS key
FROM pg_attribute a WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

export async function columnsOf(branch: string, { schema, name }: Pick<Table, 'schema' | 'name'>, signal?: AbortSignal): Promise<Column[]> {
  const { results } = await op<SqlReply>('sql', { branch, sql: COLUMNS, params: [quotedTable(schema, name)] }, { signal });
  return results[0]!.rows.map((row) => ({
    name: String(row['name']),
    type: String(row['type']),
    isKey: row['key'] === true,
    notNull: row['notnull'] === true,
  }));
}

const ALL_COLUMNS = `SELECT n.nspname AS schema, c.relname AS table, a.attname AS name
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY 1, 2, a.attnum LIMIT 20000`;

/** Columns by table, for completion. */
export async function names(branch: string): Promise<Record<string, string[]>> {
  const { results } = await op<SqlReply>('sql', { branch, sql: ALL_COLUMNS }, { background: true });
  const out: Record<string, string[]> = {};
  for (const { schema, table, name } of results[0]!.rows) {
    const full = schema === 'public' ? String(table) : `${String(schema)}.${String(table)}`;
    (out[full] ??= []).push(String(name));
  }
  return out;
}

/** `schema.table` or `table` of `public`. */
export function tableNamed(full: string): { schema: string; name: string } {
  const dot = full.indexOf('.');
  return dot < 0 ? { schema: 'public', name: full } : { schema: full.slice(0, dot), name: full.slice(dot + 1) };
}
