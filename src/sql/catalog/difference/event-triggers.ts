/** Differences of event triggers as SQL statements. */
import type { EventTriggerObject } from '../../../worlds/definition.ts';
import { quoteIdentifier } from '../../../base/quote-identifier.ts';
import { nameOf } from '../../schema/qualified-name.ts';
import type { Schema } from '../../schema/schema.ts';
import { FIRING } from '../../schema/trigger-text.ts';

/** Statements at the very start and at the very end. */
export function eventTriggersAsSql(before: Schema, after: Schema): { readonly gone: string[]; readonly made: string[] } {
  const made: string[] = [];
  const gone: string[] = [];
  for (const old of before.eventTriggers.values()) {
    const next = after.eventTriggers.get(old.number);
    if (next === undefined || !alike(old, next)) gone.push(`DROP EVENT TRIGGER ${quoteIdentifier(old.name)};`);
  }
  for (const next of after.eventTriggers.values()) {
    const old = before.eventTriggers.get(next.number);
    const isNew = old === undefined || !alike(old, next);
    if (isNew) made.push(asSql(after, next));
    if ((isNew ? undefined : old.fires) !== next.fires) made.push(`ALTER EVENT TRIGGER ${quoteIdentifier(next.name)} ${FIRING[next.fires ?? 'origin']};`);
  }
  return { gone, made };
}

function alike(a: EventTriggerObject, b: EventTriggerObject): boolean {
  return JSON.stringify({ ...a, fires: null }) === JSON.stringify({ ...b, fires: null });
}

function asSql(schema: Schema, { name, event, tags, function: routine }: EventTriggerObject): string {
  const filter = tags === undefined ? '' : ` WHEN TAG IN (${tags.map((tag) => `'${tag}'`).join(', ')})`;
  const own = schema.functions.get(routine);
  return `CREATE EVENT TRIGGER ${quoteIdentifier(name)} ON ${event}${filter} EXECUTE FUNCTION ${own === undefined ? '' : nameOf(own.object)}();`;
}
