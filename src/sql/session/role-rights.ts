/** Who may create and change roles: superusers, roles with CREATEROLE, and agents that are administrators. */
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

/** For attributes that only superusers grant. An administrator agent is none: it would see masked values. */
export function isSuperuser(session: SqlSession): boolean {
  return session.authority.superuser;
}

/** COMMENT ON ROLE. 42501. */
export function mayComment(session: SqlSession, role: Role): void {
  if (role.superuser && !isSuperuser(session)) throw new SvcError('42501', 'must be superuser');
  if (!mayCreateRoles(session)) throw new SvcError('42501', 'must have CREATEROLE privilege');
}
