/**
 * pg_shdepend of the current world: objects owned by a role, granting it privileges or naming it, which prevent dropping it. As in
 * Postgres, dependencies on the bootstrap user and predefined roles are omitted.
 */
import { FIRST_ROLE } from '../../identity/roles.ts';
import { type Acl, parseItem } from '../schema/acl.ts';
import { WORLD_OBJECT } from '../schema/privileges.ts';
import { FIRST_OWN_OID } from '../schema/oids.ts';
import { PUBLIC_SCHEMA } from '../schema/schema-rights.ts';
import { databasesOf } from './catalog-session.ts';
import { classOf } from './description-rows.ts';
import { CLASS } from './fixed-oids.ts';
import type { Row } from './made-relation.ts';
import { defaultAclOid } from './rights-rows.ts';
import type { RowSource } from './system-catalog.ts';

export function sharedDependRows(source: RowSource): Row[] {
  const { schema, session, functions } = source;
  const database = databasesOf(session).find(({ name }) => name === session.database)?.oid ?? 0;
  const rows: Row[] = [];
  const add = (catalog: number, object: number, attnum: number, role: number, kind: 'o' | 'a' | 'r'): void => {
    if (role >= FIRST_ROLE) rows.push([catalog === CLASS.pg_database ? 0 : database, catalog, object, attnum, CLASS.pg_authid, role, kind]);
  };
  const members = (catalog: number, object: number, attnum: number, acl: Acl, owner: number): void => {
    const roles = new Set(acl.flatMap(({ grantee, grantor }) => [grantee, grantor]));
    for (const role of roles) if (role !== owner) add(catalog, object, attnum, role, 'a');
  };
  const catalogOf = (object: number): number => {
    // A composite type's relation has no owner of its own.
    if (schema.types.has(object)) return CLASS.pg_type;
    if (object >= FIRST_OWN_OID || object === PUBLIC_SCHEMA) return classOf(source, object);
    return functions.byOid.has(object) ? CLASS.pg_proc : CLASS.pg_class;
  };
  const place = (object: number): [catalog: number, object: number] => (object === WORLD_OBJECT ? [CLASS.pg_database, database] : [catalogOf(object), object]);
  for (const [object, { owner }] of schema.rights.owners) add(...place(object), 0, owner, 'o');
  for (const [key, acl] of schema.grants()) {
    const [object, attnum] = key.split('.').map(Number);
    members(...place(object), attnum, acl, schema.ownerOf(object));
  }
  schema.defaultRights.forEach(({ role, acl }, i) => {
    add(CLASS.pg_default_acl, defaultAclOid(i), 0, role, 'o');
    members(CLASS.pg_default_acl, defaultAclOid(i), 0, acl.map(parseItem), role);
  });
  for (const [, { policies }] of schema.secured) {
    for (const { number, roles } of policies) for (const role of roles) add(CLASS.pg_policy, number, 0, role, 'r');
  }
  for (const { number, role } of schema.plain.of('user mapping').values()) add(CLASS.pg_user_mapping, number, 0, role, 'o');
  for (const { oid, owner, acl } of session.largeObjects?.() ?? []) {
    add(CLASS.pg_largeobject, oid, 0, owner, 'o');
    members(CLASS.pg_largeobject, oid, 0, acl ?? [], owner);
  }
  return rows;
}
