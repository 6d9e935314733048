/** Details of an event in the history, in addition to its word and row count: the worlds involved, the actor, the approval. */
import type { WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import type { Event } from '../events/event.ts';
import type { Context } from '../worlds/context.ts';
import { worldId } from '../worlds/names.ts';
import type { HistoryEvent, WorldName } from './contract.ts';
import { eventId } from './event-bounds.ts';

export type EventNote = Pick<HistoryEvent, 'branch' | 'into' | 'onto' | 'undoes' | 'by' | 'approval'>;

/** By name and, because the name may be reused, by id; undefined if the world has been trimmed. */
export function worldNamed(context: Context, number: WorldNumber): WorldName | undefined {
  const world = context.state.worlds.record(number) ?? context.state.worlds.endedByNumber(number);
  return world === null ? undefined : { name: world.name, id: worldId(number, world.created) };
}

/** `actor`: from the record. */
export function noteOf(context: Context, event: Event, world: WorldNumber, actor: string): EventNote {
  const by = actor === '' ? null : actor;
  const named = (number: WorldNumber): WorldName | undefined => worldNamed(context, number);
  switch (event.type) {
    case 'merged': {
      const { passage } = event;
      const approval =
        passage === null ? {} : { approval: { way: passage.approvedBy, policy: passage.policy, by: passage.approvedBy === 'approved' ? by : null } };
      return { ...worldsOf(named(event.branch), named(world)), by, ...approval };
    }
    case 'undone':
      return { ...worldsOf(named(event.branch), named(world)), undoes: eventId(event.merge), by };
    case 'rebased': {
      const parent = (context.state.worlds.record(world) ?? context.state.worlds.endedByNumber(world))?.parent ?? 0;
      const onto = parent === 0 ? undefined : named(parent as WorldNumber);
      const branch = named(world);
      return { ...(branch === undefined ? {} : { branch }), ...(onto === undefined ? {} : { onto }), by };
    }
    case 'committed':
      return event.how === 'restore' ? { by } : {};
    default:
      return {};
  }
}

function worldsOf(branch: WorldName | undefined, into: WorldName | undefined): Pick<EventNote, 'branch' | 'into'> {
  return { ...(branch === undefined ? {} : { branch }), ...(into === undefined ? {} : { into }) };
}

/** Start of history; null: that of the database. */
export function historySince(context: Context): string | null {
  const { sequence, at } = context.engine.historyStart;
  const { horizon } = context;
  const isCut = horizon > (context.state.worlds.byName('main')?.created ?? Infinity);
  return sequence === 0 && !isCut ? null : formatMicros(isCut && horizon > at ? horizon : at);
}
