/**
 * Writes what Postgres says of its system views, collations, schemas, languages and settings into src/sql/catalog/data:
 *
 *     npx tsc -p test/slt/tsconfig.json && node dist/test/sql/catalog/extract-definitions.js postgres://postgres@127.0.0.1:5432/postgres
 *
 * Facts only, run by hand against a fresh cluster made with `initdb --locale=C -E UTF8`. Any target of the SQL test tools does.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../slt/corpora.ts';
import { openTarget } from '../../slt/open-target.ts';

/** What sessions set, show or ask for; and what clients read at connect. */
const SETTINGS =
  `application_name array_nulls backslash_quote block_size bytea_output check_function_bodies client_connection_check_interval client_encoding client_min_messages
  commit_delay cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost cursor_tuple_fraction data_checksums DateStyle deadlock_timeout debug_assertions default_statistics_target
  default_table_access_method default_tablespace default_text_search_config default_toast_compression default_transaction_deferrable default_transaction_isolation
  default_transaction_read_only effective_cache_size effective_io_concurrency enable_async_append enable_bitmapscan enable_gathermerge enable_hashagg enable_hashjoin
  enable_incremental_sort enable_indexonlyscan enable_indexscan enable_material enable_memoize enable_mergejoin enable_nestloop enable_parallel_append enable_parallel_hash
  enable_partition_pruning enable_partitionwise_aggregate enable_partitionwise_join enable_seqscan enable_sort enable_tidscan escape_string_warning exit_on_error
  extra_float_digits from_collapse_limit geqo gin_fuzzy_search_limit hash_mem_multiplier hot_standby idle_in_transaction_session_timeout idle_session_timeout in_hot_standby
  integer_datetimes IntervalStyle jit join_collapse_limit lc_collate lc_ctype lc_messages lc_monetary lc_numeric lc_time listen_addresses lo_compat_privileges lock_timeout
  log_min_duration_statement log_statement logical_decoding_work_mem maintenance_work_mem max_connections max_identifier_length max_index_keys max_function_args
  max_parallel_workers max_parallel_workers_per_gather max_prepared_transactions max_stack_depth parallel_setup_cost parallel_tuple_cost plan_cache_mode port
  quote_all_identifiers random_page_cost row_security search_path seq_page_cost server_encoding server_version server_version_num session_replication_role shared_buffers
  ssl standard_conforming_strings statement_timeout synchronous_commit synchronize_seqscans tcp_keepalives_idle temp_buffers temp_tablespaces TimeZone timezone_abbreviations
  trace_notify transaction_deferrable transaction_isolation transaction_read_only transform_null_equals wal_level work_mem xmlbinary xmloption`.split(/\s+/);

const target = await openTarget(process.argv[2] ?? 'pglite');
const folder = join(projectFolder(), 'src/sql/catalog/data');
const [[{ rows }]] = [await target.run('SHOW server_version')];
const release = /^\d+/.exec(rows[0][0] ?? '')?.[0] ?? '';

/** Rows of texts; `|` between fields, `~` for null. No fact holds either. */
async function lines(sql: string): Promise<string[]> {
  const [found] = await target.run(sql);
  return found.rows.map((row) => row.map((value) => value ?? '~').join('|'));
}

function write(file: string, parts: readonly { name: string; doc: string; lines: readonly string[] }[]): void {
  const out = [`/** Read from the catalogs of PostgreSQL ${release} by test/sql/catalog/extract-definitions.ts; not written by hand. */`];
  for (const { name, doc, lines: all } of parts) {
    const text = all.join('\n').replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('${', '\\${');
    out.push('', `/** ${doc} */`, `export const ${name} = \`${text}\`;`);
  }
  writeFileSync(join(folder, file), `${out.join('\n')}\n`);
}

/** Each view as a line `= name` and, below it, its text. */
async function views(schema: string): Promise<string[]> {
  const [found] = await target.run(`SELECT relname, pg_get_viewdef(c.oid) FROM pg_class c WHERE relkind = 'v' AND relnamespace = '${schema}'::regnamespace
    AND relname NOT LIKE 'pg\\_stat%\\_%' ORDER BY relname COLLATE "C"`);
  return found.rows.flatMap(([name, text]) => [`= ${name}`, ...(text ?? '').split('\n')]);
}

write('views.ts', [
  {
    name: 'CATALOG_VIEWS',
    doc: 'Views of pg_catalog but the statistics: a line of `= name`, then the lines of pg_get_viewdef',
    lines: await views('pg_catalog'),
  },
  { name: 'INFORMATION_SCHEMA_VIEWS', doc: 'Views of information_schema, likewise', lines: await views('information_schema') },
]);

write('fixed-objects.ts', [
  {
    name: 'NAMESPACES',
    doc: 'oid|name',
    lines: await lines(`SELECT oid, nspname FROM pg_namespace WHERE nspname <> 'pg_toast' AND nspname NOT LIKE 'pg\\_%temp\\_%' ORDER BY oid`),
  },
  {
    name: 'COLLATIONS',
    doc: 'oid|name|schema oid|provider|deterministic|encoding|collate|ctype, ~ for null',
    lines: await lines(`SELECT oid, collname, collnamespace, collprovider, collisdeterministic, collencoding, collcollate, collctype FROM pg_collation
      WHERE collname IN ('default', 'C', 'POSIX', 'ucs_basic') ORDER BY oid`),
  },
  { name: 'LANGUAGES', doc: 'oid|name|procedural|trusted', lines: await lines(`SELECT oid, lanname, lanispl, lanpltrusted FROM pg_language ORDER BY oid`) },
  {
    name: 'DOMAINS',
    doc: 'Domains of information_schema: oid|oid of its array|name|oid of the base type|typmod|not null|default|check, ~ for null',
    lines:
      await lines(`SELECT oid, typarray, typname, typbasetype, typtypmod, typnotnull, typdefault, (SELECT replace(pg_get_constraintdef(oid), '|', '/') FROM pg_constraint WHERE contypid = t.oid AND contype = 'c')
      FROM pg_type t WHERE typtype = 'd' AND typnamespace = 'information_schema'::regnamespace ORDER BY oid`),
  },
  {
    name: 'RANGES',
    doc: 'range type oid|its name|subtype oid|multirange oid|its name',
    lines: await lines(`SELECT rngtypid, rngtypid::regtype, rngsubtype, rngmultitypid, rngmultitypid::regtype FROM pg_range ORDER BY pg_range.rngtypid`),
  },
]);

write('setting-values.ts', [
  {
    name: 'SETTING_VALUES',
    doc: 'name|value of a fresh cluster, in the unit of the setting; ~ for null',
    lines: await lines(
      `SELECT name, coalesce(reset_val, setting) FROM pg_settings WHERE name = ANY (string_to_array('${SETTINGS.join(',')}', ',')) ORDER BY lower(name) COLLATE "C"`,
    ),
  },
]);

await target.close();
