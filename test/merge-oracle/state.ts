/** What a world holds, as text: every row of every table, and every definition, so that two states can be compared. */
import type { Client } from 'pg';

/** Rows by table, in an order of their own. Tables that are partitions are read through themselves. */
export async function rowsOf(client: Client): Promise<Map<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' ORDER BY relname COLLATE "C"`,
  );
  const out = new Map<string, string[]>();
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(`SELECT to_jsonb(x)::text AS row FROM ONLY public."${name}" x`);
    out.set(name, rows.map(({ row }) => row).sort());
  }
  return out;
}

/** Every view can be read. */
export async function readViews(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'`);
  for (const { name } of rows) await client.query(`SELECT * FROM public."${name}"`);
}

const DEFINITIONS = `
  SELECT 'column ' || c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull::text || ' ' || a.attgenerated::text || a.attidentity::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') AS line
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'c') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || contypid::regtype || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index ' || pg_get_indexdef(indexrelid) FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'view ' || relname || ' ' || pg_get_viewdef(oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'v'
  UNION ALL SELECT 'label ' || enumtypid::regtype || ' ' || enumlabel || ' ' || row_number() OVER (PARTITION BY enumtypid ORDER BY enumsortorder) FROM pg_enum
  UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'domain ' || typname || ' ' || typnotnull::text || ' ' || coalesce(typdefault, '') FROM pg_type WHERE typnamespace = 'public'::regnamespace AND typtype = 'd'
  UNION ALL SELECT 'partition ' || relname || ' ' || pg_get_expr(relpartbound, oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relispartition
  UNION ALL SELECT 'trigger ' || pg_get_triggerdef(oid) || ' ' || tgenabled::text FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'policy ' || polrelid::regclass || ' ' || polname || ' ' || coalesce(pg_get_expr(polqual, polrelid), '') FROM pg_policy
  UNION ALL SELECT 'rule ' || pg_get_ruledef(oid) FROM pg_rewrite WHERE rulename <> '_RETURN' AND ev_class > 16384
  UNION ALL SELECT 'sequence ' || sequencename || ' ' || increment_by || ' ' || start_value FROM pg_sequences WHERE schemaname = 'public'
  UNION ALL SELECT 'inherits ' || inhrelid::regclass || ' ' || inhparent::regclass || ' ' || inhseqno FROM pg_inherits
  UNION ALL SELECT 'comment ' || objoid::regclass || ' ' || objsubid || ' ' || description FROM pg_description WHERE classoid = 'pg_class'::regclass AND objoid > 16384
  ORDER BY 1`;

/** Rows and definitions as one text. */
export async function stateOf(client: Client): Promise<string> {
  const lines: string[] = [];
  for (const [table, rows] of await rowsOf(client)) for (const row of rows) lines.push(`${table} ${row}`);
  const { rows } = await client.query<{ line: string }>(DEFINITIONS);
  return [...lines, ...rows.map(({ line }) => line)].join('\n');
}

/** The first lines that differ. */
export function difference(before: string, after: string): string {
  const [was, is] = [before, after].map((text) => text.split('\n'));
  const gone = was.filter((line) => !is.includes(line)).slice(0, 4);
  const come = is.filter((line) => !was.includes(line)).slice(0, 4);
  return [...gone.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)].join('\n') || 'rows that are alike differ in number';
}
