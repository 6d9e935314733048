/** What one run of a plan gets from its session. */
import type { ExecContext, Reads } from '../exec/context.ts';
import { currentDate, currentTime, currentTimestamp, localTime, localTimestamp } from '../functions/time/now.ts';
import type { EnvironmentCall } from '../plan/bound.ts';
import { keyInMember, memberOf } from '../schema/hierarchy.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import { currentOf } from './cursors.ts';
import type { SqlSession } from './sql-session.ts';
import type { StatementTriggers } from './triggers/statement-triggers.ts';
import type { Transaction } from './transaction.ts';

export function execContext(session: SqlSession, params: readonly Value[], writes: StatementWrites | null): ExecContext {
  const { host, env } = session;
  const transaction = session.begin();
  const held = session.maxMemoryMb;
  return {
    env,
    params,
    pager: host.context.engine.pager,
    directory: transaction.snapshot(),
    row: transaction.dirty ? transaction.rowReader() : null,
    lockRow: (table, key, strength, wait) => {
      if (table.whole === undefined) return session.locks.lockRow(transaction, table, key, strength, wait);
      const number = memberOf(key as string);
      const member = table.whole.members.find((each) => each.table.number === number)!;
      return session.locks.lockRow(transaction, member.table, keyInMember(key as string), strength, wait);
    },
    reads: readsOf(session, transaction),
    rootAt: (asOf) => session.rootAt(asOf),
    writer(table, events, columns) {
      if (writes === null) throw new SvcError('XX000', 'a statement that only reads has no writer');
      writes.hooks?.begin(table, events, columns);
      if (table.view === true) return (writes.hooks as StatementTriggers).instead(table);
      return table.whole === undefined ? writes.writer(table) : writes.hierarchy(table);
    },
    keys: session.keyCodec(),
    environmentValue: (call) => environmentValue(session, call),
    // Sorts, groups and joins spill at a quarter of an agent's `max_memory_mb`.
    workMemBytes: held === 0 ? host.workMemBytes : Math.min(host.workMemBytes, held * 262_144),
    spill: host.spill,
    ...(held === 0 ? {} : { heldBytesMax: held * 1_048_576 }),
    checkCancel: () => session.checkCancel(),
  };
}

/** Who is told what the statement reads: a serializable transaction, and the world where it checks its reads. */
function readsOf({ host, principal }: SqlSession, { reads, world }: Transaction): Reads | null {
  const noted = world === null ? null : host.context.noting(principal, world);
  if (reads === null || noted === null) return reads ?? noted;
  return {
    ranges(tree, ranges) {
      reads.ranges(tree, ranges);
      noted.ranges(tree, ranges);
    },
    row(tree, key) {
      reads.row(tree, key);
      noted.row(tree, key);
    },
  };
}

function environmentValue(session: SqlSession, { name, precision, cursor }: EnvironmentCall): Value {
  const { env } = session;
  if (cursor !== undefined) return currentOf(session, cursor);
  const digits = precision ?? 6;
  switch (name) {
    case 'current_date':
      return currentDate(env);
    case 'current_time':
      return currentTime(env, digits);
    case 'current_timestamp':
      return currentTimestamp(env, digits);
    case 'localtime':
      return localTime(env, digits);
    case 'localtimestamp':
      return localTimestamp(env, digits);
    case 'current_catalog':
      return session.system.database;
    case 'current_schema':
      return session.system.schemas(false)[0] ?? null;
    case 'session_user':
      return session.authority.sessionUserName;
    default:
      return session.system.user;
  }
}
