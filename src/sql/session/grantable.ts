/** Which of the privileges in a GRANT or REVOKE the grantor may grant; warns about the rest. */
import type { SqlSession } from './sql-session.ts';

export function restricted(session: SqlSession, grant: boolean, all: boolean, privileges: number, grantable: number, title: string): number {
  const own = privileges & grantable;
  const which = own === 0 ? 'no privileges' : !all && own !== privileges ? 'not all privileges' : null;
  if (which !== null) session.notice(grant ? '01007' : '01006', `${which} ${grant ? 'were granted' : 'could be revoked'} for ${title}`, 'WARNING');
  return own;
}
