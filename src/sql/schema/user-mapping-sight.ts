/** Visibility of the options of user mappings, which often contain passwords. */
import type { UserMappingObject } from '../../worlds/definition.ts';
import type { Reader } from '../../worlds/typed-tables.ts';
import { PRIVILEGE } from './acl.ts';
import { Privileges } from './privileges.ts';
import type { Schema } from './schema.ts';

/** One's own with USAGE on the server, PUBLIC's for the server's owner, all for superusers. */
export function seesOptions(schema: Schema, { roles, role, secrets }: Reader, { role: mapped, server }: UserMappingObject): boolean {
  if (!secrets) return false;
  if (roles.isSuperuser(role)) return true;
  const rights = new Privileges(schema, roles);
  if (mapped === 0) return rights.owns(role, server);
  return mapped === role && (rights.owns(role, server) || rights.held(role, 'V', server, PRIVILEGE.USAGE) !== 0);
}
