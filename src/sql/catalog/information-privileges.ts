/**
 * Privileges and roles of information_schema. `…_privileges` show what the current user's roles granted or were granted, and grants
 * to PUBLIC; `role_…_grants` omit the latter (manual, chapter 37).
 */
import { OWNER_ROLE, type Roles } from '../../identity/roles.ts';
import { type Acl, type AclKind, defaultAcl, PUBLIC, PRIVILEGE, PRIVILEGE_NAMES } from '../schema/acl.ts';
import type { Value } from '../types/value.ts';
import { rolesOf } from './catalog-session.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const yes = (value: boolean): string => (value ? 'YES' : 'NO');

interface Granted {
  readonly grantor: string;
  readonly grantee: string;
  readonly privilege: string;
  readonly grantable: boolean;
  readonly isPublic: boolean;
}

function asks({ session }: RowSource): { roles: Roles; role: number } {
  const role = session.role?.() ?? OWNER_ROLE;
  // A session that is no role sees what the owner sees.
  return { roles: rolesOf(session), role: role === 0 ? OWNER_ROLE : role };
}

/** The entries of the list that concern the current user. */
function* granted(source: RowSource, acl: Acl, owner: number, mask: number): Iterable<Granted> {
  const { roles, role } = asks(source);
  const name = (oid: number): string => roles.byOid(oid)?.name ?? `unknown (OID=${oid})`;
  for (const item of acl) {
    const isPublic = item.grantee === PUBLIC;
    if (!isPublic && !roles.hasRightsOf(role, item.grantor) && !roles.hasRightsOf(role, item.grantee)) continue;
    for (const privilege of PRIVILEGE_NAMES) {
      const bit = PRIVILEGE[privilege];
      if ((item.privileges & mask & bit) === 0) continue;
      const grantable = (item.grantable & bit) !== 0 || (!isPublic && roles.hasRightsOf(item.grantee, owner));
      yield { grantor: name(item.grantor), grantee: isPublic ? 'PUBLIC' : name(item.grantee), privilege, grantable, isPublic };
    }
  }
}

function listOf({ schema }: RowSource, kind: AclKind, object: number): Acl {
  return schema.aclOf(object) ?? defaultAcl(kind, schema.ownerOf(object));
}

function* relations({ schema }: RowSource): Iterable<{ number: number; schema: string; name: string; columns: readonly { name: string; attnum: number }[] }> {
  yield* schema.tables.values();
  for (const view of schema.views.values()) yield { ...view, columns: view.columns.map(({ name }, i) => ({ name, attnum: i + 1 })) };
}

type Filter = (each: Granted) => boolean;
const all: Filter = () => true;
const named: Filter = ({ isPublic }) => !isPublic;

function tables(source: RowSource, filter: Filter): Row[] {
  const rows: Row[] = [];
  for (const { number, schema, name } of relations(source)) {
    for (const each of granted(source, listOf(source, 'r', number), source.schema.ownerOf(number), -1)) {
      const { grantor, grantee, privilege, grantable } = each;
      if (filter(each)) rows.push([grantor, grantee, source.database, schema, name, privilege, yes(grantable), yes(privilege === 'SELECT')]);
    }
  }
  return rows;
}

const COLUMN_PRIVILEGES = PRIVILEGE.SELECT | PRIVILEGE.INSERT | PRIVILEGE.UPDATE | PRIVILEGE.REFERENCES;

function columns(source: RowSource, filter: Filter): Row[] {
  const rows: Row[] = [];
  for (const { number, schema, name, columns: own } of relations(source)) {
    const owner = source.schema.ownerOf(number);
    const onTable = [...granted(source, listOf(source, 'r', number), owner, COLUMN_PRIVILEGES)];
    for (const column of own) {
      const seen = new Set<string>();
      const acl = source.schema.columnAclOf(number, column.attnum) ?? [];
      for (const each of [...onTable, ...granted(source, acl, owner, COLUMN_PRIVILEGES)]) {
        const { grantor, grantee, privilege, grantable } = each;
        const row = [grantor, grantee, source.database, schema, name, column.name, privilege, yes(grantable)];
        if (!filter(each) || seen.has(row.join('\0'))) continue;
        seen.add(row.join('\0'));
        rows.push(row);
      }
    }
  }
  return rows;
}

function usage(source: RowSource, filter: Filter): Row[] {
  const rows: Row[] = [];
  for (const { number, schema, name } of source.schema.sequences.values()) {
    for (const each of granted(source, listOf(source, 'S', number), source.schema.ownerOf(number), PRIVILEGE.USAGE)) {
      if (filter(each)) rows.push([each.grantor, each.grantee, source.database, schema, name, 'SEQUENCE', 'USAGE', yes(each.grantable)]);
    }
  }
  const { wrappers, servers } = source.schema;
  for (const { what, number, name } of [...wrappers.values(), ...servers.values()]) {
    const [kind, title] = what === 'server' ? (['V', 'FOREIGN SERVER'] as const) : (['F', 'FOREIGN DATA WRAPPER'] as const);
    for (const each of granted(source, listOf(source, kind, number), source.schema.ownerOf(number), PRIVILEGE.USAGE)) {
      if (filter(each)) rows.push([each.grantor, each.grantee, source.database, '', name, title, 'USAGE', yes(each.grantable)]);
    }
  }
  return rows;
}

function types(source: RowSource, filter: Filter): Row[] {
  const rows: Row[] = [];
  for (const { number, schema, name } of source.schema.types.values()) {
    for (const each of granted(source, listOf(source, 'T', number), source.schema.ownerOf(number), PRIVILEGE.USAGE)) {
      if (filter(each)) rows.push([each.grantor, each.grantee, source.database, schema, name, 'TYPE USAGE', yes(each.grantable)]);
    }
  }
  return rows;
}

export const tablePrivilegeRows = (source: RowSource): Row[] => tables(source, all);
export const tableGrantRows = (source: RowSource): Row[] => tables(source, named);
export const columnPrivilegeRows = (source: RowSource): Row[] => columns(source, all);
export const columnGrantRows = (source: RowSource): Row[] => columns(source, named);
export const usagePrivilegeRows = (source: RowSource): Row[] => usage(source, all);
export const usageGrantRows = (source: RowSource): Row[] => usage(source, named);
export const typePrivilegeRows = (source: RowSource): Row[] => types(source, all);
export const typeGrantRows = (source: RowSource): Row[] => types(source, named);

export function enabledRoleRows(source: RowSource): Row[] {
  const { roles, role } = asks(source);
  return [...roles.all()].filter(({ oid }) => roles.hasRightsOf(role, oid)).map(({ name }): Value[] => [name]);
}

export function applicableRoleRows(source: RowSource): Row[] {
  const { roles, role } = asks(source);
  return roles.memberships
    .filter(({ member }) => roles.hasRightsOf(role, member))
    .map(({ role: of, member, admin }) => [roles.byOid(member)!.name, roles.byOid(of)!.name, yes(admin)]);
}

export function administrableRoleRows(source: RowSource): Row[] {
  return applicableRoleRows(source).filter(([, , admin]) => admin === 'YES');
}
