/** Uncommitted changes of roles, visible to their transaction only. */
import { SvcError } from '../../base/errors/svc-error.ts';
import {
  commentKey,
  defaultsKey,
  type Membership,
  membershipKey,
  parameterKey,
  type SessionDefaults,
  type SharedComment,
  type Role,
  roleKey,
  type RoleRow,
  type Roles,
} from '../../identity/roles.ts';
import type { SqlSession } from './sql-session.ts';

function stage(session: SqlSession, key: string, row: RoleRow | null): void {
  const transaction = session.begin();
  transaction.roleRows = new Map(transaction.roleRows).set(key, row);
}

export function putRole(session: SqlSession, role: Role): void {
  stage(session, roleKey(role.oid), { what: 'role', ...role });
}

export function putDefaults(session: SqlSession, defaults: SessionDefaults): void {
  stage(session, defaultsKey(defaults.database, defaults.role), defaults.settings.length === 0 ? null : { what: 'defaults', ...defaults });
}

/** null: the default privileges. */
export function putParameterAcl(session: SqlSession, name: string, acl: readonly string[] | null): void {
  stage(session, parameterKey(name), acl === null ? null : { what: 'parameter', name, acl });
}

/** null: removes it. */
export function putSharedComment(session: SqlSession, on: SharedComment['on'], object: number, text: string | null): void {
  stage(session, commentKey(on, object), text === null ? null : { what: 'comment', on, object, text });
}

/** With its memberships, settings and comment. */
export function removeRole(session: SqlSession, { oid }: Role): void {
  const { memberships, defaults, comments } = session.authority.roles;
  stage(session, roleKey(oid), null);
  for (const each of memberships) if (each.role === oid || each.member === oid) removeMembership(session, each);
  for (const each of defaults) if (each.role === oid) stage(session, defaultsKey(each.database, oid), null);
  if (comments.some(({ on, object }) => on === 'role' && object === oid)) putSharedComment(session, 'role', oid, null);
}

export function putMembership(session: SqlSession, membership: Membership): void {
  stage(session, membershipKey(membership), { what: 'member', ...membership });
}

export function removeMembership(session: SqlSession, membership: Membership): void {
  stage(session, membershipKey(membership), null);
}

/** 23505 if another session has taken a name meanwhile. */
export function checkNames(current: Roles, rows: ReadonlyMap<string, RoleRow | null>): void {
  for (const row of rows.values()) {
    if (row?.what !== 'role') continue;
    const known = current.byName(row.name);
    if (known === null || known.oid === row.oid || rows.get(roleKey(known.oid)) !== undefined) continue;
    throw new SvcError('23505', 'duplicate key value violates unique constraint "pg_authid_rolname_index"', {
      detail: `Key (rolname)=(${row.name}) already exists.`,
    });
  }
}
