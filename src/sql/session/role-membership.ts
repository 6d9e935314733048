/** GRANT and REVOKE of roles, and the same in CREATE ROLE options and ALTER GROUP. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { DATABASE_OWNER_ROLE, type Role } from '../../identity/roles.ts';
import type { GrantRole } from '../ast/define.ts';
import { OUTSIDER } from './authority.ts';
import { done, type StatementResult } from './results.ts';
import { mayCreateRoles } from './role-rights.ts';
import { putMembership, removeMembership } from './role-rows.ts';
import type { SqlSession } from './sql-session.ts';

export function grantRole(session: SqlSession, statement: GrantRole): StatementResult {
  const { grant, grantees, options } = statement;
  session.startStatement();
  const { authority } = session;
  for (const { name } of options) {
    if (name !== 'admin') throw new SvcError('0A000', `the ${name.toUpperCase()} option of GRANT is not supported`, { position: statement.at + 1 });
  }
  const admin = options.some(({ name, value }) => name === 'admin' && (value === null || value.type !== 'boolean' || value.value));
  const grantor = statement.grantedBy === null ? authority.grantor : authority.named(statement.grantedBy);
  if (statement.grantedBy !== null) {
    if (grantor !== authority.grantor && !authority.superuser) throw new SvcError('42501', 'must be superuser to set grantor');
  }
  const members = grantees.map((each) => authority.find(authority.nameOf(authority.named(each))));
  for (const name of statement.roles) {
    const role = authority.find(name);
    mayChangeMembers(session, role);
    for (const member of members) {
      if (grant) addMember(session, role, member, admin, grantor);
      else takeMember(session, role, member, options.length > 0);
    }
  }
  return done(grant ? 'GRANT ROLE' : 'REVOKE ROLE', session.notices);
}

/** 42501. */
export function mayChangeMembers(session: SqlSession, role: Role): void {
  const { authority } = session;
  if (role.superuser) {
    if (!authority.superuser) throw new SvcError('42501', 'must be superuser to alter superusers');
  } else if (!mayCreateRoles(session) && !(authority.role !== OUTSIDER && authority.roles.isAdminOf(authority.role, role.oid))) {
    throw new SvcError('42501', `must have admin option on role "${role.name}"`);
  }
}

export function addMember(session: SqlSession, role: Role, member: Role, admin: boolean, grantor = session.authority.grantor): void {
  const { authority } = session;
  const { roles } = authority;
  if (role.oid === DATABASE_OWNER_ROLE) throw new SvcError('0LP01', `role "${role.name}" cannot have explicit members`);
  if (member.oid === DATABASE_OWNER_ROLE) throw new SvcError('0LP01', `role "${member.name}" cannot be a member of any role`);
  // Only actual membership counts, not the implicit one of superusers.
  if (roles.memberOf(role.oid).has(member.oid)) throw new SvcError('0LP01', `role "${role.name}" is a member of role "${member.name}"`);
  const known = roles.membership(role.oid, member.oid);
  if (known !== null && (known.admin || !admin)) {
    session.notice('00000', `role "${member.name}" is already a member of role "${role.name}"`);
    return;
  }
  putMembership(session, { role: role.oid, member: member.oid, grantor, admin });
}

export function takeMember(session: SqlSession, role: Role, member: Role, adminOnly: boolean): void {
  const known = session.authority.roles.membership(role.oid, member.oid);
  if (known === null) {
    session.notice('01000', `role "${member.name}" is not a member of role "${role.name}"`, 'WARNING');
    return;
  }
  if (adminOnly) putMembership(session, { ...known, admin: false });
  else removeMembership(session, known);
}
