/** CREATE POLICY. */
import type { PolicyObject } from '../../../worlds/definition.ts';
import { quoteIdentifier } from '../../../base/quote-identifier.ts';

/** Roles belong to the folder, so definitions contain only their numbers: a number is written if no name is known, and must be replaced. */
export function policyAsSql(
  on: string,
  { name, permissive, command, roles, using, check }: PolicyObject,
  conditionOf: (sql: string) => string,
  roleName: (oid: number) => string | null,
): string {
  const parts = [`CREATE POLICY ${quoteIdentifier(name)} ON ${on}`];
  if (!permissive) parts.push('AS RESTRICTIVE');
  if (command !== 'all') parts.push(`FOR ${command.toUpperCase()}`);
  if (!roles.includes(0)) parts.push(`TO ${roles.map((oid) => roleName(oid) ?? `"${oid}"`).join(', ')}`);
  if (using !== null) parts.push(`USING (${conditionOf(using)})`);
  if (check !== null) parts.push(`WITH CHECK (${conditionOf(check)})`);
  return `${parts.join(' ')};`;
}
