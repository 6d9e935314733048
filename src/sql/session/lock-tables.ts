/** LOCK TABLE, in the modes of the manual's section 13.3.1. */
import { PRIVILEGE } from '../schema/acl.ts';
import { mustHave } from './ownership.ts';
import type { RelationName } from '../ast/query.ts';
import { TABLE_LOCK } from '../../locks/lock-mode.ts';
import type { LockMode, LockTable } from '../ast/session.ts';
import { tableNamed } from './define.ts';
import { done, type StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

const MODES: Readonly<Record<LockMode, number>> = {
  'access share': TABLE_LOCK.accessShare,
  'row share': TABLE_LOCK.rowShare,
  'row exclusive': TABLE_LOCK.rowExclusive,
  'share update exclusive': TABLE_LOCK.shareUpdateExclusive,
  share: TABLE_LOCK.share,
  'share row exclusive': TABLE_LOCK.shareRowExclusive,
  exclusive: TABLE_LOCK.exclusive,
  'access exclusive': TABLE_LOCK.accessExclusive,
};

export function lockTables(session: SqlSession, statement: LockTable): StatementResult {
  session.mustBeInBlock('LOCK TABLE');
  for (const { name } of statement.tables) {
    session.mustBeTable(name);
    mayLock(session, name, statement.mode);
    const transaction = session.begin();
    if (statement.mode !== 'access share') session.writable('LOCK TABLE');
    if (transaction.world !== null) session.locks.lockTable(transaction, tableNamed(session, name), MODES[statement.mode], statement.nowait);
  }
  return done('LOCK TABLE');
}

/** 42501. */
function mayLock(session: SqlSession, { schema, name }: RelationName, mode: LockMode): void {
  const found = session.names().relation(schema, name);
  const { SELECT, UPDATE, DELETE, TRUNCATE, INSERT } = PRIVILEGE;
  const writing = UPDATE | DELETE | TRUNCATE;
  const any = mode === 'access share' ? writing | SELECT : mode === 'row exclusive' ? writing | INSERT : writing;
  if (found?.kind === 'table') mustHave(session, found.table, any);
}
