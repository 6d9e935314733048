/** What a role may do with the objects of a world. Owners and superusers may do everything; built-in objects are readable by all. */
import { FIRST_OWN_OID } from './oids.ts';
import { OWNER_ROLE, READ_ALL_ROLE, type Roles, WRITE_ALL_ROLE } from '../../identity/roles.ts';
import { type Acl, type AclKind, defaultAcl, held, heldGrantable, PRIVILEGE } from './acl.ts';
import type { Schema } from './schema.ts';

/** The world itself, as an object with the privileges of a database. */
export const WORLD_OBJECT = 1;

const { SELECT, INSERT, UPDATE, DELETE, USAGE } = PRIVILEGE;

/** Catalogs that contain passwords or samples of rows. */
const SECRET = new Set([
  1260, // pg_authid
  2619, // pg_statistic
  3429, // pg_statistic_ext_data
  1418, // pg_user_mapping
  2613, // pg_largeobject
]);
const SECRET_VIEWS = new Set([
  'pg_shadow',
  'pg_user_mapping',
  'pg_hba_file_rules',
  'pg_ident_file_mappings',
  'pg_file_settings',
  'pg_config',
  'pg_backend_memory_contexts',
  'pg_shmem_allocations',
  'pg_replication_origin_status',
]);

/** Whether only superusers may read the system relation. */
export function isSecret(oid: number, name: string): boolean {
  return SECRET.has(oid) || SECRET_VIEWS.has(name);
}

export class Privileges {
  readonly schema: Schema;
  readonly roles: Roles;

  constructor(schema: Schema, roles: Roles) {
    this.schema = schema;
    this.roles = roles;
  }

  /** The object's list, or the default one. */
  acl(kind: AclKind, object: number): Acl {
    const { schema } = this;
    if (object < FIRST_OWN_OID && object !== 2200 && object !== WORLD_OBJECT && schema.aclOf(object) === null) {
      const usual = defaultAcl(kind, OWNER_ROLE);
      const everybodys = kind === 'r' ? SELECT : kind === 'n' ? USAGE : 0;
      return everybodys === 0 ? usual : [...usual, { grantee: 0, grantor: OWNER_ROLE, privileges: everybodys, grantable: 0 }];
    }
    return schema.aclOf(object) ?? defaultAcl(kind, schema.ownerOf(object));
  }

  /** The privileges of `mask` that the role has on the object. */
  held(role: number, kind: AclKind, object: number, mask: number): number {
    const { roles } = this;
    if (roles.isSuperuser(role)) return mask;
    let out = held(this.acl(kind, object), roles, role, mask);
    if ((kind === 'r' || kind === 'S' || kind === 'n') && out !== mask) {
      const own = roles.inherits(role);
      if (own.has(READ_ALL_ROLE)) out |= mask & (kind === 'n' ? USAGE : SELECT);
      if (own.has(WRITE_ALL_ROLE)) out |= mask & (kind === 'n' ? USAGE : kind === 'S' ? USAGE | UPDATE : INSERT | UPDATE | DELETE);
    }
    return out;
  }

  heldGrantable(role: number, kind: AclKind, object: number, mask: number): number {
    return heldGrantable(this.acl(kind, object), this.schema.ownerOf(object), this.roles, role, mask);
  }

  /** The privileges on the column alone, without those on its table. */
  heldOnColumn(role: number, object: number, attnum: number, mask: number): number {
    if (this.roles.isSuperuser(role)) return mask;
    const acl = this.schema.columnAclOf(object, attnum);
    return acl === null ? 0 : held(acl, this.roles, role, mask);
  }

  heldGrantableOnColumn(role: number, object: number, attnum: number, mask: number): number {
    const acl = this.schema.columnAclOf(object, attnum);
    if (this.roles.hasRightsOf(role, this.schema.ownerOf(object))) return mask;
    return acl === null ? 0 : heldGrantable(acl, -1, this.roles, role, mask);
  }

  owns(role: number, object: number): boolean {
    return this.roles.hasRightsOf(role, this.schema.ownerOf(object));
  }

  /** Whether the role has USAGE on the schema. */
  mayUse(role: number, schema: string): boolean {
    const number = this.schema.schemas.get(schema);
    return number === undefined || this.held(role, 'n', number, USAGE) !== 0;
  }
}
