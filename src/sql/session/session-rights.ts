/** The checks behind has_…_privilege and pg_has_role. */
import { type AclKind, held, heldGrantable, PRIVILEGE, type PrivilegeName } from '../schema/acl.ts';
import { maskKey } from '../../worlds/masks.ts';
import { OWNER_ROLE } from '../../identity/roles.ts';
import { parameterAcl } from './parameter-rights.ts';
import { securityFor } from '../schema/row-security.ts';
import type { Rights } from '../types/environment.ts';
import type { SqlSession } from './sql-session.ts';

export class SessionRights implements Rights {
  readonly #session: SqlSession;

  constructor(session: SqlSession) {
    this.#session = session;
  }

  get role(): number {
    return this.#session.authority.role;
  }

  roleNamed(name: string): number | null {
    return this.#session.authority.roles.byName(name)?.oid ?? null;
  }

  isSuperuser(role: number): boolean {
    return this.#session.authority.roles.isSuperuser(role);
  }

  held(role: number, kind: AclKind, object: number, privilege: string, grantable: boolean): boolean {
    const bit = bitOf(privilege);
    const privileges = this.#session.authority.privileges(this.#session.schema());
    return (grantable ? privileges.heldGrantable(role, kind, object, bit) : privileges.held(role, kind, object, bit)) !== 0;
  }

  heldOnColumn(role: number, object: number, attnum: number, privilege: string, grantable: boolean): boolean {
    const bit = bitOf(privilege);
    const privileges = this.#session.authority.privileges(this.#session.schema());
    return (grantable ? privileges.heldGrantableOnColumn(role, object, attnum, bit) : privileges.heldOnColumn(role, object, attnum, bit)) !== 0;
  }

  heldOnParameter(role: number, name: string, privilege: string, grantable: boolean): boolean {
    const { roles } = this.#session.authority;
    const bit = bitOf(privilege);
    const acl = parameterAcl(roles, name);
    return (grantable ? heldGrantable(acl, OWNER_ROLE, roles, role, bit) : held(acl, roles, role, bit)) !== 0;
  }

  columnsOf(object: number): readonly number[] {
    const schema = this.#session.schema();
    return schema.tables.get(object)?.columns.map(({ attnum }) => attnum) ?? schema.views.get(object)?.columns.map((_, i) => i + 1) ?? [];
  }

  masked(table: number, attnum: number): boolean {
    const session = this.#session;
    return !session.authority.unmasked && session.masks().columns.has(maskKey(table, attnum));
  }

  rowSecurityActive(table: number): boolean {
    const { role, roles } = this.#session.authority;
    return securityFor(this.#session.schema(), roles, role, table) !== null;
  }

  hasRole(role: number, of: number, how: 'usage' | 'member', admin: boolean): boolean {
    const { roles } = this.#session.authority;
    if (admin) return roles.isAdminOf(role, of);
    return how === 'usage' ? roles.hasRightsOf(role, of) : roles.isMemberOf(role, of);
  }
}

/** 0 for privileges that no object here has (MAINTAIN): superusers have them regardless. */
function bitOf(privilege: string): number {
  return PRIVILEGE[(privilege === 'TEMP' ? 'TEMPORARY' : privilege) as PrivilegeName] ?? 1 << 30;
}
