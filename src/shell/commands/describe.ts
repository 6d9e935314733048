/** `describe`: the tables of a world, or columns, keys and indexes of one. Read from the catalog, in the session's transaction. */
import { quoteString } from '../../base/quote-identifier.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Answer } from '../link/link.ts';
import { tableLines } from '../text/table.ts';
import type { Stage } from './stage.ts';

const TABLES = `SELECT CASE n.nspname WHEN 'public' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name,
  CASE c.relkind WHEN 'r' THEN 'table' WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'S' THEN 'sequence' WHEN 'p' THEN 'table' ELSE c.relkind::text END AS kind,
  (SELECT count(*) FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  CASE WHEN c.relkind IN ('r', 'm') THEN c.reltuples::bigint END AS rows
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'v', 'm', 'p') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND n.nspname NOT LIKE 'pg_temp%'
ORDER BY n.nspname <> 'public', n.nspname, c.relname`;

const columns = (oid: string): string => `SELECT a.attname AS column, pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
  CASE WHEN a.attnotnull THEN 'not null' ELSE '' END AS "null",
  coalesce(pg_catalog.pg_get_expr(d.adbin, d.adrelid), '') AS default
FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attrelid = ${oid} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`;

const indexes = (oid: string): string => `SELECT pg_catalog.pg_get_indexdef(i.indexrelid) FROM pg_catalog.pg_index i WHERE i.indrelid = ${oid} ORDER BY 1`;

const constraints = (oid: string): string => `SELECT c.conname || ' ' || pg_catalog.pg_get_constraintdef(c.oid)
FROM pg_catalog.pg_constraint c WHERE c.conrelid = ${oid} ORDER BY c.contype <> 'p', c.conname`;

const referenced = (oid: string): string => `SELECT c.conrelid::pg_catalog.regclass::text || ' ' || pg_catalog.pg_get_constraintdef(c.oid)
FROM pg_catalog.pg_constraint c WHERE c.confrelid = ${oid} AND c.contype = 'f' ORDER BY 1`;

export async function describe({ table }: { table?: string }, stage: Stage): Promise<void> {
  const rows = async (sql: string): Promise<Answer> => (await stage.link.run(sql, 10_000)).answers[0];
  const shown = (answer: Answer): string[] => tableLines(answer.columns ?? [], answer.rows, { width: stage.width, style: stage.style });
  if (table === undefined) {
    const answer = await rows(TABLES);
    if (answer.rows.length === 0) {
      await stage.print([
        `${stage.place.branch} has no tables yet.`,
        stage.style.dim('CREATE TABLE items (id int PRIMARY KEY, name text);   or   put items 1 \'{"name": "lamp"}\''),
      ]);
      return;
    }
    await stage.print([...shown(answer), stage.style.dim(`describe TABLE shows its columns.`)]);
    return;
  }
  const [[oid, title] = [null, null]] = (
    await rows(`SELECT c.oid::text, CASE c.relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' WHEN 'i' THEN 'index' WHEN 'S' THEN 'sequence' ELSE 'table' END
FROM pg_catalog.pg_class c WHERE c.oid = pg_catalog.to_regclass(${quoteString(table)})`)
  ).rows;
  if (oid === null) throw new SvcError('42P01', `there is no table "${table}" in ${stage.place.branch}`, { hint: 'describe lists them.' });
  const parts = [stage.style.bold(`${title} ${table}`), ...shown(await rows(columns(oid)))];
  for (const [name, sql] of [
    ['constraints', constraints(oid)],
    ['indexes', indexes(oid)],
    ['referenced by', referenced(oid)],
  ] as const) {
    const answer = await rows(sql);
    if (answer.rows.length > 0) parts.push(`${name}:`, ...answer.rows.map(([text]) => `  ${text}`));
  }
  await stage.print(parts);
}
