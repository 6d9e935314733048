/** What a script may not do: statements other than queries and writes, and functions whose results depend on more than the world. */
import { SvcError } from '../base/errors/svc-error.ts';
import { Registry } from '../sql/functions/registry.ts';
import type { SqlFunction } from '../sql/functions/define.ts';
import type { ParsedStatement } from '../sql/parse/parse.ts';
import { isQuery, type QueryStatement } from '../sql/session/prepare.ts';

/** Their results depend on the server, the session or other sessions; or they act outside the world. */
const REFUSED = new Set(
  `txid_current txid_current_if_assigned txid_current_snapshot txid_snapshot_xmin txid_status pg_current_xact_id pg_current_xact_id_if_assigned
  pg_current_snapshot pg_xact_status pg_snapshot_xmin pg_export_snapshot pg_backend_pid pg_blocking_pids pg_safe_snapshot_blocking_pids
  pg_postmaster_start_time pg_conf_load_time pg_current_logfile pg_notify pg_listening_channels pg_notification_queue_usage
  pg_cancel_backend pg_terminate_backend pg_reload_conf pg_rotate_logfile pg_sleep pg_sleep_for pg_sleep_until set_config version
  pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared pg_advisory_xact_lock
  pg_advisory_xact_lock_shared pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared
  inet_client_addr inet_client_port inet_server_addr inet_server_port pg_current_wal_lsn pg_current_wal_insert_lsn pg_current_wal_flush_lsn
  pg_last_wal_receive_lsn pg_last_wal_replay_lsn pg_last_xact_replay_timestamp pg_is_in_recovery pg_lock_status pg_stat_get_activity
  pg_read_file pg_read_binary_file pg_stat_file pg_ls_dir pg_ls_logdir pg_ls_waldir lo_import lo_export`.split(/\s+/),
);

/** The function library for simulated worlds. */
export class SimulatedLibrary extends Registry {
  override functions(name: string): readonly SqlFunction[] {
    if (REFUSED.has(name)) {
      throw new SvcError('0A000', `${name}() is not supported in a simulation`, {
        hint: 'A simulated world depends on its base and its seed alone, so that it can be replayed.',
      });
    }
    return super.functions(name);
  }
}

/** The statements of a script. 0A000 names what cannot be simulated. */
export function scriptStatements(statements: readonly ParsedStatement[]): QueryStatement[] {
  return statements.map((statement) => {
    if (isQuery(statement)) return statement;
    const what = statement.type.replace(/[A-Z]/g, (letter) => ` ${letter}`).toUpperCase();
    throw new SvcError('0A000', `${what} is not supported in a simulation`, {
      hint: 'Scripts are SELECT, INSERT, UPDATE, DELETE and MERGE statements; make tables in the base world first.',
      ...(statement.at >= 0 ? { position: statement.at + 1 } : {}),
    });
  });
}

/** The query that computes the score. */
export function scoreQuery(statements: readonly ParsedStatement[]): QueryStatement {
  const [query] = statements;
  if (statements.length !== 1 || !isQuery(query) || !['select', 'values', 'setOperation'].includes(query.type))
    throw new SvcError('42601', 'the score is one SELECT that gives one number');
  return query;
}
