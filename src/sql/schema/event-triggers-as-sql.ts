/** Differences of event triggers as the SQL statements that make them. */
import type { EventTriggerObject } from '../../worlds/definition.ts';
import { quoteIdentifier } from '../../base/quote-identifier.ts';
import { nameOf } from './qualified-name.ts';
import type { Schema } from './schema.ts';

const MODES = { origin: 'ENABLE', always: 'ENABLE ALWAYS', replica: 'ENABLE REPLICA', never: 'DISABLE' } as const;

export function eventTriggersAsSql(before: Schema, after: Schema): string[] {
  const out: string[] = [];
  const gone: string[] = [];
  for (const old of before.eventTriggers.values()) {
    const next = after.eventTriggers.get(old.number);
    if (next === undefined || !alike(old, next)) gone.push(`DROP EVENT TRIGGER ${quoteIdentifier(old.name)};`);
  }
  for (const next of after.eventTriggers.values()) {
    const old = before.eventTriggers.get(next.number);
    const made = old === undefined || !alike(old, next);
    if (made) out.push(asSql(after, next));
    if ((made ? undefined : old.fires) !== next.fires) out.push(`ALTER EVENT TRIGGER ${quoteIdentifier(next.name)} ${MODES[next.fires ?? 'origin']};`);
  }
  return [...gone, ...out];
}

function alike(a: EventTriggerObject, b: EventTriggerObject): boolean {
  return JSON.stringify({ ...a, fires: null }) === JSON.stringify({ ...b, fires: null });
}

function asSql(schema: Schema, { name, event, tags, function: routine }: EventTriggerObject): string {
  const filter = tags === undefined ? '' : ` WHEN TAG IN (${tags.map((tag) => `'${tag}'`).join(', ')})`;
  const own = schema.functions.get(routine);
  return `CREATE EVENT TRIGGER ${quoteIdentifier(name)} ON ${event}${filter} EXECUTE FUNCTION ${own === undefined ? '' : nameOf(own.object)}();`;
}
