/** Changes of roles inside a transaction: seen by it alone until it commits. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type Membership, membershipKey, type Role, roleKey, type RoleRow, type Roles } from '../../identity/roles.ts';
import type { SqlSession } from './sql-session.ts';

function stage(session: SqlSession, key: string, row: RoleRow | null): void {
  const transaction = session.begin();
  transaction.roleRows = new Map(transaction.roleRows).set(key, row);
}

export function putRole(session: SqlSession, role: Role): void {
  stage(session, roleKey(role.oid), { what: 'role', ...role });
}

/** With its memberships. */
export function removeRole(session: SqlSession, { oid }: Role): void {
  const { memberships } = session.authority.roles;
  stage(session, roleKey(oid), null);
  for (const each of memberships) if (each.role === oid || each.member === oid) removeMembership(session, each);
}

export function putMembership(session: SqlSession, membership: Membership): void {
  stage(session, membershipKey(membership), { what: 'member', ...membership });
}

export function removeMembership(session: SqlSession, membership: Membership): void {
  stage(session, membershipKey(membership), null);
}

/** 23505 where another session has taken a name meanwhile. */
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
