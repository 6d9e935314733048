/** Who may make and change roles: superusers, roles with CREATEROLE, and of the agents those that administer. */
import { may } from '../../session/authorize.ts';
import { OUTSIDER } from './authority.ts';
import type { SqlSession } from './sql-session.ts';

export function mayCreateRoles(session: SqlSession): boolean {
  const { authority, principal } = session;
  if (authority.role === OUTSIDER) return may(principal, 'admin');
  return authority.superuser || authority.roles.byOid(authority.role)?.createRole === true;
}

/** What only superusers give and take. An agent that administers is none: it would see what is masked. */
export function isSuperuser(session: SqlSession): boolean {
  return session.authority.superuser;
}
