/** Usage statistics by object, database and server (manual, section 28.2): what is not counted is 0, and times are null. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { DatabaseActivity } from '../../types/environment.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

interface Family {
  readonly args: readonly string[];
  readonly returns: string;
  readonly volatility: 'stable' | 'volatile';
  readonly value: Value;
  /** Without `pg_stat_get_`. */
  readonly names: string;
}

const FAMILIES: readonly Family[] = [
  {
    args: ['oid'],
    returns: 'int8',
    volatility: 'stable',
    value: 0,
    names: `db_blocks_fetched db_blocks_hit db_checksum_failures db_conflict_all db_conflict_bufferpin db_conflict_lock db_conflict_snapshot
      db_conflict_startup_deadlock db_conflict_tablespace db_sessions db_sessions_abandoned db_sessions_fatal db_sessions_killed
      db_temp_bytes db_tuples_fetched db_tuples_returned`,
  },
  {
    args: ['oid'],
    returns: 'float8',
    volatility: 'stable',
    value: 0,
    names: 'db_active_time db_blk_read_time db_blk_write_time db_idle_in_transaction_time db_session_time',
  },
  { args: ['oid'], returns: 'int4', volatility: 'stable', value: 0, names: 'db_numbackends' },
  { args: ['oid'], returns: 'timestamptz', volatility: 'stable', value: null, names: 'db_checksum_last_failure' },
  { args: ['oid'], returns: 'int8', volatility: 'stable', value: null, names: 'function_calls' },
  { args: ['oid'], returns: 'float8', volatility: 'stable', value: null, names: 'function_self_time function_total_time' },
  {
    args: ['oid'],
    returns: 'int8',
    volatility: 'volatile',
    value: 0,
    names: `xact_blocks_fetched xact_blocks_hit xact_numscans xact_tuples_deleted xact_tuples_fetched xact_tuples_hot_updated xact_tuples_inserted
      xact_tuples_returned xact_tuples_updated`,
  },
  { args: ['oid'], returns: 'int8', volatility: 'volatile', value: null, names: 'xact_function_calls' },
  { args: ['oid'], returns: 'float8', volatility: 'volatile', value: null, names: 'xact_function_self_time xact_function_total_time' },
  {
    args: [],
    returns: 'int8',
    volatility: 'stable',
    value: 0,
    names: `bgwriter_buf_written_checkpoints bgwriter_buf_written_clean bgwriter_maxwritten_clean bgwriter_requested_checkpoints
      bgwriter_timed_checkpoints buf_alloc buf_fsync_backend buf_written_backend`,
  },
  { args: [], returns: 'float8', volatility: 'stable', value: 0, names: 'checkpoint_sync_time checkpoint_write_time' },
  { args: [], returns: 'timestamptz', volatility: 'stable', value: null, names: 'bgwriter_stat_reset_time snapshot_timestamp' },
];

/** Counters of databases, without `pg_stat_get_db_`. */
const COUNTED: readonly (readonly [name: string, value: keyof DatabaseActivity, doc: string])[] = [
  ['xact_commit', 'commits', 'Committed transactions of a database, since the server started.'],
  ['xact_rollback', 'rollbacks', 'Transactions of a database that were rolled back, since the server started.'],
  ['tuples_inserted', 'inserted', 'Rows inserted in a database, since the server started.'],
  ['tuples_updated', 'updated', 'Rows updated in a database, since the server started.'],
  ['tuples_deleted', 'deleted', 'Rows deleted in a database, since the server started.'],
  ['deadlocks', 'deadlocks', 'Deadlocks in a database, since the server started.'],
  ['temp_files', 'temporaryFiles', 'Temporary files of statements in a database, since the server started.'],
];

const RESETS: readonly (readonly [name: string, ...args: string[]])[] = [
  ['pg_stat_reset_shared', 'text'],
  ['pg_stat_reset_single_table_counters', 'oid'],
  ['pg_stat_reset_single_function_counters', 'oid'],
  ['pg_stat_reset_slru', 'text'],
  ['pg_stat_reset_replication_slot', 'text'],
  ['pg_stat_reset_subscription_stats', 'oid'],
  ['pg_stat_force_next_flush'],
];

export const statisticFunctions: FunctionModule = {
  functions: [
    ...FAMILIES.flatMap(({ args, returns, volatility, value, names }) =>
      names.split(/\s+/).map((name): ScalarFunction => ({
        kind: 'scalar',
        name: `pg_stat_get_${name}`,
        args,
        returns,
        volatility,
        doc: value === null ? 'Null: use is not counted.' : '0: use is not counted.',
        impl: () => value,
      })),
    ),
    ...COUNTED.map(([name, value, doc]): ScalarFunction => ({
      kind: 'scalar',
      name: `pg_stat_get_db_${name}`,
      args: ['oid'],
      returns: 'int8',
      volatility: 'stable',
      needsCall: true,
      doc,
      impl: (call: Call, oid: number) => systemOf(call).databaseActivity(oid)?.[value] ?? 0,
    })),
    {
      kind: 'scalar',
      name: 'pg_stat_get_db_stat_reset_time',
      args: ['oid'],
      returns: 'timestamptz',
      volatility: 'stable',
      needsCall: true,
      doc: 'When counters of a database were reset.',
      impl: (call: Call, oid: number) => systemOf(call).databaseActivity(oid)?.resetAt ?? null,
    },
    {
      kind: 'scalar',
      name: 'pg_stat_reset',
      args: [],
      returns: 'void',
      volatility: 'volatile',
      strict: false,
      needsCall: true,
      doc: 'Resets the counters of the database.',
      impl: (call: Call) => {
        systemOf(call).resetActivity();
        return '';
      },
    },
    ...RESETS.map(([name, ...args]): ScalarFunction => ({
      kind: 'scalar',
      name,
      args,
      returns: 'void',
      volatility: 'volatile',
      strict: args[0] === 'oid' && name.includes('single'),
      doc: 'Does nothing: use is not counted.',
      impl: () => '',
    })),
    {
      kind: 'scalar',
      name: 'pg_notification_queue_usage',
      args: [],
      returns: 'float8',
      volatility: 'volatile',
      doc: '0: notifications are not kept back.',
      impl: () => 0,
    },
    {
      kind: 'scalar',
      name: 'pg_column_compression',
      args: ['any'],
      returns: 'text',
      volatility: 'stable',
      doc: 'Null: values are not compressed one by one.',
      impl: () => null,
    },
    {
      kind: 'scalar',
      name: 'pg_filenode_relation',
      args: ['oid', 'oid'],
      returns: 'regclass',
      volatility: 'stable',
      needsCall: true,
      doc: 'The relation of a number that pg_relation_filenode gives.',
      impl: (call: Call, _tablespace: number, node: number) => (systemOf(call).definitions.relationKind(node) === null ? null : node),
    },
    ...[[], ['int4'], ['name']].map((more): ScalarFunction => ({
      kind: 'scalar',
      name: 'to_ascii',
      args: ['text', ...more],
      returns: 'text',
      doc: 'Refused, as where texts are UTF8.',
      // A constant call is not folded.
      volatility: 'stable',
      impl: () => {
        throw new SvcError('0A000', 'encoding conversion from UTF8 to ASCII not supported');
      },
    })),
    ...['pg_collation_actual_version', 'pg_database_collation_actual_version'].map((name): ScalarFunction => ({
      kind: 'scalar',
      name,
      args: ['oid'],
      returns: 'text',
      volatility: 'volatile',
      doc: 'Null: the order of code points has no version.',
      impl: () => null,
    })),
  ],
};
