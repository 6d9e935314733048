/** Signals, transactions' numbers, statistics of use (manual, sections 9.26.8, 9.27.2, 28.2). */
import { abbreviationRows, zoneNameRows } from '../time/zone-rows.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { Interval } from '../../types/interval.ts';
import type { Value, Whole } from '../../types/value.ts';
import type { Call, FunctionModule, ScalarFunction } from '../define.ts';
import { systemOf } from './session-of.ts';

function volatileFunction(
  name: string,
  args: readonly string[],
  returns: string,
  doc: string,
  impl: (call: Call, ...args: never[]) => Value,
  strict = true,
): ScalarFunction {
  return { kind: 'scalar', name, args, returns, doc, volatility: 'volatile', strict, needsCall: true, impl: impl as ScalarFunction['impl'] };
}

const stop =
  (what: 'query' | 'process') =>
  (call: Call, pid: number): boolean =>
    systemOf(call).stop(pid, what);

function sleep(call: Call, ms: number): string {
  systemOf(call).sleep(ms);
  return '';
}

// oxlint-disable-next-line no-explicit-any
function waiting(name: string, type: string, doc: string, impl: (call: Call, given: any) => string): ScalarFunction {
  return { ...volatileFunction(name, [type], 'void', doc, impl), mayWait: true };
}

/** Months have thirty days. */
const intervalMs = ({ months, days, micros }: Interval): number => (months * 30 + days) * 86_400_000 + Number(micros) / 1000;

const COUNTERS = `numscans tuples_returned tuples_fetched tuples_inserted tuples_updated tuples_deleted tuples_hot_updated live_tuples dead_tuples
  mod_since_analyze ins_since_vacuum blocks_fetched blocks_hit vacuum_count autovacuum_count analyze_count autoanalyze_count`.split(/\s+/);
const TIMES = ['last_vacuum_time', 'last_autovacuum_time', 'last_analyze_time', 'last_autoanalyze_time'];

const ZONE_COLUMNS = [
  { name: 'name', type: 'text' },
  { name: 'abbrev', type: 'text' },
  { name: 'utc_offset', type: 'interval' },
  { name: 'is_dst', type: 'bool' },
] as const;

const statistics: readonly ScalarFunction[] = [
  ...COUNTERS.map((name): ScalarFunction => ({
    kind: 'scalar',
    name: `pg_stat_get_${name}`,
    args: ['oid'],
    returns: 'int8',
    doc: '0: use is not counted.',
    volatility: 'stable',
    impl: () => 0,
  })),
  ...TIMES.map((name): ScalarFunction => ({
    kind: 'scalar',
    name: `pg_stat_get_${name}`,
    args: ['oid'],
    returns: 'timestamptz',
    doc: 'Null: nothing needs it.',
    volatility: 'stable',
    impl: () => null,
  })),
];

export const serverFunctions: FunctionModule = {
  functions: [
    volatileFunction(
      'pg_notify',
      ['text', 'text'],
      'void',
      'Sends a notification when the transaction commits.',
      (call, channel: string | null, payload: string | null) => {
        if (channel === null || channel === '') throw new SvcError('22023', 'channel name cannot be empty');
        if (Buffer.byteLength(channel) > 63) throw new SvcError('22023', 'channel name too long');
        if (payload !== null && Buffer.byteLength(payload) > 7999) throw new SvcError('22023', 'payload string too long');
        systemOf(call).notify(channel, payload ?? '');
        return '';
      },
      false,
    ),
    volatileFunction('pg_cancel_backend', ['int4'], 'bool', 'Cancels the statement of a session; false where there is none.', stop('query')),
    {
      ...volatileFunction('pg_terminate_backend', ['int4', 'int8'], 'bool', 'Ends a session; false where there is none.', stop('process')),
      argNames: ['pid', 'timeout'],
      optional: 1,
    },
    volatileFunction('pg_reload_conf', [], 'bool', 'Settings are always current: true.', () => true),
    waiting('pg_sleep', 'float8', 'Waits a number of seconds.', (call, seconds: number) => sleep(call, seconds * 1000)),
    waiting('pg_sleep_for', 'interval', 'Waits so long.', (call, span: Interval) => sleep(call, intervalMs(span))),
    waiting('pg_sleep_until', 'timestamptz', 'Waits until then.', (call, until: Whole) => sleep(call, (Number(until) - Number(call.env.clock())) / 1000)),
    { ...volatileFunction('txid_current', [], 'int8', 'Number of the transaction.', (call) => systemOf(call).transactionId()), volatility: 'stable' },
    {
      ...volatileFunction('txid_current_if_assigned', [], 'int8', 'Number of the transaction, if it has one.', (call) =>
        systemOf(call).assignedTransactionId(),
      ),
      volatility: 'stable',
    },
    { ...volatileFunction('pg_current_xact_id', [], 'xid8', 'Number of the transaction.', (call) => systemOf(call).transactionId()), volatility: 'stable' },
    {
      ...volatileFunction('pg_current_xact_id_if_assigned', [], 'xid8', 'Number of the transaction, if it has one.', (call) =>
        systemOf(call).assignedTransactionId(),
      ),
      volatility: 'stable',
    },
    {
      kind: 'set',
      name: 'pg_timezone_names',
      args: [],
      returns: 'record',
      doc: 'Time zones, with their offsets as they are now.',
      volatility: 'stable',
      columns: ZONE_COLUMNS,
      impl: () => zoneNameRows(nowSeconds()),
    },
    {
      kind: 'set',
      name: 'pg_timezone_abbrevs',
      args: [],
      returns: 'record',
      doc: 'Abbreviations of time zones, with their offsets as they are now.',
      volatility: 'stable',
      columns: ZONE_COLUMNS.filter(({ name }) => name !== 'name'),
      needsCall: true,
      impl: (call: Call) => abbreviationRows(nowSeconds(), call.env.abbreviations),
    },
    volatileFunction('pg_export_snapshot', [], 'text', 'The state that the transaction reads, for SET TRANSACTION SNAPSHOT.', (call) =>
      systemOf(call).exportSnapshot(),
    ),
    volatileFunction('pg_stat_clear_snapshot', [], 'void', 'Does nothing.', () => '', false),
    volatileFunction('pg_current_wal_lsn', [], 'pg_lsn', 'Log position: always 0/0.', () => '0/0'),
    volatileFunction('pg_current_wal_insert_lsn', [], 'pg_lsn', 'Log position: always 0/0.', () => '0/0'),
    volatileFunction('pg_last_wal_receive_lsn', [], 'pg_lsn', 'Null: the server is no replica.', () => null),
    volatileFunction('pg_last_wal_replay_lsn', [], 'pg_lsn', 'Null: the server is no replica.', () => null),
    volatileFunction('pg_last_xact_replay_timestamp', [], 'timestamptz', 'Null: the server is no replica.', () => null),
    ...statistics,
  ],
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000) - 946_684_800;
