/** The functions behind Postgres's system views: here they read the views. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction, SetFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

/** `name type, name type`. */
export function columnsFrom(text: string): { name: string; type: string }[] {
  return text.split(', ').map((each) => {
    const [name, type] = each.split(' ');
    return { name, type };
  });
}

const BACKENDS = 'pg_catalog.pg_stat_activity ORDER BY pid';
const ACTIVITY = `datid oid, pid int4, usesysid oid, application_name text, state text, query text, wait_event_type text, wait_event text, xact_start timestamptz, query_start timestamptz, backend_start timestamptz, state_change timestamptz, client_addr inet, client_hostname text, client_port int4, backend_xid xid, backend_xmin xid, backend_type text`;
const SECURITY = `ssl bool, sslversion text, sslcipher text, sslbits int4, ssl_client_dn text, ssl_client_serial numeric, ssl_issuer_dn text, gss_auth bool, gss_princ text, gss_enc bool, leader_pid int4, query_id int8`;
/** Columns as in the views. */
const SECURITY_COLUMNS = 'ssl, version, cipher, bits, client_dn, client_serial, issuer_dn, gss_authenticated, principal, encrypted, leader_pid, query_id';

const VIEWS: readonly (readonly [name: string, view: string, columns: string])[] = [
  [
    'pg_lock_status',
    'pg_locks',
    'locktype text, database oid, relation oid, page int4, tuple int2, virtualxid text, transactionid xid, classid oid, objid oid, objsubid int2, virtualtransaction text, pid int4, mode text, granted bool, fastpath bool, waitstart timestamptz',
  ],
  [
    'pg_prepared_statement',
    'pg_prepared_statements',
    'name text, statement text, prepare_time timestamptz, parameter_types _regtype, from_sql bool, generic_plans int8, custom_plans int8',
  ],
  ['pg_cursor', 'pg_cursors', 'name text, statement text, is_holdable bool, is_binary bool, is_scrollable bool, creation_time timestamptz'],
];

function rowsOf(call: Call, query: string): Value[][] {
  return systemOf(call)
    .queryRows(query)
    .rows.map((row) => [...row]);
}

function first(call: Call, query: string): Value {
  return systemOf(call).queryRows(query).rows[0]?.[0] ?? null;
}

const read = (name: string, args: readonly string[], returns: string, doc: string, impl: (call: Call, ...args: never[]) => Value): ScalarFunction => ({
  kind: 'scalar',
  name,
  args,
  returns,
  volatility: 'volatile',
  needsCall: true,
  doc,
  impl: impl as ScalarFunction['impl'],
});

const set = (
  name: string,
  args: readonly string[],
  columns: string,
  doc: string, // oxlint-disable-next-line no-explicit-any
  impl: (call: Call, ...args: any[]) => Value[][],
): SetFunction => ({
  kind: 'set',
  name,
  args,
  returns: 'record',
  volatility: 'volatile',
  strict: false,
  needsCall: true,
  columns: columnsFrom(columns),
  doc,
  impl,
});

/** For the n-th session by number. */
const BACKEND: readonly (readonly [name: string, column: string, type: string])[] = [
  ['activity', 'query', 'text'],
  ['activity_start', 'query_start', 'timestamptz'],
  ['client_addr', 'client_addr', 'inet'],
  ['client_port', 'client_port', 'int4'],
  ['dbid', 'datid', 'oid'],
  ['pid', 'pid', 'int4'],
  ['start', 'backend_start', 'timestamptz'],
  ['userid', 'usesysid', 'oid'],
  ['wait_event', 'wait_event', 'text'],
  ['wait_event_type', 'wait_event_type', 'text'],
  ['xact_start', 'xact_start', 'timestamptz'],
];

function indexOnly(call: Call, oid: number, method: 'brin' | 'gin'): void {
  const system = systemOf(call);
  const name = system.relationName(oid);
  if (name === null) throw new SvcError('42P01', `could not open relation with OID ${oid}`);
  const [found] = rowsOf(
    call,
    `SELECT a.amname FROM pg_catalog.pg_class c LEFT JOIN pg_catalog.pg_am a ON a.oid = c.relam WHERE c.oid = ${oid} AND c.relkind = 'i'`,
  );
  if (found === undefined) throw new SvcError('42809', `"${name}" is not an index`);
  if (found[0] !== method) throw new SvcError('42809', `"${name}" is not a ${method.toUpperCase()} index`);
}

function lastValue(call: Call, oid: number): Value {
  const system = systemOf(call);
  const name = system.relationName(oid);
  if (system.definitions.sequence(oid) === null) throw new SvcError('42809', `"${name ?? oid}" is not a sequence`);
  return first(call, `SELECT CASE WHEN is_called THEN last_value END FROM ${name}`);
}

/** Flags of settings that appear nowhere else: in postgresql.conf.sample, in EXPLAIN (SETTINGS), in RESET ALL. */
const EXPLAINED = new Set(
  `constraint_exclusion cpu_index_tuple_cost cpu_operator_cost cpu_tuple_cost cursor_tuple_fraction effective_cache_size effective_io_concurrency
  enable_async_append enable_bitmapscan enable_gathermerge enable_hashagg enable_hashjoin enable_incremental_sort enable_indexonlyscan enable_indexscan
  enable_material enable_memoize enable_mergejoin enable_nestloop enable_parallel_append enable_parallel_hash enable_partition_pruning
  enable_partitionwise_aggregate enable_partitionwise_join enable_seqscan enable_sort enable_tidscan force_parallel_mode from_collapse_limit geqo
  geqo_effort geqo_generations geqo_pool_size geqo_seed geqo_selection_bias geqo_threshold hash_mem_multiplier jit jit_above_cost
  jit_inline_above_cost jit_optimize_above_cost join_collapse_limit maintenance_io_concurrency max_parallel_workers max_parallel_workers_per_gather
  min_parallel_index_scan_size min_parallel_table_scan_size parallel_leader_participation parallel_setup_cost parallel_tuple_cost plan_cache_mode
  random_page_cost recursive_worktable_factor search_path seq_page_cost temp_buffers work_mem`.split(/\s+/),
);
const NOT_IN_SAMPLE = new Set(
  `allow_in_place_tablespaces allow_system_table_mods application_name backtrace_functions block_size data_checksums data_directory_mode
  debug_assertions debug_discard_caches force_parallel_mode ignore_checksum_failure ignore_invalid_pages ignore_system_indexes in_hot_standby
  integer_datetimes jit_debugging_support jit_dump_bitcode jit_expressions jit_profiling_support jit_tuple_deforming lc_collate lc_ctype
  max_function_args max_identifier_length max_index_keys post_auth_delay pre_auth_delay remove_temp_files_after_crash
  restrict_nonsystem_relation_kind segment_size server_encoding server_version server_version_num shared_memory_size
  shared_memory_size_in_huge_pages ssl_library trace_notify trace_recovery_messages trace_sort transaction_deferrable transaction_isolation
  transaction_read_only wal_block_size wal_consistency_checking wal_segment_size zero_damaged_pages`.split(/\s+/),
);
const NO_RESET_ALL = new Set(['transaction_deferrable', 'transaction_isolation', 'transaction_read_only']);
const RUNTIME_COMPUTED = new Set(['data_checksums', 'data_directory_mode', 'shared_memory_size', 'shared_memory_size_in_huge_pages', 'wal_segment_size']);

function flagsOf(call: Call, given: string): Value {
  const name = given.toLowerCase();
  if (![...systemOf(call).settings()].some((each) => each.name.toLowerCase() === name)) return null;
  const flags: string[] = [];
  if (EXPLAINED.has(name)) flags.push('EXPLAIN');
  if (NO_RESET_ALL.has(name)) flags.push('NO_RESET_ALL');
  if (NOT_IN_SAMPLE.has(name)) flags.push('NOT_IN_SAMPLE');
  if (RUNTIME_COMPUTED.has(name)) flags.push('RUNTIME_COMPUTED');
  return new ArrayValue(flags);
}

const BTREE = 403;
const PHASES = ['initializing', 'scanning table', 'sorting live tuples', 'sorting dead tuples', 'loading tuples in tree'];

function refuseUnknownFunction(call: Call, oid: number): Value {
  if (systemOf(call).functionName(oid) === null) throw new SvcError('42883', `function with OID ${oid} does not exist`);
  return '';
}

export const viewFunctions: FunctionModule = {
  behind: [
    ...VIEWS.map(([name, view, columns]) => set(name, [], columns, `What ${view} shows.`, (call) => rowsOf(call, `SELECT * FROM pg_catalog.${view}`))),
    set('pg_available_extensions', [], 'name name, default_version text, comment text', 'Extensions that CREATE EXTENSION knows.', (call) =>
      rowsOf(call, 'SELECT name, default_version, comment FROM pg_catalog.pg_available_extensions'),
    ),
    set(
      'pg_available_extension_versions',
      [],
      'name name, version text, superuser bool, trusted bool, relocatable bool, schema name, requires _name, comment text',
      'Extensions that CREATE EXTENSION knows, by versions.',
      (call) =>
        rowsOf(call, 'SELECT name, version, superuser, trusted, relocatable, schema, requires, comment FROM pg_catalog.pg_available_extension_versions'),
    ),
    {
      ...set('pg_extension_update_paths', ['name'], 'source name, target name, path text', 'No rows: there is one version of each.', (call, name: string) => {
        const [known] = rowsOf(call, 'SELECT array_agg(name) FROM pg_catalog.pg_available_extensions');
        if (!(known[0] as ArrayValue).elements.includes(name)) throw new SvcError('0A000', `extension "${name}" is not available`);
        return [];
      }),
      strict: true,
    },
    set('pg_stat_get_activity', ['int4'], `${ACTIVITY}, ${SECURITY}`, 'Sessions as pg_stat_activity shows them, or one of them.', (call, pid: number | null) =>
      rowsOf(
        call,
        `SELECT ${columnsFrom(ACTIVITY)
          .map(({ name }) => name)
          .join(', ')}, ${SECURITY_COLUMNS}
          FROM pg_catalog.pg_stat_activity LEFT JOIN pg_catalog.pg_stat_ssl USING (pid) LEFT JOIN pg_catalog.pg_stat_gssapi USING (pid)${pid === null ? '' : ` WHERE pid = ${pid}`}`,
      ),
    ),
    ...BACKEND.map(([name, column, type]) =>
      read(`pg_stat_get_backend_${name}`, ['int4'], type, 'Of a session by its place among all of them.', (call, place: number) =>
        place < 1 ? null : first(call, `SELECT ${column} FROM ${BACKENDS} OFFSET ${place - 1} LIMIT 1`),
      ),
    ),
    {
      kind: 'set',
      name: 'pg_stat_get_backend_idset',
      args: [],
      returns: 'int4',
      volatility: 'volatile',
      needsCall: true,
      doc: 'Places of the sessions.',
      impl: (call: Call) => rowsOf(call, `SELECT pid FROM ${BACKENDS}`).map((_, i) => i + 1),
    },
    {
      ...read('current_query', [], 'text', 'The text of the statement that is running.', (call) =>
        first(call, `SELECT query FROM pg_catalog.pg_stat_activity WHERE pid = ${systemOf(call).backendPid}`),
      ),
      strict: false,
    },
    read('pg_sequence_last_value', ['regclass'], 'int8', 'The value that a sequence gave last; null where it gave none.', lastValue),
    read(
      'brin_summarize_new_values',
      ['regclass'],
      'int4',
      '0: indexes of this kind are always complete.',
      (call, oid: number) => (indexOnly(call, oid, 'brin'), 0),
    ),
    read(
      'brin_summarize_range',
      ['regclass', 'int8'],
      'int4',
      '0: indexes of this kind are always complete.',
      (call, oid: number) => (indexOnly(call, oid, 'brin'), 0),
    ),
    read('brin_desummarize_range', ['regclass', 'int8'], 'void', 'Does nothing.', (call, oid: number) => (indexOnly(call, oid, 'brin'), '')),
    read('gin_clean_pending_list', ['regclass'], 'int8', '0: nothing is pending.', (call, oid: number) => (indexOnly(call, oid, 'gin'), 0)),
    { ...read('pg_settings_get_flags', ['text'], '_text', 'What is special about a setting; null where there is none.', flagsOf), volatility: 'stable' },
    read('pg_safe_snapshot_blocking_pids', ['int4'], '_int4', 'Always empty: snapshots are always safe.', () => new ArrayValue([])),
    read(
      'pg_isolation_test_session_is_blocked',
      ['int4', '_int4'],
      'bool',
      'Whether a session waits for one of some others.',
      (call, pid: number, by: ArrayValue) =>
        systemOf(call)
          .blockingPids(pid)
          .some((each) => by.elements.includes(each)),
    ),
    ...['fmgr_internal_validator', 'fmgr_c_validator', 'fmgr_sql_validator', 'plpgsql_validator'].map((name) =>
      read(name, ['oid'], 'void', 'Functions are checked when they are made.', refuseUnknownFunction),
    ),
    {
      kind: 'scalar',
      name: 'pg_indexam_progress_phasename',
      args: ['oid', 'int8'],
      returns: 'text',
      doc: 'Name of a phase of building an index.',
      impl: (method: number, phase: number) => (method === BTREE ? (PHASES[Number(phase) - 1] ?? null) : null),
    },
    ...['btequalimage', 'btvarstrequalimage'].map((name): ScalarFunction => ({
      kind: 'scalar',
      name,
      args: ['oid'],
      returns: 'bool',
      doc: 'Whether equal values have equal images: always.',
      impl: () => true,
    })),
  ],
};
