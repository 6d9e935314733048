/**
 * All worlds: their records, their names and the roots of their trees.
 *
 *   directory ── LIVE  (number → record JSON, root, fork point)     worlds that are open
 *             ├─ GONE  (number → record JSON)                        merged and discarded ones, within retention
 *             ├─ NAMES (name → number of its latest world)
 *             ├─ CHECKPOINTS (number, name → root)
 *             ├─ OWNED (`o` owner, number: worlds by owner; `t` number: worlds with a time to live of their own)
 *             ├─ COMMON (states that worlds have in common → root: common-states.ts)
 *             ├─ SIMULATIONS (sequence → record JSON: recipe, how many of its worlds are there; base root while it is pending)
 *             └─ RUNS  (sequence of `opened` → sequence of the next one, when the run did not end cleanly)
 *
 * Open worlds in use are kept in memory and written back when the projection is sealed, so that a commit
 * changes fields of an object and a million idle worlds stay on disk.
 */
import type { Micros, Sequence, WorldNumber } from '../../src/base/brands.ts';
import { assert } from '../../src/base/assert.ts';
import type { Committed, Envelope, Event, HistoryPlace, Merged, Recorded } from '../../src/events/event.ts';
import { CATALOG_TREE, countRows, EFFECT_TREE, SEQUENCE_TREE, type TreeChanges } from '../../src/events/changes.ts';
import { defineProjection, type Projection } from '../../src/projection/projection.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { sameRow } from '../../src/tree/diff.ts';
import { childRoot, removeChildRoot, ROOT, ROOT2, setChildRoot } from '../../src/tree/directory.ts';
import type { Leaf, Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { leafFor, leaves, scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { applyToWorld, type Branch } from '../../src/worlds/apply.ts';
import { changesCatalog, keyText, utf8Key } from '../../src/worlds/catalog.ts';
import { Bases } from './bases.ts';
import { type CommonRecord, CommonStates, worldOfKey } from './common-states.ts';
import { decodePart, differenceParts, encodePart } from './dump.ts';
import { foreseenEnds } from './foreseen-ends.ts';
import { emptiedRows } from '../../src/worlds/emptied-rows.ts';
import { newWorld } from '../../src/worlds/new-world.ts';
import { rowIn } from '../../src/tree/row-change.ts';
import type { CommonBase, SimulationRun, World, WorldGlance, WorldRecord, Worlds } from '../../src/worlds/world.ts';

const LIVE = 1;
const GONE = 2;
const NAMES = 3;
const CHECKPOINTS = 4;
const RUNS = 5;
const OWNED = 6;
const SIMULATIONS = 7;
const COMMON = 8;

const RECORD = 3;
const NUMBER = 4;
const END = 5;
const RECORD_SHAPE: Shape = { ids: [RECORD], kinds: [KIND.JSON] };
const NUMBER_SHAPE: Shape = { ids: [NUMBER], kinds: [KIND.F64] };
const END_SHAPE: Shape = { ids: [END], kinds: [KIND.F64] };

/** Cached lookups of names. */
const NAMES_KEPT = 256;
/** Clean worlds in memory beyond this many are evicted at a checkpoint. */
const CLEAN_WORLDS_MAX = 10_000;

/** A merge into it sends its effects to the outbox. */
const MAIN = 'main';

export class WorldsProjection implements Projection, Worlds {
  readonly #pager: Pager;
  readonly #inUse = new Map<number, World>();
  readonly #dirty = new Set<World>();
  #live: Node;
  #gone: Node;
  #names: Node;
  #checkpoints: Node;
  #runs: Node;
  #owned: Node;
  #simulations: Node;
  readonly #states: CommonStates;
  readonly #bases: Bases;
  /** Simulations whose end is not folded yet, with the root of their worlds. These worlds are not visible. */
  readonly #pending = new Map<number, { record: SimulationRun; root: Node }>();
  /** Number of worlds by owner, once read. */
  readonly #ownedCounts = new Map<string, number>();
  #directory: Node;
  #edit: number;
  /** Runs without a clean close. */
  readonly #crashes: { from: number; to: number }[] = [];
  #currentRun = 0;
  #running = false;
  #count = 0;
  /** Worlds that end within the current replay; their trees are not built. */
  #doomed: ReadonlySet<number> = new Set();

  constructor(pager: Pager, root: Node | null) {
    this.#pager = pager;
    this.#edit = pager.newEdit();
    this.#directory = root ?? emptyTree(true, this.#edit);
    const part = (slot: number, numeric: boolean): Node => childRoot(pager, this.#directory, slot) ?? emptyTree(numeric, this.#edit);
    this.#live = part(LIVE, true);
    this.#gone = part(GONE, true);
    this.#names = part(NAMES, false);
    this.#checkpoints = part(CHECKPOINTS, false);
    this.#runs = part(RUNS, true);
    this.#owned = part(OWNED, false);
    this.#simulations = part(SIMULATIONS, true);
    this.#states = new CommonStates(pager, part(COMMON, false));
    this.#bases = new Bases({
      pager,
      states: this.#states,
      edit: () => this.#edit,
      world: (number) => this.#any(number as WorldNumber),
      isDoomed: (number) => this.#doomed.has(number),
      share: (world) => this.share(world),
      dirty: (world) => void this.#dirty.add(world),
    });
    this.#count = this.#live.count;
    scan(pager, this.#simulations, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const record = JSON.parse(leaf.cell(i, RECORD) as string) as SimulationRun;
        if (!record.pending) continue;
        this.#pending.set(record.run, { record, root: childRoot(pager, this.#simulations, record.run)! });
        this.#count -= record.worlds;
      }
    });
    scan(pager, this.#runs, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const end = leaf.cell(i, END) as number;
        if (end === -1) {
          this.#currentRun = leaf.key(i) as number;
          this.#running = true;
        } else this.#crashes.push({ from: leaf.key(i) as number, to: end });
      }
    });
  }

  // --- reading

  get count(): number {
    return this.#count;
  }

  byNumber(number: WorldNumber): World | null {
    const world = this.#any(number);
    return world === null || this.#hidden(world) ? null : world;
  }

  /** Kept by an unfinished simulation. */
  #hidden({ simulated }: { simulated?: World['simulated'] }): boolean {
    return simulated !== undefined && this.#pending.size > 0 && this.#pending.has(simulated.run);
  }

  #any(number: WorldNumber): World | null {
    const inUse = this.#inUse.get(number);
    if (inUse !== undefined) return inUse;
    const leaf = leafFor(this.#pager, this.#live, number);
    const at = leaf.find(number);
    return at < 0 ? null : this.#load(leaf, at);
  }

  #load(leaf: Leaf, at: number): World {
    const record = JSON.parse(leaf.cell(at, RECORD) as string) as WorldRecord;
    const doomed = this.#doomed.has(record.number);
    const world: World = {
      ...record,
      root: doomed ? emptyTree(true) : this.#pager.ref(leaf.col(ROOT)!, at),
      base: doomed ? emptyTree(true) : this.#pager.ref(leaf.col(ROOT2)!, at),
      catalog: null,
      used: 0,
      edit: this.#pager.newEdit(),
    };
    this.#inUse.set(world.number, world);
    return world;
  }

  byName(name: string): World | null {
    const number = this.#numberOf(name);
    return number === null ? null : this.byNumber(number);
  }

  everByName(name: string): World | null {
    const number = this.#numberOf(name);
    return number === null ? null : (this.byNumber(number) ?? this.endedByNumber(number));
  }

  #numberOf(name: string): WorldNumber | null {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const key = utf8Key(name);
    const leaf = leafFor(this.#pager, this.#names, key);
    const at = leaf.find(key);
    if (at < 0) return null;
    const number = leaf.cell(at, NUMBER) as WorldNumber;
    if (this.#numbers.size >= NAMES_KEPT) this.#numbers.clear();
    this.#numbers.set(name, number);
    return number;
  }

  /** Looked-up names: each statement names its world. */
  readonly #numbers = new Map<string, WorldNumber>();

  #putName(name: string, number: WorldNumber): void {
    this.#names = this.#put(this.#names, utf8Key(name), NUMBER_SHAPE, [number]);
    this.#numbers.clear();
  }

  #removeName(name: string): void {
    this.#names = this.#remove(this.#names, utf8Key(name));
    this.#numbers.clear();
  }

  endedByNumber(number: WorldNumber): World | null {
    const leaf = leafFor(this.#pager, this.#gone, number);
    const at = leaf.find(number);
    if (at < 0) return null;
    const record = JSON.parse(leaf.cell(at, RECORD) as string) as WorldRecord;
    const empty = emptyTree(true);
    return { ...record, root: empty, base: empty, catalog: null, used: 0, edit: -1 };
  }

  endedNamed(name: string): WorldRecord[] {
    const out: WorldRecord[] = [];
    scan(this.#pager, this.#gone, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const record = JSON.parse(leaf.cell(i, RECORD) as string) as WorldRecord;
        if (record.name === name) out.push(record);
      }
    });
    return out;
  }

  *open(): Iterable<World> {
    const numbers: WorldNumber[] = [];
    scan(this.#pager, this.#live, null, (leaf, from, to) => {
      for (let i = from; i < to; i++) numbers.push(leaf.key(i) as WorldNumber);
    });
    for (const number of numbers) {
      const world = this.byNumber(number);
      if (world !== null) yield world;
    }
  }

  isFlagged(world: WorldRecord): boolean {
    if (world.parent === 0) return false;
    if (world.flagged) return true;
    return this.#crashes.some(({ from, to }) => world.lastWrite >= from && world.lastWrite < to && world.confirmed < to);
  }

  share(world: World): Node {
    world.edit = this.#pager.newEdit();
    return world.root;
  }

  checkpointRoot(world: World, name: string): Node | null {
    return childRoot(this.#pager, this.#checkpoints, checkpointKey(world.number, name));
  }

  common(a: World, b: World): CommonBase {
    return this.#bases.common(a, b);
  }

  ownedCount(owner: string): number {
    const known = this.#ownedCounts.get(owner);
    if (known !== undefined) return known;
    let count = 0;
    for (const number of this.owned(owner)) if (this.#pending.size === 0 || this.byNumber(number) !== null) count++;
    this.#ownedCounts.set(owner, count);
    return count;
  }

  owned(owner: string): Iterable<WorldNumber> {
    return this.#listed(utf8Key(`o${owner}\0`));
  }

  withTtl(): Iterable<WorldNumber> {
    return this.#listed('t');
  }

  #listed(prefix: string): WorldNumber[] {
    const numbers: WorldNumber[] = [];
    scan(this.#pager, this.#owned, prefix, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const key = leaf.key(i) as string;
        if (!key.startsWith(prefix)) return false;
        numbers.push(Number(key.slice(prefix.length)) as WorldNumber);
      }
      return true;
    });
    return numbers;
  }

  glance(after: number, limit: number): WorldGlance[] {
    return this.records(after, limit);
  }

  record(number: WorldNumber): WorldRecord | null {
    const inUse = this.#inUse.get(number);
    if (inUse !== undefined) return this.#hidden(inUse) ? null : inUse;
    const leaf = leafFor(this.#pager, this.#live, number);
    const at = leaf.find(number);
    if (at < 0) return null;
    const record = JSON.parse(leaf.cell(at, RECORD) as string) as WorldRecord;
    return this.#hidden(record) ? null : record;
  }

  numbersNamed(prefix: string, from: string, limit: number): { numbers: WorldNumber[]; next: string | null } {
    const key = utf8Key(prefix);
    const numbers: WorldNumber[] = [];
    let seen = 0;
    let next: string | null = null;
    scan(this.#pager, this.#names, utf8Key(from), (leaf, begin, end) => {
      for (let i = begin; i < end; i++) {
        const name = leaf.key(i) as string;
        if (!name.startsWith(key)) return false;
        if (seen++ === limit) {
          next = keyText(name);
          return false;
        }
        numbers.push(leaf.cell(i, NUMBER) as WorldNumber);
      }
      return true;
    });
    return { numbers, next };
  }

  records(after: number, limit: number): WorldRecord[] {
    const out: WorldRecord[] = [];
    scan(this.#pager, this.#live, after + 1, (leaf, from, to) => {
      for (let i = from; i < to && out.length < limit; i++) {
        const number = leaf.key(i) as WorldNumber;
        const world = this.#inUse.get(number) ?? (JSON.parse(leaf.cell(i, RECORD) as string) as WorldRecord);
        if (!this.#hidden(world)) out.push(world);
      }
      return out.length < limit;
    });
    return out;
  }

  namedUnder(prefix: string): string[] {
    const key = utf8Key(prefix);
    const out: string[] = [];
    scan(this.#pager, this.#names, key, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        const name = leaf.key(i) as string;
        if (!name.startsWith(key)) return false;
        if (this.byNumber(leaf.cell(i, NUMBER) as WorldNumber) !== null) out.push(prefix + keyText(name.slice(key.length)));
      }
      return true;
    });
    return out;
  }

  simulation(run: Sequence): SimulationRun | null {
    const pending = this.#pending.get(run);
    if (pending !== undefined) return pending.record;
    const leaf = leafFor(this.#pager, this.#simulations, run);
    const at = leaf.find(run);
    return at < 0 ? null : (JSON.parse(leaf.cell(at, RECORD) as string) as SimulationRun);
  }

  pendingSimulations(): { run: Sequence; worlds: WorldNumber[] }[] {
    return [...this.#pending.values()].map(({ record: { run, base } }) => {
      const worlds: WorldNumber[] = [];
      // They were created after the run began.
      scan(this.#pager, this.#live, run, (leaf, from, to) => {
        for (let i = from; i < to; i++) {
          const world = this.#any(leaf.key(i) as WorldNumber)!;
          if (world.simulated?.run === run && world.parent === base) worlds.push(world.number);
        }
      });
      return { run, worlds };
    });
  }

  /** Adds the world to its owner's list; `counts` if it is visible. */
  #own(world: { number: number; owner: string | null; ttl: number | null }, by: 1 | -1, counts = true): void {
    const { number, owner, ttl } = world;
    if (owner !== null) {
      this.#enlist(utf8Key(`o${owner}\0${padded(number)}`), by);
      if (!counts) return;
      const known = this.#ownedCounts.get(owner);
      if (known !== undefined) this.#ownedCounts.set(owner, known + by);
    }
    if (ttl !== null) this.#enlist(`t${padded(number)}`, by);
  }

  #enlist(key: string, by: 1 | -1): void {
    const isThere = leafFor(this.#pager, this.#owned, key).find(key) >= 0;
    if (by === 1 ? isThere : !isThere) return;
    this.#owned = by === 1 ? this.#put(this.#owned, key, NUMBER_SHAPE, [0]) : this.#remove(this.#owned, key);
  }

  // --- folding

  *foresee(tail: Iterable<Recorded>): Iterable<void> {
    this.#doomed = yield* foreseenEnds(
      tail,
      (number) => this.#any(number as WorldNumber)?.parent,
      (number) => this.#any(number as WorldNumber)?.met?.shared === true,
    );
    for (const number of this.#doomed) {
      const world = this.#inUse.get(number);
      if (world !== undefined) world.root = world.base = emptyTree(true);
    }
  }

  get partial(): boolean {
    for (const number of this.#doomed) if (this.#any(number as WorldNumber) !== null) return true;
    return false;
  }

  apply(event: Event, envelope: Envelope): void {
    switch (event.type) {
      case 'opened':
        if (this.#running) {
          this.#crashes.push({ from: this.#currentRun, to: envelope.sequence });
          this.#runs = this.#put(this.#runs, this.#currentRun, END_SHAPE, [envelope.sequence]);
        }
        this.#running = true;
        this.#currentRun = envelope.sequence;
        this.#runs = this.#put(this.#runs, envelope.sequence, END_SHAPE, [-1]);
        return;
      case 'closed':
        this.#runs = this.#remove(this.#runs, this.#currentRun);
        this.#running = false;
        return;
      case 'forked':
        return this.#fork(event, envelope);
      case 'simulated':
        return this.#simulate(event, envelope);
      case 'worldKept':
        return this.#keep(event, envelope);
      case 'simulationKept':
        return this.#keptAll(event);
      case 'simulationDropped':
        return this.#dropped(event);
      case 'committed':
        return this.#commit(this.#mustOpen(envelope.world), event, envelope);
      case 'merged': {
        const branch = this.#mustOpen(event.branch);
        const target = this.#mustOpen(envelope.world);
        const base = this.#mergeBase(event, branch, target);
        const theirs = this.share(branch);
        if (event.built !== undefined) this.#commit(target, event, envelope);
        else this.#write(target, event.changes, envelope, base === null ? null : { base, theirs, disjoint: event.disjoint });
        if (event.common === undefined) this.#moveForkPoint(branch, event.baseChanges);
        else if (event.baseChanges.length > 0)
          this.#bases.moveBase(branch, target, (root) => applyToWorld(this.#pager, root, event.baseChanges, this.#pager.newEdit()));
        if (event.common === 'all') this.#bases.merged(branch, target, envelope.sequence, event.stays);
        branch.merges.push({ sequence: envelope.sequence, into: envelope.world, stays: event.stays, undone: false });
        if (event.stays) {
          branch.version++;
          this.#touch(branch, envelope);
        } else this.#leave(branch, 'merged', envelope);
        return;
      }
      case 'undone': {
        const target = this.#mustOpen(envelope.world);
        this.#write(target, event.changes, envelope);
        this.#bases.undone(target, event.merge);
        const branch = this.byNumber(event.branch);
        if (branch !== null) {
          for (const merge of branch.merges) if (merge.sequence === event.merge) merge.undone = true;
          if (event.baseChanges.length > 0) {
            this.#bases.moveBase(branch, target, (root) => applyToWorld(this.#pager, root, event.baseChanges, this.#pager.newEdit()));
            branch.version++;
          }
          this.#touch(branch, envelope);
          return;
        }
        const gone = this.endedByNumber(event.branch);
        if (gone === null) return;
        for (const merge of gone.merges) if (merge.sequence === event.merge) merge.undone = true;
        this.#gone = this.#put(this.#gone, gone.number, RECORD_SHAPE, [JSON.stringify(recordOf(gone))]);
        return;
      }
      case 'rebased': {
        const world = this.#mustOpen(envelope.world);
        if (this.#doomed.has(world.number)) {
          world.rebased = envelope.sequence;
          if (world.met !== undefined) this.#bases.rebased(world, this.#mustOpen(world.parent), envelope.sequence);
          return this.#write(world, event.changes, envelope);
        }
        const parent = this.#mustOpen(world.parent);
        const before = world.root;
        world.base = this.share(parent);
        world.edit = this.#pager.newEdit();
        world.root = world.base;
        world.catalog = null;
        this.#bases.rebased(world, parent, envelope.sequence);
        world.rebased = envelope.sequence;
        const { changed } = world;
        this.#write(world, event.changes, envelope);
        // A rebase alone changes nothing; rows picked or merged differently count.
        world.changed = changed + (world.owner === null ? 0 : this.#otherRows(event.changes, before, world.root));
        return;
      }
      case 'discarded':
        return this.#leave(this.#mustOpen(envelope.world), 'discarded', envelope);
      case 'kept': {
        const world = this.#mustOpen(envelope.world);
        this.#own({ number: world.number, owner: null, ttl: world.ttl }, -1);
        world.pinned = event.pinned;
        world.ttl = event.ttl;
        this.#own({ number: world.number, owner: null, ttl: world.ttl }, 1);
        return this.#touch(world, envelope);
      }
      case 'metaChanged': {
        const world = this.#mustOpen(envelope.world);
        world.meta = event.meta;
        return this.#touch(world, envelope);
      }
      case 'confirmed': {
        const world = this.#mustOpen(envelope.world);
        world.flagged = false;
        world.confirmed = envelope.sequence;
        return this.#touch(world, envelope);
      }
      case 'checkpointed': {
        const world = this.#mustOpen(envelope.world);
        world.checkpoints.push({ name: event.name, at: envelope.at, sequence: envelope.sequence });
        if (!this.#doomed.has(world.number))
          this.#checkpoints = setChildRoot(this.#pager, this.#checkpoints, checkpointKey(world.number, event.name), this.share(world), this.#edit);
        return this.#touch(world, envelope);
      }
      case 'swept':
        // A world that continues in the next slice is listed there, too.
        for (const number of event.gone) if (event.to === null || number < event.to.world) this.#forget(number as WorldNumber);
        return;
      case 'trimmed':
        for (const number of event.gone) this.#forget(number as WorldNumber);
        return;
      default:
        return;
    }
  }

  /** Ended worlds that were ended at or before `through`. */
  forgets(through: Sequence, { world: first }: HistoryPlace, end: HistoryPlace | null): number[] {
    const out: number[] = [];
    scan(this.#pager, this.#gone, first, (leaf, from, to) => {
      for (let i = from; i < to; i++) {
        if (end !== null && (leaf.key(i) as number) > end.world) return false;
        const record = JSON.parse(leaf.cell(i, RECORD) as string) as WorldRecord;
        if (record.gone <= through) out.push(record.number);
      }
      return true;
    });
    return out;
  }

  #forget(number: WorldNumber): void {
    const world = this.endedByNumber(number);
    if (world === null) return;
    this.#gone = this.#remove(this.#gone, number);
    if (this.#numberOf(world.name) === number) this.#removeName(world.name);
  }

  /** The base of the merge if its changes are exactly the branch's changes since; otherwise null. */
  #mergeBase({ whole, common }: Merged, branch: World, target: World): Node | null {
    if (!whole || this.#doomed.has(branch.number) || this.#doomed.has(target.number)) return null;
    if (common === undefined) return branch.base;
    const { roots } = this.#bases.common(branch, target);
    return roots.length === 1 ? roots[0] : null;
  }

  #mustOpen(number: WorldNumber): World {
    const world = this.byNumber(number);
    assert(world !== null, `world ${number} is open`);
    return world;
  }

  #fork(event: Extract<Event, { type: 'forked' }>, envelope: Envelope): void {
    const number = envelope.world;
    const parent = event.parent === 0 ? null : this.#mustOpen(event.parent);
    const edit = this.#pager.newEdit();
    const doomed = this.#doomed.has(number);
    let root: Node = parent === null || doomed ? emptyTree(true, edit) : this.share(parent);
    if (event.changes.length > 0 && !doomed) root = applyToWorld(this.#pager, root, event.changes, edit);
    const world = newWorld({
      number,
      name: event.name,
      created: envelope.at,
      parent: event.parent,
      depth: parent === null ? 0 : parent.depth + 1,
      owner: event.owner,
      meta: event.meta,
      root,
      catalog: event.changes.length > 0 || doomed ? null : (parent?.catalog ?? null),
      edit: this.#pager.newEdit(),
    });
    this.#inUse.set(number, world);
    this.#dirty.add(world);
    // The row is in the tree from the start, so that listings read only one source.
    this.#live = this.#put(this.#live, number, RECORD_SHAPE, ['{}']);
    this.#putName(event.name, number);
    this.#count++;
    this.#own(world, 1);
    if (parent !== null) {
      parent.children++;
      this.#dirty.add(parent);
      const past = event.changes.length > 0;
      this.#bases.forked(world, parent, past ? parent.number : number, past);
    }
  }

  // --- simulations

  #simulate({ recipe, changes }: Extract<Event, { type: 'simulated' }>, { world, sequence }: Envelope): void {
    const parent = this.#mustOpen(world);
    let root = this.share(parent);
    if (changes.length > 0) root = applyToWorld(this.#pager, root, changes, this.#pager.newEdit());
    this.#pending.set(sequence, { record: { run: sequence, base: world, recipe, worlds: 0, pending: true }, root });
    this.#storeSimulation(sequence);
    // A visible one counts as a fork, which keeps the base world open.
    parent.children++;
    this.#dirty.add(parent);
  }

  #storeSimulation(run: number): void {
    const { record, root } = this.#pending.get(run)!;
    this.#simulations = this.#put(this.#simulations, run, RECORD_SHAPE, [JSON.stringify(record)]);
    this.#simulations = setChildRoot(this.#pager, this.#simulations, run, root, this.#edit);
  }

  #keep({ run, base, owner, index, score, changes }: Extract<Event, { type: 'worldKept' }>, { world: number, at, sequence }: Envelope): void {
    const pending = this.#pending.get(run);
    assert(pending !== undefined, `simulation ${run} is keeping worlds`);
    const { recipe } = pending.record;
    const parent = this.#mustOpen(base);
    const edit = this.#pager.newEdit();
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
      edit: this.#pager.newEdit(),
    });
    world.simulated = { run, index, score };
    this.#bases.forked(world, parent, recipe.sequence, true);
    if (changes.length > 0) {
      world.version = 1;
      world.changed = countRows(changes);
      world.lastWrite = sequence;
      world.root = applyToWorld(this.#pager, root, changes, edit);
    }
    this.#inUse.set(number, world);
    this.#dirty.add(world);
    this.#live = this.#put(this.#live, number, RECORD_SHAPE, ['{}']);
    this.#putName(world.name, number);
    this.#own(world, 1, false);
    pending.record = { ...pending.record, worlds: pending.record.worlds + 1 };
  }

  #keptAll({ run }: Extract<Event, { type: 'simulationKept' }>): void {
    const pending = this.#pending.get(run);
    assert(pending !== undefined, `simulation ${run} was keeping worlds`);
    const record = { ...pending.record, pending: false };
    this.#pending.delete(run);
    this.#simulations = this.#remove(this.#simulations, run);
    if (record.worlds > 0) this.#simulations = this.#put(this.#simulations, run, RECORD_SHAPE, [JSON.stringify(record)]);
    this.#count += record.worlds;
    this.#ownedCounts.clear();
    const parent = this.#mustOpen(record.base);
    parent.children += record.worlds - 1;
    this.#dirty.add(parent);
  }

  #dropped({ run, worlds, last }: Extract<Event, { type: 'simulationDropped' }>): void {
    const pending = this.#pending.get(run);
    assert(pending !== undefined, `simulation ${run} was keeping worlds`);
    for (const number of worlds) {
      const world = this.#any(number);
      assert(world !== null, `world ${number} was kept`);
      this.#inUse.delete(number);
      this.#dirty.delete(world);
      this.#live = this.#remove(this.#live, number);
      if (this.#numberOf(world.name) === number) this.#removeName(world.name);
      this.#own(world, -1, false);
    }
    pending.record = { ...pending.record, worlds: pending.record.worlds - worlds.length };
    if (!last) return;
    this.#pending.delete(run);
    this.#simulations = this.#remove(this.#simulations, run);
    // It may have been discarded with all its forks.
    const parent = this.byNumber(pending.record.base);
    if (parent === null) return;
    parent.children--;
    this.#dirty.add(parent);
  }

  /** A run is removed with its last world. */
  #leftSimulation(run: Sequence): void {
    const record = this.simulation(run);
    if (record === null) return;
    if (record.worlds > 1) this.#simulations = this.#put(this.#simulations, run, RECORD_SHAPE, [JSON.stringify({ ...record, worlds: record.worlds - 1 })]);
    else this.#simulations = this.#remove(this.#simulations, run);
  }

  #commit(world: World, { changes, built }: Pick<Committed, 'changes' | 'built'>, envelope: Envelope): void {
    if (built === undefined) return this.#write(world, changes, envelope);
    this.#write(world, changes, envelope, { base: built.base, theirs: built.after, disjoint: true, entire: true });
    this.#pager.dirtyBytes += built.bytes;
  }

  #write(world: World, changes: readonly TreeChanges[], envelope: Envelope, branch: Branch | null = null): void {
    const doomed = this.#doomed.has(world.number);
    // Counted before they are removed. No quota applies to worlds without an owner.
    if (!doomed && world.owner !== null && changesCatalog(changes)) world.changed += emptiedRows(this.#pager, world.root, changes);
    if (!doomed) world.root = applyToWorld(this.#pager, world.root, world.name === MAIN ? withoutEffects(changes) : changes, world.edit, branch);
    if (world.catalog !== null && changesCatalog(changes)) world.catalog = null;
    world.version++;
    world.changed += countRows(changes);
    if (!world.flagged && this.isFlagged(world)) world.flagged = true;
    world.lastWrite = envelope.sequence;
    this.#touch(world, envelope);
  }

  #moveForkPoint(branch: World, baseChanges: readonly TreeChanges[]): void {
    if (baseChanges.length > 0 && !this.#doomed.has(branch.number)) branch.base = applyToWorld(this.#pager, branch.base, baseChanges, this.#pager.newEdit());
  }

  #otherRows(changes: readonly TreeChanges[], before: Node, after: Node): number {
    let count = 0;
    for (const { tree, rows } of changes) {
      if (tree === CATALOG_TREE || tree === SEQUENCE_TREE) continue;
      const old = childRoot(this.#pager, before, tree);
      const now = childRoot(this.#pager, after, tree);
      for (const { key } of rows) {
        const a = rowIn(this.#pager, old, key);
        const b = rowIn(this.#pager, now, key);
        if (a === null ? b !== null : b === null || !sameRow(a.leaf, a.index, b.leaf, b.index)) count++;
      }
    }
    return count;
  }

  #touch(world: World, envelope: Envelope): void {
    world.active = envelope.at as Micros;
    this.#dirty.add(world);
  }

  #leave(world: World, status: 'merged' | 'discarded', envelope: Envelope): void {
    this.#bases.left(world);
    world.status = status;
    world.gone = envelope.sequence;
    this.#inUse.delete(world.number);
    this.#dirty.delete(world);
    this.#live = this.#remove(this.#live, world.number);
    this.#gone = this.#put(this.#gone, world.number, RECORD_SHAPE, [JSON.stringify(recordOf(world))]);
    for (const { name } of world.checkpoints)
      this.#checkpoints = removeChildRoot(this.#pager, this.#checkpoints, checkpointKey(world.number, name), this.#edit);
    this.#count--;
    this.#own(world, -1);
    if (world.simulated !== undefined) this.#leftSimulation(world.simulated.run);
    const parent = this.byNumber(world.parent);
    if (parent !== null) {
      parent.children--;
      this.#dirty.add(parent);
    }
  }

  #put(tree: Node, key: number | string, shape: Shape, after: RowChange['after']): Node {
    return applyChanges(this.#pager, tree, [{ key, shape, before: null, after }], this.#edit);
  }

  #remove(tree: Node, key: number | string): Node {
    return applyChanges(this.#pager, tree, [{ key, shape: RECORD_SHAPE, before: [], after: null }], this.#edit);
  }

  // --- checkpoints

  seal(): Node {
    const changes: RowChange[] = [];
    const dirty = [...this.#dirty].sort((a, b) => a.number - b.number);
    for (const world of dirty) {
      world.edit = this.#pager.newEdit();
      changes.push({ key: world.number, shape: RECORD_SHAPE, before: null, after: [JSON.stringify(recordOf(world))] });
    }
    // A doomed world's trees in memory are outdated.
    for (const { number } of dirty) if (this.#doomed.has(number)) this.#live = this.#remove(this.#live, number);
    this.#live = applyChanges(this.#pager, this.#live, changes, this.#edit);
    for (const world of dirty) {
      if (this.#doomed.has(world.number)) continue;
      this.#live = setChildRoot(this.#pager, this.#live, world.number, world.root, this.#edit, ROOT);
      this.#live = setChildRoot(this.#pager, this.#live, world.number, world.base, this.#edit, ROOT2);
    }
    this.#dirty.clear();
    for (const run of this.#pending.keys()) this.#storeSimulation(run);
    for (const [slot, root] of [
      [LIVE, this.#live],
      [GONE, this.#gone],
      [NAMES, this.#names],
      [CHECKPOINTS, this.#checkpoints],
      [RUNS, this.#runs],
      [OWNED, this.#owned],
      [SIMULATIONS, this.#simulations],
      [COMMON, this.#states.tree],
    ] as const) {
      this.#directory = setChildRoot(this.#pager, this.#directory, slot, root, this.#edit);
    }
    this.#edit = this.#pager.newEdit();
    return this.#directory;
  }

  *dump(root: Node): Iterable<Uint8Array> {
    const then = new WorldsProjection(this.#pager, root);
    yield encodePart({ part: 'state', running: then.#running, currentRun: then.#currentRun, crashes: then.#crashes });
    for (const { leaf, start } of leaves(this.#pager, then.#gone, null)) {
      for (let i = start; i < leaf.count; i++) yield encodePart({ part: 'gone', record: JSON.parse(leaf.cell(i, RECORD) as string) as WorldRecord });
    }
    for (const { leaf, start } of leaves(this.#pager, then.#live, null)) {
      for (let i = start; i < leaf.count; i++) yield* then.#dumpWorld(then.#any(leaf.key(i) as WorldNumber)!);
      // Only what is being written is in memory: a base may have a million worlds.
      if (then.#inUse.size > CLEAN_WORLDS_MAX) then.#inUse.clear();
    }
    yield* then.#dumpStates();
    for (const { leaf, start } of leaves(this.#pager, then.#simulations, null)) {
      for (let i = start; i < leaf.count; i++) {
        const record = JSON.parse(leaf.cell(i, RECORD) as string) as SimulationRun;
        yield encodePart({ part: 'simulation', record });
        if (!record.pending) continue;
        const parent = then.byNumber(record.base);
        for (const changes of differenceParts(this.#pager, parent?.root ?? null, then.#pending.get(record.run)!.root)) {
          yield encodePart({ part: 'simulation base', run: record.run }, changes);
        }
      }
    }
  }

  /** Each as its diff from its world, or from the first existing one if that is gone. */
  *#dumpStates(): Iterable<Uint8Array> {
    for (const { key, record, root } of this.#states.entries()) {
      const near = this.#any(worldOfKey(key) as WorldNumber) ?? this.#first();
      yield encodePart({ part: 'common', key, record, from: near?.number ?? 0 });
      for (const changes of differenceParts(this.#pager, near?.root ?? null, root)) yield encodePart({ part: 'common', key, record, from: 0 }, changes);
    }
  }

  #first(): World | null {
    for (const { leaf, start } of leaves(this.#pager, this.#live, null)) if (start < leaf.count) return this.#any(leaf.key(start) as WorldNumber);
    return null;
  }

  *#dumpWorld(world: World): Iterable<Uint8Array> {
    const { number } = world;
    yield encodePart({ part: 'world', record: recordOf(world) });
    const parent = this.#any(world.parent);
    for (const changes of differenceParts(this.#pager, parent?.root ?? null, world.base)) yield encodePart({ part: 'base', world: number }, changes);
    for (const changes of differenceParts(this.#pager, world.base, world.root)) yield encodePart({ part: 'root', world: number }, changes);
    for (const { name } of world.checkpoints) {
      const target = this.checkpointRoot(world, name)!;
      yield encodePart({ part: 'checkpoint', world: number, name });
      for (const changes of differenceParts(this.#pager, world.root, target)) yield encodePart({ part: 'checkpoint', world: number, name }, changes);
    }
  }

  load(part: Uint8Array): void {
    const { head, changes } = decodePart(part);
    switch (head.part) {
      case 'state':
        for (const crash of head.crashes) {
          this.#crashes.push(crash);
          this.#runs = this.#put(this.#runs, crash.from, END_SHAPE, [crash.to]);
        }
        this.#running = head.running;
        this.#currentRun = head.currentRun;
        if (head.running) this.#runs = this.#put(this.#runs, head.currentRun, END_SHAPE, [-1]);
        return;
      case 'gone': {
        const record = head.record as WorldRecord;
        this.#gone = this.#put(this.#gone, record.number, RECORD_SHAPE, [JSON.stringify(record)]);
        this.#name(record);
        return;
      }
      case 'simulation': {
        const record = head.record as SimulationRun;
        this.#simulations = this.#put(this.#simulations, record.run, RECORD_SHAPE, [JSON.stringify(record)]);
        if (!record.pending) return;
        const base = this.byNumber(record.base);
        this.#pending.set(record.run, { record, root: base === null ? emptyTree(true) : this.share(base) });
        this.#storeSimulation(record.run);
        this.#count -= record.worlds;
        return;
      }
      case 'simulation base': {
        const pending = this.#pending.get(head.run)!;
        pending.root = applyToWorld(this.#pager, pending.root, changes, this.#pager.newEdit());
        return this.#storeSimulation(head.run);
      }
      case 'world': {
        const record = head.record as WorldRecord;
        const parent = this.byNumber(record.parent);
        const root = parent === null ? emptyTree(true) : this.share(parent);
        // Bases of releases without quotas do not have it.
        const world: World = {
          ...record,
          ttl: record.ttl ?? null,
          changed: record.changed ?? 0,
          root,
          base: root,
          catalog: null,
          used: 0,
          edit: this.#pager.newEdit(),
        };
        this.#inUse.set(world.number, world);
        this.#dirty.add(world);
        this.#live = this.#put(this.#live, world.number, RECORD_SHAPE, ['{}']);
        this.#name(record);
        this.#count++;
        this.#own(world, 1);
        return;
      }
      case 'base': {
        const world = this.#mustOpen(head.world as WorldNumber);
        world.base = applyToWorld(this.#pager, world.base, changes, this.#pager.newEdit());
        world.root = world.base;
        return;
      }
      case 'root': {
        const world = this.#mustOpen(head.world as WorldNumber);
        world.root = applyToWorld(this.#pager, world.root, changes, world.edit);
        return;
      }
      case 'common': {
        const there = this.#states.root(head.key);
        const before = there ?? (head.from === 0 ? emptyTree(true) : this.share(this.#mustOpen(head.from as WorldNumber)));
        const root = changes.length === 0 ? before : applyToWorld(this.#pager, before, changes, this.#pager.newEdit());
        return this.#states.put(head.key, head.record as CommonRecord, root, this.#edit);
      }
      case 'checkpoint': {
        const world = this.#mustOpen(head.world as WorldNumber);
        const key = checkpointKey(world.number, head.name);
        const before = childRoot(this.#pager, this.#checkpoints, key) ?? this.share(world);
        this.#checkpoints = setChildRoot(this.#pager, this.#checkpoints, key, applyToWorld(this.#pager, before, changes, this.#pager.newEdit()), this.#edit);
        return;
      }
    }
  }

  /** The latest world of a name keeps it. */
  #name({ name, number }: { name: string; number: WorldNumber }): void {
    if ((this.#numberOf(name) ?? 0) < number) this.#putName(name, number);
  }

  written(): void {
    if (this.#inUse.size <= CLEAN_WORLDS_MAX) return;
    for (const [number, world] of this.#inUse) {
      if (!this.#dirty.has(world)) this.#inUse.delete(number);
      if (this.#inUse.size <= CLEAN_WORLDS_MAX / 2) break;
    }
  }
}

function withoutEffects(changes: readonly TreeChanges[]): readonly TreeChanges[] {
  return changes.some(({ tree }) => tree === EFFECT_TREE) ? changes.filter(({ tree }) => tree !== EFFECT_TREE) : changes;
}

function recordOf(world: World): WorldRecord {
  const { root: _root, base: _base, edit: _edit, catalog: _catalog, used: _used, ...record } = world;
  return record;
}

function padded(number: number): string {
  return String(number).padStart(15, '0');
}

function checkpointKey(world: number, name: string): string {
  return utf8Key(`${String(world).padStart(15, '0')}/${name}`);
}

/** Root of a world in a sealed worlds tree, for time travel. */
export function worldRootIn(pager: Pager, directory: Node, number: WorldNumber): Node | null {
  const live = childRoot(pager, directory, LIVE);
  if (live === null) return null;
  return childRoot(pager, live, number, ROOT);
}

// Version 3: earlier ones lost sequence positions in large commits.
export const worlds = defineProjection({ name: 'worlds', slot: 1, version: 3, make: (pager, root) => new WorldsProjection(pager, root) });
