/**
 * All worlds as a base of the log has them: parts in the form of dump.ts, in an order in which each finds what it is a difference from.
 *
 *   state ─► ended worlds ─► open worlds: record, fork point, state, checkpoints ─► common states ─► simulations
 *
 * What is a difference from another world shares that world's pages again when it is loaded.
 */
import type { WorldNumber } from '../../src/base/brands.ts';
import type { TreeChanges } from '../../src/events/changes.ts';
import type { Node } from '../../src/tree/node.ts';
import { emptyTree } from '../../src/tree/write.ts';
import { applyToWorld } from '../../src/worlds/apply.ts';
import type { SimulationRun, World, WorldRecord } from '../../src/worlds/world.ts';
import { type CommonRecord, worldOfKey } from './common-states.ts';
import { decodePart, differenceParts, encodePart } from './dump.ts';
import { recordOf } from './open-worlds.ts';
import type { WorldRegistry } from './registry.ts';

/** `worlds`: a sealed state, which the caller does not use otherwise. */
export function* dumpWorlds(worlds: WorldRegistry): Iterable<Uint8Array> {
  const { pager, live, ended, runs, simulations } = worlds;
  yield encodePart({ part: 'state', ...runs.state });
  for (const record of ended.records()) yield encodePart({ part: 'gone', record });
  for (const world of live.each()) yield* dumpWorld(worlds, world);
  yield* dumpStates(worlds);
  for (const { record, root } of simulations.runs()) {
    yield encodePart({ part: 'simulation', record });
    if (root === null) continue;
    const parent = worlds.byNumber(record.base);
    for (const changes of differenceParts(pager, parent?.root ?? null, root)) yield encodePart({ part: 'simulation base', run: record.run }, changes);
  }
}

function* dumpWorld(worlds: WorldRegistry, world: World): Iterable<Uint8Array> {
  const { pager, live } = worlds;
  const { number } = world;
  yield encodePart({ part: 'world', record: recordOf(world) });
  const parent = live.byNumber(world.parent);
  for (const changes of differenceParts(pager, parent?.root ?? null, world.base)) yield encodePart({ part: 'base', world: number }, changes);
  for (const changes of differenceParts(pager, world.base, world.root)) yield encodePart({ part: 'root', world: number }, changes);
  for (const { name } of world.checkpoints) {
    const target = worlds.checkpointRoot(world, name)!;
    yield encodePart({ part: 'checkpoint', world: number, name });
    for (const changes of differenceParts(pager, world.root, target)) yield encodePart({ part: 'checkpoint', world: number, name }, changes);
  }
}

/** Each as its diff from its world, or from the first existing one if that is gone. */
function* dumpStates({ pager, live, states }: WorldRegistry): Iterable<Uint8Array> {
  for (const { key, record, root } of states.entries()) {
    const near = live.byNumber(worldOfKey(key) as WorldNumber) ?? live.first();
    yield encodePart({ part: 'common', key, record, from: near?.number ?? 0 });
    for (const changes of differenceParts(pager, near?.root ?? null, root)) yield encodePart({ part: 'common', key, record, from: 0 }, changes);
  }
}

/** Parts that are trees of worlds. */
const TREES: ReadonlySet<string> = new Set(['simulation base', 'base', 'root', 'common', 'checkpoint']);

/** Adds a part to an empty registry, or to one that the parts before it made. */
export function loadPart(worlds: WorldRegistry, part: Uint8Array): void {
  const { pager, names } = worlds;
  const { head, changes } = decodePart(part);
  if (worlds.live.isRecordsOnly && TREES.has(head.part)) return;
  switch (head.part) {
    case 'state':
      return worlds.runs.load(head);
    case 'gone': {
      const record = head.record as WorldRecord;
      worlds.ended.put(record);
      return names.load(record);
    }
    case 'simulation': {
      const record = head.record as SimulationRun;
      return worlds.simulations.load(record, () => shareOf(worlds, worlds.byNumber(record.base)));
    }
    case 'simulation base':
      return worlds.simulations.loadChanges(head.run, changes);
    case 'world':
      return loadWorld(worlds, head.record as WorldRecord);
    case 'base': {
      const world = worlds.mustOpen(head.world as WorldNumber);
      world.base = changed(worlds, world.base, changes);
      world.root = world.base;
      return;
    }
    case 'root': {
      const world = worlds.mustOpen(head.world as WorldNumber);
      world.root = applyToWorld(pager, world.root, changes, world.edit);
      return;
    }
    case 'common': {
      const there = worlds.states.root(head.key);
      const before = there ?? shareOf(worlds, head.from === 0 ? null : worlds.mustOpen(head.from as WorldNumber));
      const root = changes.length === 0 ? before : changed(worlds, before, changes);
      return worlds.states.put(head.key, head.record as CommonRecord, root, worlds.edit.token);
    }
    case 'checkpoint': {
      const world = worlds.mustOpen(head.world as WorldNumber);
      const before = worlds.checkpointRoot(world, head.name) ?? worlds.share(world);
      return worlds.setCheckpoint(world, head.name, changed(worlds, before, changes));
    }
  }
}

function loadWorld(worlds: WorldRegistry, record: WorldRecord): void {
  const { pager, live, names, owners } = worlds;
  const root = shareOf(worlds, worlds.byNumber(record.parent));
  // Bases of releases without quotas do not have `ttl` and `changed`.
  const world: World = {
    ...record,
    ttl: record.ttl ?? null,
    changed: record.changed ?? 0,
    root,
    base: root,
    catalog: null,
    used: 0,
    edit: pager.newEdit(),
  };
  live.add(world);
  names.load(record);
  live.count++;
  owners.add(world);
}

/** The world's state, or nothing. */
function shareOf(worlds: WorldRegistry, world: World | null): Node {
  return world === null ? emptyTree(true) : worlds.share(world);
}

function changed({ pager }: WorldRegistry, root: Node, changes: readonly TreeChanges[]): Node {
  return applyToWorld(pager, root, changes, pager.newEdit());
}
