/**
 * All worlds, to be read and changed: their records, their names and the roots of their trees.
 *
 *   directory ── LIVE  (number → record JSON, root, fork point)     open-worlds.ts
 *             ├─ GONE  (number → record JSON)                        ended-worlds.ts
 *             ├─ NAMES (name → number of its latest world)           names.ts
 *             ├─ CHECKPOINTS (number, name → root)
 *             ├─ OWNED (worlds by owner; with a time to live)        owners.ts
 *             ├─ COMMON (states that worlds have in common → root)   common-states.ts, bases.ts
 *             ├─ SIMULATIONS (sequence → record JSON)                simulations.ts
 *             └─ RUNS  (begin → end of runs that crashed)            runs.ts
 *
 * Each part owns its tree; this is what they are together. The fold (worlds.ts) and bases of the log (snapshot.ts) change the parts.
 */
import { assert } from '../../src/base/assert.ts';
import type { Sequence, WorldNumber } from '../../src/base/brands.ts';
import { childRoot, ROOT } from '../../src/tree/directory.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { utf8Key } from '../../src/worlds/catalog.ts';
import type { CommonBase, SimulationRun, World, WorldGlance, WorldRecord, Worlds } from '../../src/worlds/world.ts';
import { numberKey } from '../number-key.ts';
import { Bases } from './bases.ts';
import { CommonStates } from './common-states.ts';
import { EndedWorlds } from './ended-worlds.ts';
import { WorldNames } from './names.ts';
import { OpenWorlds, recordOf } from './open-worlds.ts';
import { WorldOwners } from './owners.ts';
import { Edit, PartTree } from './part-tree.ts';
import { Runs } from './runs.ts';
import { Simulations } from './simulations.ts';

const LIVE = 1;
const GONE = 2;
const NAMES = 3;
const CHECKPOINTS = 4;
const RUNS = 5;
const OWNED = 6;
const SIMULATIONS = 7;
const COMMON = 8;

export class WorldRegistry implements Worlds {
  readonly pager: Pager;
  readonly edit: Edit;
  readonly live: OpenWorlds;
  readonly ended: EndedWorlds;
  readonly names: WorldNames;
  readonly owners: WorldOwners;
  readonly runs: Runs;
  readonly states: CommonStates;
  readonly bases: Bases;
  readonly simulations: Simulations;
  readonly #directory: PartTree;
  readonly #checkpoints: PartTree;

  constructor(pager: Pager, root: Node | null) {
    const edit = new Edit(pager);
    const directory = new PartTree(edit, root, true);
    const share = (world: World): Node => this.share(world);
    this.pager = pager;
    this.edit = edit;
    this.#directory = directory;
    this.live = new OpenWorlds(edit, directory.child(LIVE));
    this.ended = new EndedWorlds(edit, directory.child(GONE));
    this.names = new WorldNames(edit, directory.child(NAMES));
    this.#checkpoints = new PartTree(edit, directory.child(CHECKPOINTS), false);
    this.runs = new Runs(edit, directory.child(RUNS));
    this.owners = new WorldOwners(edit, directory.child(OWNED));
    this.states = new CommonStates(pager, new PartTree(edit, directory.child(COMMON), false).root);
    this.bases = new Bases({
      pager,
      states: this.states,
      edit: () => edit.token,
      world: (number) => this.live.byNumber(number as WorldNumber),
      isDoomed: (number) => this.live.isDoomed(number),
      share,
      dirty: (world) => this.live.dirty(world),
    });
    const { live, names, owners, bases } = this;
    this.simulations = new Simulations({ edit, live, names, owners, bases, share }, directory.child(SIMULATIONS));
  }

  // --- one world

  byNumber(number: WorldNumber): World | null {
    const world = this.live.byNumber(number);
    return world === null || this.simulations.hides(world) ? null : world;
  }

  mustOpen(number: WorldNumber): World {
    const world = this.byNumber(number);
    assert(world !== null, `world ${number} is open`);
    return world;
  }

  byName(name: string): World | null {
    const number = this.names.numberOf(name);
    return number === null ? null : this.byNumber(number);
  }

  everByName(name: string): World | null {
    const number = this.names.numberOf(name);
    return number === null ? null : (this.byNumber(number) ?? this.endedByNumber(number));
  }

  endedByNumber(number: WorldNumber): World | null {
    return this.ended.byNumber(number);
  }

  record(number: WorldNumber): WorldRecord | null {
    const record = this.live.record(number);
    return record === null || this.simulations.hides(record) ? null : record;
  }

  isFlagged(world: WorldRecord): boolean {
    return world.parent !== 0 && (world.flagged || this.runs.isInDoubt(world));
  }

  share(world: World): Node {
    world.edit = this.pager.newEdit();
    return world.root;
  }

  checkpointRoot({ number }: World, name: string): Node | null {
    return this.#checkpoints.child(checkpointKey(number, name));
  }

  common(a: World, b: World): CommonBase {
    return this.bases.common(a, b);
  }

  simulation(run: Sequence): SimulationRun | null {
    return this.simulations.byRun(run);
  }

  // --- lists

  get count(): number {
    return this.live.count;
  }

  *open(): Iterable<World> {
    for (const number of this.live.numbers(null)) {
      const world = this.byNumber(number);
      if (world !== null) yield world;
    }
  }

  glance(after: number, limit: number): WorldGlance[] {
    return this.records(after, limit);
  }

  records(after: number, limit: number): WorldRecord[] {
    return this.live.records(after, limit, (world) => !this.simulations.hides(world));
  }

  endedNamed(name: string): WorldRecord[] {
    return this.ended.named(name);
  }

  numbersNamed(prefix: string, from: string, limit: number): { numbers: WorldNumber[]; next: string | null } {
    return this.names.numbersNamed(prefix, from, limit);
  }

  namedUnder(prefix: string): string[] {
    return this.names.under(prefix, (number) => this.byNumber(number) !== null);
  }

  ownedCount(owner: string): number {
    return this.owners.count(owner, this.simulations.hasPending ? (number): boolean => this.byNumber(number) !== null : null);
  }

  owned(owner: string): Iterable<WorldNumber> {
    return this.owners.owned(owner);
  }

  withTtl(): Iterable<WorldNumber> {
    return this.owners.withTtl();
  }

  pendingSimulations(): { run: Sequence; worlds: WorldNumber[] }[] {
    return this.simulations.pending();
  }

  // --- changes

  /** A visible world begins. */
  add(world: World): void {
    this.live.add(world);
    this.names.put(world.name, world.number);
    this.live.count++;
    this.owners.add(world);
  }

  /** The world has ended: its record stays, its trees do not. */
  end(world: World, status: 'merged' | 'discarded', sequence: Sequence): void {
    this.bases.left(world);
    world.status = status;
    world.gone = sequence;
    this.live.remove(world);
    this.ended.put(recordOf(world));
    for (const { name } of world.checkpoints) this.#checkpoints.removeChild(checkpointKey(world.number, name));
    this.live.count--;
    this.owners.remove(world);
    if (world.simulated !== undefined) this.simulations.left(world.simulated.run);
    const parent = this.byNumber(world.parent);
    if (parent === null) return;
    parent.children--;
    this.live.dirty(parent);
  }

  /** An ended world passes out of the retention. */
  forget(number: WorldNumber): void {
    const world = this.endedByNumber(number);
    if (world === null) return;
    this.ended.remove(number);
    this.names.forget(world);
  }

  setCheckpoint({ number }: World, name: string, root: Node): void {
    this.#checkpoints.setChild(checkpointKey(number, name), root);
  }

  /** The whole as one tree; from now on nothing below it is changed in place. */
  seal(): Node {
    this.live.seal();
    this.simulations.seal();
    for (const [slot, root] of [
      [LIVE, this.live.root],
      [GONE, this.ended.root],
      [NAMES, this.names.root],
      [CHECKPOINTS, this.#checkpoints.root],
      [RUNS, this.runs.root],
      [OWNED, this.owners.root],
      [SIMULATIONS, this.simulations.root],
      [COMMON, this.states.tree],
    ] as const) {
      this.#directory.setChild(slot, root);
    }
    this.edit.renew();
    return this.#directory.root;
  }
}

function checkpointKey(world: number, name: string): string {
  return utf8Key(`${numberKey(world)}/${name}`);
}

/** Root of a world in a sealed tree of worlds, for time travel. */
export function worldRootIn(pager: Pager, directory: Node, number: WorldNumber): Node | null {
  const live = childRoot(pager, directory, LIVE);
  return live === null ? null : childRoot(pager, live, number, ROOT);
}
