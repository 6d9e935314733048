/** Who sees the options of user mappings, which are often passwords. */
import type { UserMappingObject } from '../../worlds/definition.ts';
import type { Reader } from '../../worlds/typed-tables.ts';
import { PRIVILEGE } from './acl.ts';
import { Privileges } from './privileges.ts';
import type { Schema } from './schema.ts';

/** One's own with USAGE on the server, everybody's by its owner, all by superusers. */
export function seesOptions(schema: Schema, { roles, role, secrets }: Reader, { role: mapped, server }: UserMappingObject): boolean {
  if (!secrets) return false;
  if (roles.isSuperuser(role)) return true;
  const rights = new Privileges(schema, roles);
  if (mapped === 0) return rights.owns(role, server);
  return mapped === role && (rights.owns(role, server) || rights.held(role, 'V', server, PRIVILEGE.USAGE) !== 0);
}
