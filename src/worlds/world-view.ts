/** A world as operations show it, now or as it was at a moment. */
import type { Micros } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import type { WorldView } from '../commands/contract.ts';
import { worldId } from './names.ts';
import type { PastState, State } from './state.ts';
import type { WorldRecord } from './world.ts';

/** What a view reads. A past state has no history: of a moment, only worlds that were open then are shown. */
export type Viewed = Pick<PastState, 'worlds' | 'agents' | 'attachment'> & Partial<Pick<State, 'history'>>;

/** When the world expires; null: never. */
export function expiryOf({ agents }: Viewed, world: WorldRecord): Micros | null {
  if (world.pinned || world.parent === 0) return null;
  const ttl = world.ttl ?? (world.owner === null ? 0 : (agents.lastByName(world.owner)?.quotas.world_ttl ?? 0));
  return ttl === 0 ? null : ((world.created + ttl * 1000) as Micros);
}

export function worldView(state: Viewed, world: WorldRecord): WorldView {
  const { worlds } = state;
  const expires = world.status === 'open' ? expiryOf(state, world) : null;
  const parent = world.parent === 0 ? null : (worlds.record(world.parent) ?? worlds.endedByNumber(world.parent));
  return {
    name: world.name,
    id: worldId(world.number, world.created),
    parent: parent?.name ?? null,
    depth: world.depth,
    created: formatMicros(world.created),
    version: world.version,
    flagged: worlds.isFlagged(world),
    meta: world.meta as WorldView['meta'],
    owner: world.owner,
    expires: expires === null ? null : formatMicros(expires),
    active: formatMicros(world.active),
    pinned: world.pinned,
    checkpoints: world.checkpoints.map(({ name, at }) => ({ name, at: formatMicros(at) })),
    ...(world.status === 'open' ? pendingOf(state, world) : endingOf(state, world)),
  };
}

/** The transaction of an attached Postgres whose fate decides a merge of this world, or into it. */
function pendingOf({ attachment: { pending } }: Viewed, { number }: WorldRecord): Pick<WorldView, 'pending'> {
  return pending !== null && (pending.branch === number || pending.into === number) ? { pending: pending.xid } : {};
}

/** How an ended world ended. */
function endingOf({ worlds, history }: Viewed, world: WorldRecord): Pick<WorldView, 'state' | 'ended' | 'into'> {
  const last = history?.list(world.number, 1)[0];
  const ended = last === undefined ? {} : { ended: formatMicros(last.at) };
  if (world.status !== 'merged') return { state: 'discarded', ...ended };
  const into = world.merges.at(-1)?.into;
  const target = into === undefined ? null : (worlds.record(into) ?? worlds.endedByNumber(into));
  return { state: 'merged', ...ended, into: target?.name ?? null };
}
