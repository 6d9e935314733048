/** Decoded row security of a table: whether it is enabled, and its policies ordered by name. */
import { isAgentOwner } from '../../base/agent-owner.ts';
import type { Roles } from '../../identity/roles.ts';
import type { PolicyObject, RowSecurityObject } from '../../worlds/definition.ts';
import type { Schema } from './schema.ts';

export interface TableSecurity {
  readonly enabled: boolean;
  /** It applies to the table's owner, too. */
  readonly forced: boolean;
  readonly policies: readonly PolicyObject[];
}

/** The policies for a role that accesses the table, and whether it is the owner; null: none apply. */
export function securityFor(schema: Schema, roles: Roles, role: number, table: number): { readonly security: TableSecurity; readonly owns: boolean } | null {
  const security = schema.security(table);
  if (security === null || !security.enabled) return null;
  if (role === 0 || isAgentOwner(role) || roles.isSuperuser(role) || roles.byOid(role)?.bypassRowSecurity === true) return null;
  const owns = roles.hasRightsOf(role, schema.ownerOf(table));
  return owns && !security.forced ? null : { security, owns };
}

const NONE: TableSecurity = { enabled: false, forced: false, policies: [] };

/** The table's security after removing one definition and adding another; null if nothing remains. */
export function securityAfter(
  known: TableSecurity | undefined,
  before: PolicyObject | RowSecurityObject | undefined,
  after: PolicyObject | RowSecurityObject | undefined,
): TableSecurity | null {
  let { enabled, forced, policies } = known ?? NONE;
  if (before?.what === 'policy') policies = policies.filter(({ number }) => number !== before.number);
  if (before?.what === 'row security') enabled = forced = false;
  if (after?.what === 'policy') policies = [...policies, after].sort(byName);
  if (after?.what === 'row security') ({ enabled, forced } = after);
  return enabled || forced || policies.length > 0 ? { enabled, forced, policies } : null;
}

function byName(a: PolicyObject, b: PolicyObject): number {
  return a.name < b.name ? -1 : 1;
}
