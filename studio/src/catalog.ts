/** Tables and columns of a world, read by SQL as the visitor: privileges hold. */
import { CallError, op } from './api.ts';
import { literal, quoted, quotedTable } from './parts/text.ts';
import type { Row, SqlReply } from './shapes.ts';
import { href } from './state.ts';

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
  readonly mayRead: boolean;
  /** The visitor has the privilege, and the column is not generated. */
  readonly mayWrite: boolean;
}

const KINDS: Record<string, Table['kind']> = { r: 'table', p: 'table', v: 'view', m: 'materialized view', f: 'foreign table' };

const TABLES = `SELECT n.nspname AS schema, c.relname AS name, c.relkind::text AS kind, has_any_column_privilege(c.oid, 'SELECT') AS may
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

const columnsSql = (schema: string, name: string): string => `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
  a.attnum = ANY (coalesce((SELECT p.conkey FROM pg_constraint p WHERE p.conrelid = c.oid AND p.contype = 'p'), '{}')) AS key,
  has_column_privilege(c.oid, a.attnum, 'SELECT') AS may, has_column_privilege(c.oid, a.attnum, 'UPDATE') AND a.attgenerated = '' AS maywrite,
  c.relkind::text AS kind, c.relhassubclass AS parts
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
WHERE n.nspname = ${literal(schema)} AND c.relname = ${literal(name)} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

/** A table as it is opened: all of one moment. */
export interface Opened {
  readonly kind: Table['kind'];
  readonly columns: readonly Column[];
  readonly count: unknown;
  readonly first: readonly Row[];
  /** Rows come in the order of the primary key: the tree of a plain table holds them so. */
  readonly inKeyOrder: boolean;
}

/**
 * Columns, exact count and first rows in one call. The rows cannot be sorted by a key that is not known yet: what is no plain table, or has
 * columns that the visitor may not read, takes a second call.
 */
export async function openTable(branch: string, { schema, name }: Named, limit: number, signal: AbortSignal): Promise<Opened> {
  const from = quotedTable(schema, name);
  const columns = columnsSql(schema, name);
  const ask = async (sql: string): Promise<SqlReply['results']> => (await op<SqlReply>('sql', { branch, sql }, { signal })).results;
  const whole = await ask(`${columns}; SELECT count(*) AS n FROM ${from}; SELECT * FROM ${from} LIMIT ${limit}`).catch(async (error: unknown) => {
    if (!(error instanceof CallError) || error.code !== '42501') throw error;
    const [known] = await ask(columns);
    if (known!.rows.every(({ may }) => may === true)) throw error;
    return [known!];
  });
  const of = columnsIn(whole[0]!.rows);
  const [{ kind, parts } = { kind: 'r', parts: false }] = whole[0]!.rows;
  const keys = of.filter(({ isKey, mayRead }) => isKey && mayRead).map((column) => quoted(column.name));
  const inKeyOrder = kind === 'r' && parts !== true;
  const order = inKeyOrder || keys.length === 0 ? '' : ` ORDER BY ${keys.join(', ')}`;
  const rest =
    whole.length > 1 && order === ''
      ? whole.slice(1)
      : await ask(`SELECT count(*) AS n FROM ${from}; SELECT ${selected(of)} FROM ${from}${order} LIMIT ${limit}`);
  return { kind: KINDS[String(kind)] ?? 'table', columns: of, count: rest[0]!.rows[0]!['n'], first: rest[1]!.rows, inKeyOrder };
}

function columnsIn(rows: readonly Row[]): Column[] {
  return rows.map((row) => ({
    name: String(row['name']),
    type: String(row['type']),
    isKey: row['key'] === true,
    mayRead: row['may'] === true,
    mayWrite: row['maywrite'] === true,
  }));
}

/** What stands after SELECT: the columns that the visitor may read. */
export function selected(columns: readonly Column[]): string {
  const readable = columns.filter(({ mayRead }) => mayRead);
  return readable.length === columns.length ? '*' : readable.map(({ name }) => quoted(name)).join(', ');
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

export type Named = Pick<Table, 'schema' | 'name'>;

/** `schema.table` or `table` of `public`. Names may hold dots: `schema` says where the name begins, where the first dot would mislead. */
export function tableNamed(full: string, schema?: string): Named {
  if (schema !== undefined) return { schema, name: schema === 'public' ? full : full.slice(schema.length + 1) };
  const dot = full.indexOf('.');
  return dot < 0 ? { schema: 'public', name: full } : { schema: full.slice(0, dot), name: full.slice(dot + 1) };
}

/** The page of a table. */
export function tableHref(world: string, { full, schema, name }: Pick<Table, 'full' | 'schema' | 'name'>): string {
  const read = tableNamed(full);
  return href('table', world, full, ...(read.schema === schema && read.name === name ? [] : [schema]));
}
