/** CREATE, ALTER and DROP POLICY, and row security of tables, as definitions. */
import { SvcError } from '../../base/errors/svc-error.ts';
import { type PolicyObject, type RowSecurityObject, rowSecurityKey } from '../../worlds/definition.ts';
import type { Ddl } from './ddl.ts';
import type { SqlTable } from './table.ts';

/** 42704. */
export function policyNamed(ddl: Ddl, table: SqlTable, name: string): PolicyObject {
  const found = ddl.schema.security(table.number)?.policies.find((policy) => policy.name === name);
  if (found === undefined) throw noSuchPolicy(table, name);
  return found;
}

export function noSuchPolicy(table: SqlTable, name: string): SvcError {
  return new SvcError('42704', `policy "${name}" for table "${table.name}" does not exist`);
}

/** 42710 if the table has a policy of the name. */
export function refusePolicyName(ddl: Ddl, table: SqlTable, name: string): void {
  if (ddl.schema.security(table.number)?.policies.some((policy) => policy.name === name) !== true) return;
  throw new SvcError('42710', `policy "${name}" for table "${table.name}" already exists`);
}

export function createPolicy(ddl: Ddl, policy: Omit<PolicyObject, 'what' | 'number'>): void {
  const object: PolicyObject = { what: 'policy', number: 0, ...policy };
  object.number = ddl.numberFor(object);
  ddl.put(object);
}

export function setRowSecurity(ddl: Ddl, table: SqlTable, mode: 'enable' | 'disable' | 'force' | 'noForce'): void {
  const known = ddl.definitions.get(rowSecurityKey(table.number));
  const before: RowSecurityObject = known?.what === 'row security' ? known : { what: 'row security', table: table.number, enabled: false, forced: false };
  const after = mode === 'enable' || mode === 'disable' ? { ...before, enabled: mode === 'enable' } : { ...before, forced: mode === 'force' };
  if (after.enabled || after.forced) ddl.put(after);
  else if (known !== undefined) ddl.remove(known);
}

/** Removes dropped roles from policies; a policy without other roles is dropped. */
export function withoutPolicyRoles(ddl: Ddl, gone: readonly number[]): void {
  // Definitions change during the loop.
  const all = [...ddl.definitions.values()].filter((object) => object.what === 'policy');
  for (const object of all) {
    if (!object.roles.some((role) => gone.includes(role))) continue;
    const roles = object.roles.filter((role) => !gone.includes(role));
    if (roles.length === 0) ddl.remove(object);
    else ddl.put({ ...object, roles });
  }
}
