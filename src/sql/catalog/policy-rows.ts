/** pg_policy and pg_policies. */
import type { PolicyObject } from '../../worlds/definition.ts';
import type { SqlTable } from '../schema/table.ts';
import { ArrayValue } from '../types/array-value.ts';
import { rolesOf } from './catalog-session.ts';
import type { DefinitionTexts } from './definition-texts.ts';
import type { Row } from './made-relation.ts';
import type { RowSource } from './system-catalog.ts';

const COMMANDS: Readonly<Record<PolicyObject['command'], string>> = { all: '*', select: 'r', insert: 'a', update: 'w', delete: 'd' };

function* policies({ schema }: Pick<RowSource, 'schema'>): Iterable<{ table: SqlTable; policy: PolicyObject }> {
  for (const [number, security] of schema.secured) {
    const table = schema.tables.get(number);
    if (table !== undefined) for (const policy of security.policies) yield { table, policy };
  }
}

function textOf(texts: DefinitionTexts, sql: string | null): string | null {
  return sql === null ? null : texts.condition(sql);
}

export function policyRows(source: RowSource): Row[] {
  const { trees } = source;
  return [...policies(source)].map(({ table, policy: { number, name, command, permissive, roles, using, check } }) => [
    number,
    name,
    table.number,
    COMMANDS[command],
    permissive,
    new ArrayValue(roles),
    textOf(trees, using),
    textOf(trees, check),
  ]);
}

export function policyViewRows(source: RowSource): Row[] {
  const { texts, session } = source;
  const known = rolesOf(session);
  return [...policies(source)].map(({ table, policy: { name, command, permissive, roles, using, check } }) => {
    const names = roles.map((oid) => (oid === 0 ? 'public' : (known.byOid(oid)?.name ?? String(oid)))).sort();
    return [
      table.schema,
      table.name,
      name,
      permissive ? 'PERMISSIVE' : 'RESTRICTIVE',
      new ArrayValue(names),
      command.toUpperCase(),
      textOf(texts, using),
      textOf(texts, check),
    ];
  });
}
