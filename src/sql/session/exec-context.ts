/** What one run of a plan gets from its session. */
import type { Node } from '../../tree/node.ts';
import type { ExecContext } from '../exec/context.ts';
import { currentDate, currentTime, currentTimestamp, localTime, localTimestamp } from '../functions/time/now.ts';
import type { EnvironmentCall } from '../plan/bound.ts';
import { quotaOf } from '../../session/quotas.ts';
import type { StatementWrites } from '../schema/statement-writes.ts';
import type { Value } from '../types/value.ts';
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlSession } from './sql-session.ts';

export function execContext(session: SqlSession, root: Node, params: readonly Value[], writes: StatementWrites | null): ExecContext {
  const { host, env } = session;
  return {
    env,
    params,
    pager: host.context.engine.pager,
    root,
    rootAt: (asOf) => session.rootAt(asOf),
    writer(table) {
      if (writes === null) throw new SvcError('XX000', 'a statement that only reads has no writer');
      return writes.writer(table);
    },
    keys: session.keyCodec(),
    environmentValue: (call) => environmentValue(session, call),
    ...memoryOf(session),
    spill: host.spill,
    checkCancel: () => session.checkCancel(),
  };
}

/** What a statement of an agent may hold; its sorts, groups and joins spill at a quarter of that. */
function memoryOf({ host, principal }: SqlSession): Pick<ExecContext, 'workMemBytes' | 'heldBytesMax'> {
  const most = principal.kind === 'agent' ? quotaOf(principal, 'max_memory_mb') : 0;
  if (most === 0) return { workMemBytes: host.workMemBytes };
  return { workMemBytes: Math.min(host.workMemBytes, most * 262_144), heldBytesMax: most * 1_048_576 };
}

function environmentValue(session: SqlSession, { name, precision }: EnvironmentCall): Value {
  const { env } = session;
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
