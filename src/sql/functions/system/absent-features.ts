/**
 * Functions of features that this server does not have: replication with slots and origins, WAL files, backups, recovery, server
 * files, pg_upgrade. They answer as Postgres does with the feature disabled or unused.
 */
import { type ErrorParts, SvcError } from '../../../base/errors/svc-error.ts';
import { lsnNumber } from '../../types/lsn.ts';
import type { Value } from '../../types/value.ts';
import type { FunctionModule, ScalarFunction, SetFunction, SqlFunction } from '../define.ts';
import { columnsFrom } from './view-functions.ts';

type Refusal = (name: string, args: readonly Value[]) => SvcError;

const refusal =
  (code: SvcError['code'], message: string, more: ErrorParts = {}): Refusal =>
  (name, args) =>
    new SvcError(code, message.replace('%n', name).replace('%1', String(args[0])), more);

const SLOTS = refusal('55000', 'replication slots can only be used if max_replication_slots > 0');
const NO_SLOT = refusal('42704', 'replication slot "%1" does not exist');
const DECODING = refusal('55000', 'logical decoding requires wal_level >= logical');
const ORIGINS = refusal('55000', 'cannot query or manipulate replication origin when max_replication_slots = 0');
const NO_ORIGIN = refusal('42704', 'replication origin "%1" does not exist');
const NO_SESSION_ORIGIN = refusal('55000', 'no replication origin is configured');
const RECOVERY = refusal('55000', 'recovery is not in progress', { hint: 'Recovery control functions can only be executed during recovery.' });
const LEVEL = { hint: 'wal_level must be set to "replica" or "logical" at server start.' };
const FILES = refusal('42501', 'permission denied for function %n');
const UPGRADE = refusal('55P02', 'function can only be called when server is in binary upgrade mode');
const TIMES_OFF = refusal('55000', 'could not get commit timestamp data', {
  hint: 'Make sure the configuration parameter "track_commit_timestamp" is set.',
});

interface Refused {
  readonly with: Refusal;
  /** `name(types) -> type`, separated by semicolons; `?` after a name: not strict. */
  readonly functions: string;
}

const REFUSED: readonly Refused[] = [
  { with: SLOTS, functions: 'pg_create_physical_replication_slot(name,bool,bool) -> record' },
  {
    with: NO_SLOT,
    functions: `pg_drop_replication_slot(name) -> void; pg_replication_slot_advance(name,pg_lsn) -> record;
      pg_copy_physical_replication_slot(name,name,bool) -> record; pg_copy_physical_replication_slot(name,name) -> record;
      pg_ls_replslotdir(text) -> record`,
  },
  {
    with: DECODING,
    functions: `pg_create_logical_replication_slot(name,name,bool,bool) -> record; pg_copy_logical_replication_slot(name,name,bool,name) -> record;
      pg_copy_logical_replication_slot(name,name,bool) -> record; pg_copy_logical_replication_slot(name,name) -> record`,
  },
  { with: ORIGINS, functions: 'pg_replication_origin_create(text) -> oid' },
  {
    with: NO_ORIGIN,
    functions: `pg_replication_origin_drop(text) -> void; pg_replication_origin_session_setup(text) -> void;
      pg_replication_origin_advance(text,pg_lsn) -> void; pg_replication_origin_progress(text,bool) -> pg_lsn`,
  },
  {
    with: NO_SESSION_ORIGIN,
    functions: `pg_replication_origin_session_reset() -> void; pg_replication_origin_session_progress(bool) -> pg_lsn;
      pg_replication_origin_xact_setup(pg_lsn,timestamptz) -> void`,
  },
  {
    with: RECOVERY,
    functions: `pg_get_wal_replay_pause_state() -> text; pg_wal_replay_pause() -> void; pg_wal_replay_resume() -> void;
      pg_is_wal_replay_paused() -> bool; pg_promote(bool,int4) -> bool`,
  },
  { with: refusal('55000', 'WAL level not sufficient for making an online backup', LEVEL), functions: 'pg_backup_start(text,bool) -> pg_lsn' },
  { with: refusal('55000', 'backup is not in progress', { hint: 'Did you call pg_backup_start()?' }), functions: 'pg_backup_stop(bool) -> record' },
  { with: refusal('55000', 'WAL level not sufficient for creating a restore point', LEVEL), functions: 'pg_create_restore_point(text) -> pg_lsn' },
  {
    with: FILES,
    functions: `pg_read_file(text) -> text; pg_read_file(text,int8,int8) -> text; pg_read_file(text,int8,int8,bool) -> text;
      pg_read_file_old(text,int8,int8) -> text; pg_read_binary_file(text) -> bytea; pg_read_binary_file(text,int8,int8) -> bytea;
      pg_read_binary_file(text,int8,int8,bool) -> bytea; pg_ls_dir(text) -> text; pg_ls_dir(text,bool,bool) -> text; pg_stat_file(text) -> record;
      pg_stat_file(text,bool) -> record`,
  },
  {
    with: UPGRADE,
    functions: `binary_upgrade_set_record_init_privs(bool) -> void; binary_upgrade_set_missing_value(oid,text,text) -> void;
      binary_upgrade_create_empty_extension?(text,text,bool,text,_oid,_text,_text) -> void; ${[
        'multirange_pg_type_oid',
        'multirange_array_pg_type_oid',
        'heap_relfilenode',
        'index_relfilenode',
        'toast_relfilenode',
        'pg_tablespace_oid',
        'pg_type_oid',
        'array_pg_type_oid',
        'heap_pg_class_oid',
        'index_pg_class_oid',
        'toast_pg_class_oid',
        'pg_enum_oid',
        'pg_authid_oid',
      ]
        .map((each) => `binary_upgrade_set_next_${each}(oid) -> void`)
        .join('; ')}`,
  },
  { with: TIMES_OFF, functions: 'pg_last_committed_xact() -> record; pg_xact_commit_timestamp_origin(xid) -> record' },
  {
    with: refusal('0A000', 'pg_extension_config_dump() can only be called from an SQL script executed by CREATE EXTENSION'),
    functions: 'pg_extension_config_dump(regclass,text) -> void',
  },
  {
    with: refusal('XX000', 'MultiXactId %1 has not been created yet -- apparent wraparound'),
    functions: 'pg_get_multixact_members(xid) -> record',
  },
  { with: refusal('0A000', 'xmlvalidate is not implemented'), functions: 'xmlvalidate(xml,text) -> bool' },
  ...['any', 'trigger', 'anyarray', 'anyrange', 'anyelement', 'anynonarray', 'anyenum', 'anymultirange', 'anycompatible', 'anycompatiblearray'].map(
    (type): Refused => ({
      with: refusal('0A000', `cannot accept a value of type ${type}`),
      functions: `${type}_in${type === 'trigger' ? '?' : ''}(cstring${type.endsWith('range') ? ',oid,int4' : ''}) -> void`,
    }),
  ),
  ...['anycompatiblenonarray', 'anycompatiblerange', 'anycompatiblemultirange'].map((type): Refused => ({
    with: refusal('0A000', `cannot accept a value of type ${type}`),
    functions: `${type}_in(cstring${type.endsWith('range') ? ',oid,int4' : ''}) -> void`,
  })),
  { with: refusal('0A000', 'cannot accept a value of a shell type'), functions: 'shell_in?(cstring) -> void' },
  { with: refusal('0A000', 'input of anonymous composite types is not implemented'), functions: 'record_in(cstring,oid,int4) -> void' },
  ...['check_ins', 'check_upd', ...['cascade', 'restrict', 'setnull', 'setdefault', 'noaction'].flatMap((each) => [`${each}_del`, `${each}_upd`])].map(
    (each): Refused => ({
      with: refusal('39P01', 'function "%n" was not called by trigger manager'),
      functions: `RI_FKey_${each}() -> trigger`,
    }),
  ),
  { with: refusal('39P01', 'function "%n" was not called by trigger manager'), functions: 'unique_key_recheck() -> trigger' },
];

/** Optional trailing arguments. */
const OPTIONAL: Readonly<Record<string, number>> = {
  pg_create_physical_replication_slot: 2,
  pg_create_logical_replication_slot: 2,
  pg_promote: 2,
  pg_backup_start: 1,
  pg_backup_stop: 1,
};

function parsed(text: string): { name: string; loose: boolean; args: string[]; returns: string } {
  const [, name, loose, args, returns] = /^(\w+)(\??)\(([^)]*)\) -> (\w+)$/.exec(text.trim())!;
  return { name, loose: loose === '?', args: args === '' ? [] : args.split(','), returns };
}

/** For those that return a row. */
const COLUMNS: Readonly<Record<string, string>> = {
  pg_replication_slot_advance: 'slot_name name, end_lsn pg_lsn',
  pg_ls_replslotdir: 'name text, size int8, modification timestamptz',
  pg_backup_stop: 'lsn pg_lsn, labelfile text, spcmapfile text',
  pg_stat_file: 'size int8, access timestamptz, modification timestamptz, change timestamptz, creation timestamptz, isdir bool',
  pg_last_committed_xact: 'xid xid, timestamp timestamptz, roident oid',
  pg_xact_commit_timestamp_origin: 'timestamp timestamptz, roident oid',
  pg_get_multixact_members: 'xid xid, mode text',
};

function refused({ with: refuse, functions }: Refused): SqlFunction[] {
  return functions.split(';').map((text): SqlFunction => {
    const { name, loose, args, returns } = parsed(text);
    const result =
      returns === 'record' && name !== 'record_in'
        ? ({ kind: 'set', columns: columnsFrom(COLUMNS[name] ?? 'slot_name name, lsn pg_lsn') } as const)
        : ({ kind: 'scalar' } as const);
    return {
      ...result,
      name,
      args,
      optional: OPTIONAL[name],
      returns,
      volatility: 'volatile',
      strict: !loose,
      doc: 'Refused: the server has this switched off, or has none of it.',
      impl: (...given: Value[]) => {
        throw refuse(name, given);
      },
    };
  });
}

const decoding = (way: 'get' | 'peek', binary: boolean): ScalarFunction => ({
  kind: 'scalar',
  name: `pg_logical_slot_${way}${binary ? '_binary' : ''}_changes`,
  args: ['name', 'pg_lsn', 'int4'],
  variadic: 'text',
  returns: 'record',
  volatility: 'volatile',
  strict: false,
  doc: 'Refused: the log is not decoded.',
  impl: (slot: Value) => {
    throw slot === null ? new SvcError('22004', 'slot name must not be null') : DECODING('', []);
  },
});

const SEGMENT_BYTES = 16n * 1024n * 1024n;
const SEGMENTS_PER_NAME = 0x100000000n / SEGMENT_BYTES;

/** On timeline 1. A position at the start of a segment belongs to the one before. */
function segmentName(number: bigint): string {
  const hex = (value: bigint): string => value.toString(16).toUpperCase().padStart(8, '0');
  return `00000001${hex(number / SEGMENTS_PER_NAME)}${hex(number % SEGMENTS_PER_NAME)}`;
}

function segmentBefore(lsn: string): bigint {
  return BigInt.asUintN(64, lsnNumber(lsn) - 1n) / SEGMENT_BYTES;
}

interface Constant {
  readonly signature: string;
  readonly doc: string;
  readonly value: Value;
}

const CONSTANTS: readonly Constant[] = [
  { signature: 'pg_switch_wal() -> pg_lsn', doc: 'Log position: always 0/0.', value: '0/0' },
  { signature: 'pg_current_wal_flush_lsn() -> pg_lsn', doc: 'Log position: always 0/0.', value: '0/0' },
  { signature: 'pg_logical_emit_message(bool,text,text) -> pg_lsn', doc: 'No effect, since there is no logical decoding; always 0/0.', value: '0/0' },
  { signature: 'pg_logical_emit_message(bool,text,bytea) -> pg_lsn', doc: 'No effect, since there is no logical decoding; always 0/0.', value: '0/0' },
  { signature: 'pg_replication_origin_oid(text) -> oid', doc: 'Null: there are no origins.', value: null },
  { signature: 'pg_replication_origin_session_is_setup() -> bool', doc: 'False: there are no origins.', value: false },
  { signature: 'pg_replication_origin_xact_reset() -> void', doc: 'Does nothing.', value: '' },
  { signature: 'pg_current_logfile() -> text', doc: 'Null: no file of messages is kept.', value: null },
  { signature: 'pg_import_system_collations(regnamespace) -> int4', doc: '0: all collations are there.', value: 0 },
];

/** No rows: there are no such objects. */
const EMPTY: readonly (readonly [signature: string, columns: string])[] = [
  [
    'pg_get_replication_slots()',
    'slot_name name, plugin name, slot_type text, datoid oid, temporary bool, active bool, active_pid int4, xmin xid, catalog_xmin xid, restart_lsn pg_lsn, confirmed_flush_lsn pg_lsn, wal_status text, safe_wal_size int8, two_phase bool',
  ],
  ['pg_show_replication_origin_status()', 'local_id oid, external_id text, remote_lsn pg_lsn, local_lsn pg_lsn'],
  [
    'pg_stat_get_wal_senders()',
    'pid int4, state text, sent_lsn pg_lsn, write_lsn pg_lsn, flush_lsn pg_lsn, replay_lsn pg_lsn, write_lag interval, flush_lag interval, replay_lag interval, sync_priority int4, sync_state text, reply_time timestamptz',
  ],
  [
    'pg_stat_get_subscription?(oid)',
    'subid oid, relid oid, pid int4, received_lsn pg_lsn, last_msg_send_time timestamptz, last_msg_receipt_time timestamptz, latest_end_lsn pg_lsn, latest_end_time timestamptz',
  ],
  ['pg_get_wal_resource_managers()', 'rm_id int4, rm_name text, rm_builtin bool'],
  ['pg_prepared_xact()', 'transaction xid, gid text, prepared timestamptz, ownerid oid, dbid oid'],
  ['pg_show_all_file_settings()', 'sourcefile text, sourceline int4, seqno int4, name text, setting text, applied bool, error text'],
  [
    'pg_hba_file_rules()',
    'line_number int4, type text, database _text, user_name _text, address text, netmask text, auth_method text, options _text, error text',
  ],
  ['pg_ident_file_mappings()', 'line_number int4, map_name text, sys_name text, pg_username text, error text'],
  [
    'pg_get_backend_memory_contexts()',
    'name text, ident text, parent text, level int4, total_bytes int8, total_nblocks int8, free_bytes int8, free_chunks int8, used_bytes int8',
  ],
  ['pg_get_shmem_allocations()', 'name text, off int8, size int8, allocated_size int8'],
  [
    'pg_stat_get_slru()',
    'name text, blks_zeroed int8, blks_hit int8, blks_read int8, blks_written int8, blks_exists int8, flushes int8, truncates int8, stats_reset timestamptz',
  ],
  ['pg_config()', 'name text, setting text'],
  ...[
    'pg_ls_logdir()',
    'pg_ls_waldir()',
    'pg_ls_tmpdir()',
    'pg_ls_tmpdir(oid)',
    'pg_ls_archive_statusdir()',
    'pg_ls_logicalsnapdir()',
    'pg_ls_logicalmapdir()',
  ].map((each) => [each, 'name text, size int8, modification timestamptz'] as const),
];

/** One row of constants: nothing is counted. */
const ROWS: readonly (readonly [signature: string, columns: string, row: (args: readonly Value[]) => Value[]])[] = [
  [
    'pg_stat_get_archiver()',
    'archived_count int8, last_archived_wal text, last_archived_time timestamptz, failed_count int8, last_failed_wal text, last_failed_time timestamptz, stats_reset timestamptz',
    () => [0, null, null, 0, null, null, null],
  ],
  [
    'pg_stat_get_wal_receiver()',
    'pid int4, status text, receive_start_lsn pg_lsn, receive_start_tli int4, written_lsn pg_lsn, flushed_lsn pg_lsn, received_tli int4, last_msg_send_time timestamptz, last_msg_receipt_time timestamptz, latest_end_lsn pg_lsn, latest_end_time timestamptz, slot_name text, sender_host text, sender_port int4, conninfo text',
    () => new Array<Value>(15).fill(null),
  ],
  [
    'pg_stat_get_replication_slot(text)',
    'slot_name text, spill_txns int8, spill_count int8, spill_bytes int8, stream_txns int8, stream_count int8, stream_bytes int8, total_txns int8, total_bytes int8, stats_reset timestamptz',
    ([name]) => [name, 0, 0, 0, 0, 0, 0, 0, 0, null],
  ],
  ['pg_stat_get_subscription_stats(oid)', 'subid oid, apply_error_count int8, sync_error_count int8, stats_reset timestamptz', ([oid]) => [oid, 0, 0, null]],
  [
    'pg_control_recovery()',
    'min_recovery_end_lsn pg_lsn, min_recovery_end_timeline int4, backup_start_lsn pg_lsn, backup_end_lsn pg_lsn, end_of_backup_record_required bool',
    () => ['0/0', 0, '0/0', '0/0', false],
  ],
  [
    'pg_control_init()',
    'max_data_alignment int4, database_block_size int4, blocks_per_segment int4, wal_block_size int4, bytes_per_wal_segment int4, max_identifier_length int4, max_index_columns int4, max_toast_chunk_size int4, large_object_chunk_size int4, float8_pass_by_value bool, data_page_checksum_version int4',
    () => [8, 8192, 131072, 8192, 16777216, 64, 32, 1996, 2048, true, 0],
  ],
  [
    'pg_stat_get_recovery_prefetch()',
    'stats_reset timestamptz, prefetch int8, hit int8, skip_init int8, skip_new int8, skip_fpw int8, skip_rep int8, wal_distance int4, block_distance int4, io_depth int4',
    () => [null, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  ],
  [
    'pg_walfile_name_offset(pg_lsn)',
    'file_name text, file_offset int4',
    ([lsn]) => [segmentName(segmentBefore(lsn as string)), Number(lsnNumber(lsn as string) % SEGMENT_BYTES)],
  ],
];

function rows(signature: string, columns: string, doc: string, impl: SetFunction['impl']): SetFunction {
  const { name, loose, args } = parsed(`${signature} -> record`);
  return { kind: 'set', name, args, returns: 'record', volatility: 'volatile', strict: !loose, columns: columnsFrom(columns), doc, impl };
}

const PROGRESS = new Set(['VACUUM', 'ANALYZE', 'CLUSTER', 'CREATE INDEX', 'BASEBACKUP', 'COPY']);
const STATISTICS_KINDS = new Set(['database', 'relation', 'function', 'replslot', 'subscription', 'archiver', 'bgwriter', 'checkpointer', 'slru', 'wal']);
const FORMATS = new Set(['stderr', 'csvlog', 'jsonlog']);

const OTHERS: readonly SqlFunction[] = [
  ...(
    [
      ['get', false],
      ['get', true],
      ['peek', false],
      ['peek', true],
    ] as const
  ).map(([way, binary]) => decoding(way, binary)),
  rows(
    'pg_stat_get_progress_info(text)',
    `pid int4, datid oid, relid oid, ${Array.from({ length: 20 }, (_, i) => `param${i + 1} int8`).join(', ')}`,
    'No rows: progress is not reported.',
    (command: string) => {
      if (!PROGRESS.has(command.toUpperCase())) throw new SvcError('22023', `invalid command name: "${command}"`);
      return [];
    },
  ),
  {
    kind: 'scalar',
    name: 'pg_walfile_name',
    args: ['pg_lsn'],
    returns: 'text',
    doc: 'Name of the file that Postgres would keep a place of the log in.',
    impl: (lsn: string) => segmentName(segmentBefore(lsn)),
  },
  {
    kind: 'scalar',
    name: 'pg_current_logfile',
    args: ['text'],
    returns: 'text',
    volatility: 'volatile',
    strict: false,
    doc: 'Null: no file of messages is kept.',
    impl: (format: string | null) => {
      if (format === null || FORMATS.has(format)) return null;
      throw new SvcError('22023', `log format "${format}" is not supported`, { hint: 'The supported log formats are "stderr", "csvlog", and "jsonlog".' });
    },
  },
  {
    kind: 'scalar',
    name: 'pg_stat_have_stats',
    args: ['text', 'oid', 'oid'],
    returns: 'bool',
    volatility: 'volatile',
    doc: 'False: use is not counted.',
    impl: (kind: string) => {
      if (!STATISTICS_KINDS.has(kind)) throw new SvcError('22023', `invalid statistics kind: "${kind}"`);
      return false;
    },
  },
];

export const absentFeatures: FunctionModule = {
  behind: [
    ...REFUSED.flatMap(refused),
    ...CONSTANTS.map(({ signature, doc, value }): ScalarFunction => {
      const { name, loose, args, returns } = parsed(signature);
      return { kind: 'scalar', name, args, returns, volatility: 'volatile', strict: !loose, doc, impl: () => value };
    }),
    ...EMPTY.map(([signature, columns]) => rows(signature, columns, 'No rows: there is nothing of the kind.', () => [])),
    ...ROWS.map(([signature, columns, row]) => rows(signature, columns, 'One row: use is not counted.', (...args: Value[]) => [row(args)])),
    ...OTHERS,
  ],
};
