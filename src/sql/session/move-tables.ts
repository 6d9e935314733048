/** ALTER TABLE, INDEX and MATERIALIZED VIEW ALL IN TABLESPACE: there is only one tablespace, so nothing moves. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { MoveAll } from '../ast/define.ts';
import { define } from './define.ts';
import type { StatementResult } from './results.ts';
import type { SqlSession } from './sql-session.ts';

export function moveAll(session: SqlSession, { kind, roles, from, to }: MoveAll): StatementResult {
  return define(session, `ALTER ${kind.toUpperCase()}`, () => {
    for (const role of roles) session.authority.named(role);
    for (const name of [from, to]) refuseTablespace(name);
    if (from === 'pg_global' || to === 'pg_global') throw new SvcError('22023', 'cannot move relations in to or out of pg_global tablespace');
  });
}

/** 42704 for a missing tablespace. */
export function refuseTablespace(name: string): void {
  if (name !== 'pg_default' && name !== 'pg_global') throw new SvcError('42704', `tablespace "${name}" does not exist`);
}
