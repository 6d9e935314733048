/** Differences of row security as the SQL statements that make them. */
import type { PolicyObject } from '../../worlds/definition.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';

export function policiesAsSql(before: Schema, after: Schema, conditionOf: (sql: string) => string): string[] {
  const out: string[] = [];
  for (const number of new Set([...before.secured, ...after.secured].map(([table]) => table))) {
    const table = after.tables.get(number);
    if (table === undefined) continue;
    const on = nameOf(table);
    const [was, is] = [before.security(number), after.security(number)];
    for (const old of was?.policies ?? []) {
      const now = is?.policies.find((policy) => policy.number === old.number);
      if (now === undefined || JSON.stringify({ ...now, name: '' }) !== JSON.stringify({ ...old, name: '' }))
        out.push(`DROP POLICY ${quoteIdentifier(old.name)} ON ${on};`);
      else if (now.name !== old.name) out.push(`ALTER POLICY ${quoteIdentifier(old.name)} ON ${on} RENAME TO ${quoteIdentifier(now.name)};`);
    }
    for (const now of is?.policies ?? []) {
      const old = was?.policies.find((policy) => policy.number === now.number);
      if (old === undefined || JSON.stringify({ ...now, name: '' }) !== JSON.stringify({ ...old, name: '' })) out.push(policyAsSql(on, now, conditionOf));
    }
    if ((was?.enabled ?? false) !== (is?.enabled ?? false)) out.push(`ALTER TABLE ${on} ${is?.enabled === true ? 'ENABLE' : 'DISABLE'} ROW LEVEL SECURITY;`);
    if ((was?.forced ?? false) !== (is?.forced ?? false)) out.push(`ALTER TABLE ${on} ${is?.forced === true ? 'FORCE' : 'NO FORCE'} ROW LEVEL SECURITY;`);
  }
  return out;
}

/** Roles belong to the folder, so a world's definitions know their numbers only: those stand for their names, and must be replaced. */
function policyAsSql(on: string, { name, permissive, command, roles, using, check }: PolicyObject, conditionOf: (sql: string) => string): string {
  const parts = [`CREATE POLICY ${quoteIdentifier(name)} ON ${on}`];
  if (!permissive) parts.push('AS RESTRICTIVE');
  if (command !== 'all') parts.push(`FOR ${command.toUpperCase()}`);
  if (!roles.includes(0)) parts.push(`TO ${roles.map((oid) => `"${oid}"`).join(', ')}`);
  if (using !== null) parts.push(`USING (${conditionOf(using)})`);
  if (check !== null) parts.push(`WITH CHECK (${conditionOf(check)})`);
  return `${parts.join(' ')};`;
}
