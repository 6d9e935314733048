/**
 * Simulations that keep worlds: sequence of the run → record, and the root of its worlds while it is pending.
 *
 *   simulated ─► pending: its worlds are hidden, and count as one fork of the base world ─┬─ simulationKept ─► all are visible
 *                  └─ worldKept, one world each                                           └─ simulationDropped ─► they are removed, in one event or more
 *
 * A run is forgotten with its last world.
 */
import { assert } from '../../src/base/assert.ts';
import type { Sequence, WorldNumber } from '../../src/base/brands.ts';
import { countRows, type TreeChanges } from '../../src/events/changes.ts';
import type { Envelope, Event } from '../../src/events/event.ts';
import type { Node } from '../../src/tree/node.ts';
import { applyToWorld } from '../../src/worlds/apply.ts';
import { newWorld } from '../../src/worlds/new-world.ts';
import type { SimulationRun, World } from '../../src/worlds/world.ts';
import type { Bases } from './bases.ts';
import type { WorldNames } from './names.ts';
import type { OpenWorlds } from './open-worlds.ts';
import type { WorldOwners } from './owners.ts';
import { type Edit, PartTree, recordAt } from './part-tree.ts';

export interface SimulationParts {
  readonly edit: Edit;
  readonly live: OpenWorlds;
  readonly names: WorldNames;
  readonly owners: WorldOwners;
  readonly bases: Bases;
  share(world: World): Node;
}

/** A run whose end is not folded yet, with the root of its worlds. */
export interface Pending {
  record: SimulationRun;
  root: Node;
}

export class Simulations {
  readonly #parts: SimulationParts;
  readonly #tree: PartTree;
  readonly #pending = new Map<number, Pending>();

  constructor(parts: SimulationParts, root: Node | null) {
    this.#parts = parts;
    this.#tree = new PartTree(parts.edit, root, true);
    this.#tree.each(null, (leaf, at) => {
      const record = recordAt<SimulationRun>(leaf, at);
      if (!record.pending) return;
      this.#pending.set(record.run, { record, root: this.#tree.child(record.run)! });
      parts.live.count -= record.worlds;
    });
  }

  get root(): Node {
    return this.#tree.root;
  }

  get hasPending(): boolean {
    return this.#pending.size > 0;
  }

  /** Whether the world is kept by an unfinished simulation. */
  hides({ simulated }: Pick<World, 'simulated'>): boolean {
    return simulated !== undefined && this.#pending.size > 0 && this.#pending.has(simulated.run);
  }

  byRun(run: Sequence): SimulationRun | null {
    return this.#pending.get(run)?.record ?? this.#tree.record<SimulationRun>(run);
  }

  pending(): { run: Sequence; worlds: WorldNumber[] }[] {
    const { live } = this.#parts;
    return [...this.#pending.values()].map(({ record: { run, base } }) => ({
      run,
      // They were created after the run began.
      worlds: live.numbers(run).filter((number) => {
        const world = live.byNumber(number)!;
        return world.simulated?.run === run && world.parent === base;
      }),
    }));
  }

  #mustBePending(run: number): Pending {
    const pending = this.#pending.get(run);
    assert(pending !== undefined, `simulation ${run} is keeping worlds`);
    return pending;
  }

  // --- folding

  begin({ recipe, changes }: Extract<Event, { type: 'simulated' }>, sequence: Sequence, parent: World): void {
    const { edit, live, share } = this.#parts;
    let root = share(parent);
    if (changes.length > 0 && !live.isDoomed(parent.number)) root = applyToWorld(edit.pager, root, changes, edit.pager.newEdit());
    this.#pending.set(sequence, { record: { run: sequence, base: parent.number, recipe, worlds: 0, pending: true }, root });
    this.#store(sequence);
    // A visible one counts as a fork, which keeps the base world open.
    parent.children++;
    live.dirty(parent);
  }

  keepWorld(
    { run, base, owner, index, score, changes }: Extract<Event, { type: 'worldKept' }>,
    { world: number, at, sequence }: Envelope,
    parent: World,
  ): void {
    const { edit, live, names, owners, bases } = this.#parts;
    const pending = this.#mustBePending(run);
    const { recipe } = pending.record;
    const own = edit.pager.newEdit();
    const { root } = pending;
    const world = newWorld({
      number,
      name: recipe.name ?? `${recipe.prefix}_${index}`,
      created: at,
      parent: base,
      depth: parent.depth + 1,
      owner,
      meta: {},
      root,
      catalog: null,
      edit: edit.pager.newEdit(),
    });
    world.simulated = { run, index, score };
    bases.forked(world, parent, recipe.sequence, true);
    if (changes.length > 0) {
      world.version = 1;
      world.changed = countRows(changes);
      world.lastWrite = sequence;
      if (!live.isDoomed(number)) world.root = applyToWorld(edit.pager, root, changes, own);
    }
    live.add(world);
    names.put(world.name, number);
    owners.add(world, false);
    pending.record = { ...pending.record, worlds: pending.record.worlds + 1 };
  }

  /** All worlds are kept: they become visible. */
  end({ run }: Extract<Event, { type: 'simulationKept' }>, parentOf: (record: SimulationRun) => World): void {
    const { live, owners } = this.#parts;
    const record = { ...this.#mustBePending(run).record, pending: false };
    this.#pending.delete(run);
    this.#tree.remove(run);
    if (record.worlds > 0) this.#tree.putRecord(run, record);
    live.count += record.worlds;
    owners.recount();
    const parent = parentOf(record);
    parent.children += record.worlds - 1;
    live.dirty(parent);
  }

  /** It was interrupted: some of its worlds are removed, with the last of them the run. */
  drop({ run, worlds, last }: Extract<Event, { type: 'simulationDropped' }>, parentOf: (record: SimulationRun) => World | null): void {
    const { live, names, owners } = this.#parts;
    const pending = this.#mustBePending(run);
    for (const number of worlds) {
      const world = live.byNumber(number);
      assert(world !== null, `world ${number} was kept`);
      live.remove(world);
      names.forget(world);
      owners.remove(world, false);
    }
    pending.record = { ...pending.record, worlds: pending.record.worlds - worlds.length };
    if (!last) return;
    this.#pending.delete(run);
    this.#tree.remove(run);
    // It may have been discarded with all its forks.
    const parent = parentOf(pending.record);
    if (parent === null) return;
    parent.children--;
    live.dirty(parent);
  }

  /** A visible world of the run has ended. */
  left(run: Sequence): void {
    const record = this.byRun(run);
    if (record === null) return;
    if (record.worlds > 1) this.#tree.putRecord(run, { ...record, worlds: record.worlds - 1 });
    else this.#tree.remove(run);
  }

  // --- checkpoints

  /** Records of pending runs change in memory. */
  seal(): void {
    for (const run of this.#pending.keys()) this.#store(run);
  }

  #store(run: number): void {
    const { record, root } = this.#pending.get(run)!;
    this.#tree.putRecord(run, record);
    this.#tree.setChild(run, root);
  }

  /** All runs; `root` of a pending one, else null. */
  *runs(): Iterable<{ record: SimulationRun; root: Node | null }> {
    for (const { leaf, at } of this.#tree.rows()) {
      const record = recordAt<SimulationRun>(leaf, at);
      yield { record, root: record.pending ? this.#pending.get(record.run)!.root : null };
    }
  }

  /** A run of a base; for a pending one, `root` of its base world. */
  load(record: SimulationRun, root: () => Node): void {
    this.#tree.putRecord(record.run, record);
    if (!record.pending) return;
    this.#pending.set(record.run, { record, root: root() });
    this.#store(record.run);
    this.#parts.live.count -= record.worlds;
  }

  /** Changes of a loaded pending run's root from its base world. */
  loadChanges(run: number, changes: readonly TreeChanges[]): void {
    const { pager } = this.#parts.edit;
    const pending = this.#pending.get(run)!;
    pending.root = applyToWorld(pager, pending.root, changes, pager.newEdit());
    this.#store(run);
  }
}
