/** Worlds: fork, list, describe, checkpoint, restore, discard, confirm. */
import { setField } from '../base/json.ts';
import type { Sequence, WorldNumber } from '../base/brands.ts';
import { formatMicros } from '../base/clock.ts';
import { deceptionIn } from '../base/deceptive-name.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { LIMITS } from '../base/limits.ts';
import { countRows, type TreeChanges } from '../events/changes.ts';
import type { Meta } from '../events/meta.ts';
import { authorize, isMain } from '../session/authorize.ts';
import { actorName, describe, ownerName, type Principal } from '../session/principal.ts';
import { quotaOf } from '../session/quotas.ts';
import { admitChanges } from '../worlds/admit-changes.ts';
import type { Context } from '../worlds/context.ts';
import { checkWorldName, numberOfId, worldId } from '../worlds/names.ts';
import { changesBetween } from '../worlds/changes-between.ts';
import { sequencesOnward } from '../worlds/sequences.ts';
import type { World } from '../worlds/world.ts';
import { worldView } from '../worlds/world-view.ts';
import { refuseUnmaskedState } from './masks-kept.ts';
import type { MergeGuard } from './merge-guard.ts';
import type { DiscardInput, ForkInput, OnBranch, RestoreInput, SetMetaInput, WorldInput, WorldView } from './contract.ts';

export async function forkWorld(context: Context, input: ForkInput, by: Principal, guard: MergeGuard): Promise<{ ok: true; world: WorldView }> {
  checkWorldName(input.name);
  checkMeta(input.meta);
  guard.forking(input.meta ?? {}, by);
  await context.engine.admit();
  const reading = input.from === null ? null : context.read(input.from ?? 'main');
  const parent = reading?.world ?? null;
  if (parent !== null && parent.status !== 'open')
    throw new SvcError('3D000', `world "${parent.name}" is gone and cannot be forked`, { hint: 'Fork its parent at a moment before.' });
  authorize(by, parent === null ? { what: 'create', world: input.name } : { what: 'fork', world: parent, past: reading!.past });
  if (reading?.past === true) refuseUnmaskedState(context, by, reading.world, reading.root);
  if (context.state.worlds.byName(input.name) !== null) {
    throw new SvcError('42P04', `there is a world "${input.name}" already`, { hint: 'Take another name, or discard that world first.' });
  }
  admitWorld(context, by);
  const changes = reading?.past === true ? changesBetween(context.engine.pager, reading.world.root, reading.root) : [];
  const { sequence, world } = context.engine.commit(
    { type: 'forked', name: input.name, parent: parent?.number ?? (0 as WorldNumber), owner: ownerName(by), meta: metaOf(input, by), changes },
    0 as WorldNumber,
    actorName(by),
  );
  if (by.kind === 'safe') by.forked.add(world);
  const view = context.view(context.state.worlds.byNumber(world)!);
  await context.engine.durable(sequence);
  return { ok: true, world: view };
}

/** A world of safe mode belongs to the database's own user: its metadata says which session made it. */
function metaOf({ meta = {} }: ForkInput, by: Principal): Meta {
  return by.kind === 'safe' && by.session !== undefined && !Object.hasOwn(meta, 'forked_by') ? { ...meta, forked_by: by.session } : meta;
}

/** Admits one more world. 53400 (429) past the setting `max_worlds`, 42501 (403) past the agent's quota. */
function admitWorld(context: Context, by: Principal): void {
  const { maxWorlds } = context.system;
  const besideMain = context.state.worlds.count - 1;
  if (maxWorlds > 0 && besideMain >= maxWorlds) {
    throw new SvcError('53400', `there are ${besideMain} of ${maxWorlds} worlds beside main already (max_worlds)`, { hint: 'Merge or discard some first.' });
  }
  const own = quotaOf(by, 'max_worlds');
  if (own > 0 && context.state.worlds.ownedCount(actorName(by)) >= own) {
    throw new SvcError('42501', `${describe(by)} has ${own} world${own === 1 ? '' : 's'} already (max_worlds)`, { hint: 'Merge or discard some first.' });
  }
}

export async function viewWorld(context: Context, input: WorldInput): Promise<WorldView> {
  if (input.at !== undefined) return viewWorldAt(context, input.branch ?? 'main', input.at);
  const view = context.view(context.ever(input.branch));
  await context.engine.durable(context.engine.log.head);
  return view;
}

/** 3D000 if no world of that name or id was open at the moment. */
async function viewWorldAt(context: Context, name: string, at: string): Promise<WorldView> {
  const { state } = await context.stateAt(at);
  const number = numberOfId(name);
  const world = name.startsWith('_tx_') ? null : number === null ? state.worlds.byName(name) : state.worlds.byNumber(number);
  if (world === null || (number !== null && worldId(number, world.created) !== name)) {
    throw new SvcError('3D000', `there was no world "${name.slice(0, 80)}" at ${at}`, {
      hint: 'List the worlds of that moment with `branches` and the same `at`.',
    });
  }
  return worldView(state, world);
}

export async function setMeta(context: Context, input: SetMetaInput, by: Principal, guard: MergeGuard): Promise<WorldView> {
  checkMeta(input.meta);
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world, as: 'describe' });
  guard.describing(world, input.meta, by);
  const meta: Meta = { ...world.meta };
  for (const [key, value] of Object.entries(input.meta)) {
    if (value === null) delete meta[key];
    else setField(meta, key, value);
  }
  const { sequence } = context.engine.commit({ type: 'metaChanged', meta }, world.number, actorName(by));
  const view = context.view(world);
  await context.engine.durable(sequence);
  return view;
}

function checkMeta(meta: unknown): void {
  if (meta === undefined) return;
  if (meta === null || typeof meta !== 'object' || Array.isArray(meta)) throw new SvcError('22023', 'meta must be a JSON object');
  for (const key of ['owner', 'expires']) {
    if (Object.hasOwn(meta, key)) throw new SvcError('22023', `meta cannot hold "${key}": only the database sets it`);
  }
  let size: number;
  try {
    size = Buffer.byteLength(JSON.stringify(meta));
  } catch {
    throw new SvcError('54001', 'meta is nested too deeply');
  }
  if (size > LIMITS.metaBytesMax) throw new SvcError('54000', `meta has at most ${LIMITS.metaBytesMax} bytes, this has ${size}`);
}

export async function checkpointWorld(context: Context, input: OnBranch & { name: string }, by: Principal): Promise<{ ok: true; at: string }> {
  if (typeof input.name !== 'string' || input.name.length === 0 || /\s/.test(input.name) || input.name.length > 256) {
    throw new SvcError('22023', 'name must be a string of 1 to 256 characters without white space');
  }
  const deception = deceptionIn(input.name);
  if (deception !== null)
    throw new SvcError('22023', `this cannot be a checkpoint's name: ${deception}`, { hint: 'Use letters of one script, digits, `_`, `-` and `.`.' });
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world, as: 'name a checkpoint of' });
  if (world.checkpoints.some(({ name }) => name === input.name)) {
    throw new SvcError('42710', `world "${world.name}" has a checkpoint "${input.name}" already`, { hint: 'Take another name.' });
  }
  const { sequence, at } = context.engine.commit({ type: 'checkpointed', name: input.name }, world.number, actorName(by));
  await context.engine.durable(sequence);
  return { ok: true, at: formatMicros(at) };
}

export async function restoreWorld(context: Context, input: RestoreInput, by: Principal): Promise<{ ok: true; restored: number }> {
  if ((input.at === undefined) === (input.checkpoint === undefined)) throw new SvcError('22023', 'restore takes exactly one of `at` and `checkpoint`');
  await context.engine.admit();
  const world = context.writable(input.branch);
  authorize(by, { what: 'restore', world });
  return putBack(context, world, input, by);
}

/** Restores a named checkpoint; needs the right to create one. */
export async function rollbackWorld(context: Context, input: OnBranch & { checkpoint: string }, by: Principal): Promise<{ ok: true; restored: number }> {
  await context.engine.admit();
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world, as: 'roll back' });
  return putBack(context, world, input, by);
}

async function putBack(context: Context, world: World, input: RestoreInput, by: Principal): Promise<{ ok: true; restored: number }> {
  let target;
  if (input.checkpoint !== undefined) {
    target = context.state.worlds.checkpointRoot(world, input.checkpoint);
    if (target === null) {
      const names = world.checkpoints.map(({ name }) => name).join(', ');
      throw new SvcError('42704', `world "${world.name}" has no checkpoint "${input.checkpoint}"`, {
        hint: names === '' ? 'It has none.' : `It has: ${names}.`,
      });
    }
  } else target = context.rootAt(world, input.at!).root;
  refuseUnmaskedState(context, by, world, target);
  const { pager } = context.engine;
  const changes: TreeChanges[] = changesBetween(pager, world.root, target);
  const restored = countRows(changes);
  // Sequences are not restored, but a recreated one must be at least as far as the restored rows.
  changes.push(...sequencesOnward(pager, world.root, target));
  admitChanges(context, by, world, changes);
  const { sequence } = context.engine.commit({ type: 'committed', how: 'restore', changes }, world.number, actorName(by));
  await context.engine.durable(sequence);
  return { ok: true, restored };
}

export async function discardWorld(context: Context, input: DiscardInput, by: Principal): Promise<{ ok: true; discarded?: string[] }> {
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world, as: 'discard' });
  if (isMain(world)) throw new SvcError('22023', 'main cannot be discarded');
  const descendants = world.children === 0 ? [] : descendantsOf(context, world);
  if (descendants.length > 0 && input.cascade !== true) throw openForks(world, descendants, 'discarded');
  for (const each of descendants) authorize(by, { what: 'change', world: each, as: 'discard' });
  let sequence = 0 as Sequence;
  // Children are discarded before their parents.
  const leaving = [...descendants.sort((a, b) => b.depth - a.depth), world];
  for (const each of leaving) sequence = context.engine.commit({ type: 'discarded' }, each.number, actorName(by)).sequence;
  await context.engine.durable(sequence);
  return input.cascade === true ? { ok: true, discarded: leaving.map(({ name }) => name).reverse() } : { ok: true };
}

export function descendantsOf(context: Context, root: World): World[] {
  const under = new Set<number>([root.number]);
  const out: World[] = [];
  // A child's number is greater than its parent's, and `open` iterates by number.
  for (const world of context.state.worlds.open()) {
    if (!under.has(world.parent)) continue;
    under.add(world.number);
    out.push(world);
  }
  return out;
}

export function openForks(world: World, forks: readonly World[], what: string): SvcError {
  const names = forks.map(({ name }) => name);
  const shown = names.slice(0, 10).join(', ') + (names.length > 10 ? ` and ${names.length - 10} more` : '');
  return new SvcError('2BP01', `world "${world.name}" cannot be ${what}: it has open forks (${shown})`, {
    hint: 'Merge or discard them first, or discard with `cascade`.',
    data: { forks: names.slice(0, 100) },
  });
}

export function directForks(context: Context, world: World): World[] {
  return world.children === 0 ? [] : [...context.state.worlds.open()].filter(({ parent }) => parent === world.number);
}

export async function confirmWorld(context: Context, input: OnBranch, by: Principal): Promise<WorldView> {
  const world = context.writable(input.branch);
  authorize(by, { what: 'change', world, as: 'confirm' });
  if (context.state.worlds.isFlagged(world)) {
    const { sequence } = context.engine.commit({ type: 'confirmed' }, world.number, actorName(by));
    await context.engine.durable(sequence);
  }
  return context.view(world);
}
