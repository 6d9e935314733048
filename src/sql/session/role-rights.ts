/** Who may make and change roles: superusers, roles with CREATEROLE, and of the agents those that administer. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { Role } from '../../identity/roles.ts';
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

/** COMMENT ON ROLE. 42501. */
export function mayComment(session: SqlSession, role: Role): void {
  if (role.superuser && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser');
  if (!mayCreateRoles(session)) throw new SvcError('42501', 'must have CREATEROLE privilege');
}
