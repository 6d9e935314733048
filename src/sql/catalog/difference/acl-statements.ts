/** GRANT and REVOKE statements that convert one ACL to another. */
import { type Acl, type AclItem, PUBLIC, PRIVILEGE, PRIVILEGE_NAMES } from '../../schema/acl.ts';
import { sameAcl } from '../../schema/rights.ts';
import type { Side } from './part.ts';

export interface GrantWords {
  /** All privileges of the kind, which GRANT calls ALL. */
  readonly all: number;
  /** After ON. */
  readonly on: string;
  /** After each privilege. */
  readonly column: string;
  /** Before GRANT and REVOKE. */
  readonly before?: string;
}

/** `revoked`: the revoked privileges, by grantee. */
interface AclStatements {
  readonly statements: string[];
  readonly revoked: ReadonlyMap<number, number>;
}

/** A grant, or the part of it that another list does not have. */
type Given = Pick<AclItem, 'grantee' | 'grantor' | 'privileges' | 'grantable'>;

function beyond(these: Acl, those: Acl): Given[] {
  return these.map((item) => {
    const other = those.find(({ grantee, grantor }) => grantee === item.grantee && grantor === item.grantor);
    return { ...item, privileges: item.privileges & ~(other?.privileges ?? 0), grantable: item.grantable & ~(other?.grantable ?? 0) };
  });
}

/** Run by a role that may grant as the owner; grants by others are made in their names. */
export function aclStatements(side: Side, was: Acl, is: Acl, owner: number, words: GrantWords): AclStatements {
  const revoked = new Map<number, number>();
  const statements: string[] = [];
  const named = (acl: Acl): Acl => acl.filter(({ grantee, grantor }) => roleOf(side, grantee) !== null && roleOf(side, grantor) !== null);
  const [old, now] = [named(was), named(is)];
  if (sameAcl(old, now)) return { statements, revoked };
  const take = (grantee: number, privileges: number, option = '', cascade = ''): void => {
    if (privileges === 0) return;
    if (option === '') revoked.set(grantee, (revoked.get(grantee) ?? 0) | privileges);
    statements.push(`${words.before ?? ''}REVOKE ${option}${privilegeList(privileges, words)} ON ${words.on} FROM ${roleOf(side, grantee)}${cascade};`);
  };
  const taken = beyond(old, now);
  // Grants depend on the grant options they came from.
  const isPlain = [...old, ...now].every(({ grantor }) => grantor === owner);
  const canTake = taken.every(({ grantor, privileges, grantable }) => (privileges | grantable) === 0 || (grantor === owner && (isPlain || grantable === 0)));
  if (canTake) {
    for (const { grantee, privileges, grantable } of taken) {
      take(grantee, privileges);
      take(grantee, grantable & ~privileges, 'GRANT OPTION FOR ');
    }
    statements.push(...grants(side, beyond(now, old), owner, [owner, ...old.map(({ grantee }) => grantee)], words));
  } else {
    for (const grantee of new Set(old.map((item) => item.grantee))) {
      const all = old.reduce((sum, item) => (item.grantee === grantee ? sum | item.privileges : sum), 0);
      take(grantee, all, '', ' CASCADE');
    }
    statements.push(...grants(side, now, owner, [owner], words));
  }
  return { statements, revoked };
}

/** Each after its grantor has the privilege; `first`: roles that have it already. */
function grants(side: Side, items: readonly Given[], owner: number, first: readonly number[], words: GrantWords): string[] {
  const out: string[] = [];
  const give = (grantee: number, privileges: number, option: string): void => {
    if (privileges !== 0) out.push(`${words.before ?? ''}GRANT ${privilegeList(privileges, words)} ON ${words.on} TO ${roleOf(side, grantee)}${option};`);
  };
  const may = new Set(first);
  for (let left = items; left.length > 0;) {
    const next = left.filter(({ grantor }) => may.has(grantor));
    if (next.length === 0) break;
    for (const { grantee, grantor, privileges, grantable } of next) {
      const by = grantor === owner || (privileges | grantable) === 0 ? null : roleOf(side, grantor);
      if (by !== null) out.push(`SET SESSION AUTHORIZATION ${by};`);
      give(grantee, privileges & ~grantable, '');
      give(grantee, grantable, ' WITH GRANT OPTION');
      if (by !== null) out.push('RESET SESSION AUTHORIZATION;');
      may.add(grantee);
    }
    left = left.filter((each) => !next.includes(each));
  }
  return out;
}

/** null: the role was dropped, and its privileges have no effect. */
export function roleOf({ names }: Side, role: number): string | null {
  return role === PUBLIC ? 'PUBLIC' : names.roleName(role);
}

function privilegeList(privileges: number, { all, column }: GrantWords): string {
  if (privileges === all) return 'ALL';
  return PRIVILEGE_NAMES.filter((name) => (privileges & PRIVILEGE[name]) !== 0)
    .map((name) => `${name}${column}`)
    .join(', ');
}
