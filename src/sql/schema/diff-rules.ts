/** Differences of rules as the SQL statements that make them. */
import type { RuleObject } from '../../worlds/definition.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';

const MODES = { origin: 'ENABLE', always: 'ENABLE ALWAYS', replica: 'ENABLE REPLICA', never: 'DISABLE' } as const;

export function rulesAsSql(before: Schema, after: Schema): string[] {
  const out: string[] = [];
  const gone: string[] = [];
  for (const number of new Set([...before.ruled, ...after.ruled].map(([relation]) => relation))) {
    const relation = after.tables.get(number) ?? after.views.get(number);
    if (relation === undefined) continue;
    const on = nameOf(relation);
    for (const old of before.rules(number)) {
      const next = after.rules(number).find((each) => each.number === old.number);
      if (next === undefined) gone.push(`DROP RULE ${quoteIdentifier(old.name)} ON ${on};`);
      else if (next.name !== old.name) gone.push(`ALTER RULE ${quoteIdentifier(old.name)} ON ${on} RENAME TO ${quoteIdentifier(next.name)};`);
    }
    for (const next of after.rules(number)) {
      const old = before.rules(number).find((each) => each.number === next.number);
      if (old === undefined) out.push(`CREATE ${asSql(next, on)};`);
      else if (asSql(old, on) !== asSql({ ...next, name: old.name }, on)) out.push(`CREATE OR REPLACE ${asSql(next, on)};`);
      if (old?.fires !== next.fires) out.push(`ALTER TABLE ${on} ${MODES[next.fires ?? 'origin']} RULE ${quoteIdentifier(next.name)};`);
    }
  }
  return [...gone, ...out];
}

function asSql({ name, event, instead, where, actions }: RuleObject, on: string): string {
  const condition = where === null ? '' : ` WHERE ${where}`;
  const body = actions.length === 0 ? 'NOTHING' : actions.length === 1 ? actions[0] : `(${actions.join('; ')})`;
  return `RULE ${quoteIdentifier(name)} AS ON ${event.toUpperCase()} TO ${on}${condition} DO ${instead ? 'INSTEAD' : 'ALSO'} ${body}`;
}
