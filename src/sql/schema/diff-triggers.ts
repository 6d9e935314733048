/** Differences of triggers as the SQL statements that make them. Copies on partitions come and go with their table's. */
import type { TriggerObject } from '../../worlds/definition.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';
import { triggerText } from './trigger-text.ts';

export function triggersAsSql(before: Schema, after: Schema): string[] {
  const out: string[] = [];
  const gone: string[] = [];
  for (const number of new Set([...before.triggered, ...after.triggered].map(([table]) => table))) {
    const now = onName(after, number);
    if (now === null) continue;
    const alike = (a: TriggerObject, b: TriggerObject): boolean => JSON.stringify({ ...a, fires: null }) === JSON.stringify({ ...b, fires: null });
    for (const old of before.triggers(number)) {
      if (old.parent !== undefined) continue;
      const next = after.triggers(number).find((each) => each.number === old.number);
      if (next === undefined || !alike(old, next)) gone.push(`DROP TRIGGER ${quoteIdentifier(old.name)} ON ${now};`);
    }
    for (const next of after.triggers(number)) {
      const old = before.triggers(number).find((each) => each.number === next.number);
      if (next.parent === undefined && (old === undefined || !alike(old, next))) out.push(`${asSql(after, next, now)};`);
      if (old?.fires !== next.fires) out.push(`ALTER TABLE ${now} ${MODES[next.fires ?? 'origin']} TRIGGER ${quoteIdentifier(next.name)};`);
    }
  }
  return [...gone, ...out];
}

function quoteLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
  return text.includes('\\') ? `E${quoted}` : quoted;
}

const MODES = { origin: 'ENABLE', always: 'ENABLE ALWAYS', replica: 'ENABLE REPLICA', never: 'DISABLE' } as const;

function onName(schema: Schema, number: number): string | null {
  const found = schema.tables.get(number) ?? schema.views.get(number);
  return found === undefined ? null : nameOf(found);
}

function asSql(schema: Schema, trigger: TriggerObject, on: string): string {
  const { columns, constraint, when, args, oldTable, newTable, name } = trigger;
  const table = schema.tables.get(trigger.table);
  const view = schema.views.get(trigger.table);
  const own = 'own' in trigger.function ? schema.functions.get(trigger.function.own) : undefined;
  const quoted = (text: string | null): string | null => (text === null ? null : quoteIdentifier(text));
  return triggerText(trigger, {
    name: quoteIdentifier(name),
    on,
    from: constraint?.from == null ? null : onName(schema, constraint.from),
    columns: columns.map((each) => quoteIdentifier(table?.columns.find(({ number }) => number === each)?.name ?? view?.columns[each - 1]?.name ?? '')),
    when,
    routine: 'name' in trigger.function ? trigger.function.name : own === undefined ? '' : nameOf(own.object),
    args: args.map(quoteLiteral),
    oldTable: quoted(oldTable),
    newTable: quoted(newTable),
  });
}
