/** LOCK TABLE, in the modes of the manual's section 13.3.1. */
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { SvcError, withoutPlace } from '../../base/errors/svc-error.ts';
import { PRIVILEGE } from '../schema/acl.ts';
import { TABLE_LOCK } from '../../locks/lock-mode.ts';
import type { LockMode, LockTable } from '../ast/session.ts';
import type { View } from '../schema/schema.ts';
import type { SqlTable } from '../schema/table.ts';
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
  const { mode } = statement;
  for (const { name } of statement.tables) {
    withoutPlace(() => session.mustBeTable(name));
    const found = session.names().relation(name.schema, name.name)!;
    if (found.kind === 'other') throw cannotLock(name.name, `${found.what.replace(/^an? /, '')}${found.what.endsWith('x') ? 'es' : 's'}`);
    if (found.kind === 'virtual') {
      if (found.relation.oid >= FIRST_OWN_OID) throw cannotLock(name.name, 'sequences');
      // System relations cannot be locked.
      continue;
    }
    if (mode !== 'access share') session.writable('LOCK TABLE');
    if (found.kind === 'table') lock(session, statement, found.table, null);
    else lockView(session, statement, session.schema().views.get(found.number)!, null, new Set());
  }
  return done('LOCK TABLE');
}

function cannotLock(name: string, kinds: string): SvcError {
  return new SvcError('42809', `cannot lock relation "${name}"`, { detail: `This operation is not supported for ${kinds}.` });
}

function lock(session: SqlSession, { mode, nowait }: LockTable, table: SqlTable, as: number | null): void {
  if (table.foreign !== undefined) throw cannotLock(table.name, 'foreign tables');
  if (table.materialized !== null) throw cannotLock(table.name, 'materialized views');
  mayLock(session, table.number, 'table', table.name, mode, as);
  const transaction = session.begin();
  if (transaction.world !== null) session.locks.lockTable(transaction, table, MODES[mode], nowait);
}

/** A view's relations are locked with it, under the rights of its owner, or of the caller for a security_invoker view. */
function lockView(session: SqlSession, statement: LockTable, view: View, as: number | null, seen: Set<number>): void {
  mayLock(session, view.number, 'view', view.name, statement.mode, as);
  const schema = session.schema();
  const within = view.invoker ? as : schema.authorOf(view.number);
  for (const object of schema.catalog.objects.values()) {
    if (object.what !== 'view' || object.number !== view.number) continue;
    for (const { object: number } of object.uses) {
      if (seen.has(number)) continue;
      seen.add(number);
      const table = schema.tables.get(number);
      const inner = schema.views.get(number);
      if (table !== undefined && table.materialized === null) lock(session, statement, table, within);
      else if (inner !== undefined) lockView(session, statement, inner, within, seen);
    }
  }
}

/** 42501. `as`: the owner of the enclosing view. */
function mayLock(session: SqlSession, number: number, kind: 'table' | 'view', name: string, mode: LockMode, as: number | null): void {
  const { SELECT, UPDATE, DELETE, TRUNCATE, INSERT } = PRIVILEGE;
  const writing = UPDATE | DELETE | TRUNCATE;
  const any = mode === 'access share' ? SELECT : mode === 'row exclusive' ? writing | INSERT : writing;
  const { authority } = session;
  if (as === null && authority.free) return;
  if (authority.privileges(session.schema()).held(as ?? authority.role, 'r', number, any) === 0)
    throw new SvcError('42501', `permission denied for ${kind} ${name}`);
}
