/**
 * Open worlds: records with the roots of their trees, by number. Those in use are kept in memory and written back when the projection is sealed, so that a
 * commit changes fields of an object and a million idle worlds stay on disk.
 *
 * A *doomed* world ends within the current replay: its trees are not built, and a seal leaves it out.
 */
import type { WorldNumber } from '../../src/base/brands.ts';
import type { RowChange } from '../../src/tree/datum.ts';
import { ROOT, ROOT2 } from '../../src/tree/directory.ts';
import type { Leaf, Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { emptyTree } from '../../src/tree/write.ts';
import type { World, WorldRecord } from '../../src/worlds/world.ts';
import { type Edit, PartTree, recordAt, SHAPES } from './part-tree.ts';

/** Clean worlds in memory beyond this many are evicted at a checkpoint. */
const CLEAN_WORLDS_MAX = 10_000;

export class OpenWorlds {
  /** Visible ones: without those that an unfinished simulation keeps. */
  count: number;
  readonly #pager: Pager;
  readonly #tree: PartTree;
  readonly #inUse = new Map<number, World>();
  readonly #dirty = new Set<World>();
  #doomed: ReadonlySet<number> = new Set();
  /** As if all were doomed. */
  #recordsOnly = false;

  constructor(edit: Edit, root: Node | null) {
    this.#pager = edit.pager;
    this.#tree = new PartTree(edit, root, true);
    this.count = this.#tree.root.count;
  }

  get root(): Node {
    return this.#tree.root;
  }

  byNumber(number: WorldNumber): World | null {
    const inUse = this.#inUse.get(number);
    if (inUse !== undefined) return inUse;
    const { leaf, at } = this.#tree.find(number);
    return at < 0 ? null : this.#load(leaf, at);
  }

  #load(leaf: Leaf, at: number): World {
    const record = recordAt<WorldRecord>(leaf, at);
    const doomed = this.isDoomed(record.number);
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

  /** Its record; a world that is not in use is not loaded. */
  record(number: WorldNumber): WorldRecord | null {
    return this.#inUse.get(number) ?? this.#tree.record<WorldRecord>(number);
  }

  /** Records of wanted worlds with numbers above `after`, in order, up to `limit`. */
  records(after: number, limit: number, isWanted: (world: WorldRecord) => boolean): WorldRecord[] {
    const out: WorldRecord[] = [];
    if (limit <= 0) return out;
    this.#tree.each(after + 1, (leaf, at) => {
      const world = this.#inUse.get(leaf.key(at) as number) ?? recordAt<WorldRecord>(leaf, at);
      if (isWanted(world)) out.push(world);
      return out.length < limit;
    });
    return out;
  }

  /** Numbers from `from` on (null: all), in order. */
  numbers(from: number | null): WorldNumber[] {
    const numbers: WorldNumber[] = [];
    this.#tree.each(from, (leaf, at) => void numbers.push(leaf.key(at) as WorldNumber));
    return numbers;
  }

  /** All, for a caller that pauses and has this object to itself. Only those that it uses are in memory: a base may have a million worlds. */
  *each(): Iterable<World> {
    for (const { leaf, at } of this.#tree.rows()) {
      yield this.byNumber(leaf.key(at) as WorldNumber)!;
      if (at === leaf.count - 1 && this.#inUse.size > CLEAN_WORLDS_MAX) this.#inUse.clear();
    }
  }

  /** The one with the lowest number. */
  first(): World | null {
    for (const { leaf, at } of this.#tree.rows()) return this.byNumber(leaf.key(at) as WorldNumber);
    return null;
  }

  add(world: World): void {
    this.#inUse.set(world.number, world);
    this.#dirty.add(world);
    // The row is in the tree from the start, so that listings read only one source.
    this.#tree.putRecord(world.number, {});
  }

  /** Its record has changed. */
  dirty(world: World): void {
    this.#dirty.add(world);
  }

  remove(world: World): void {
    this.#inUse.delete(world.number);
    this.#dirty.delete(world);
    this.#tree.remove(world.number);
  }

  isDoomed(number: number): boolean {
    return this.#recordsOnly || this.#doomed.has(number);
  }

  /** These will end within the replay that begins. */
  doom(numbers: ReadonlySet<number>): void {
    this.#doomed = numbers;
    for (const number of numbers) {
      const world = this.#inUse.get(number);
      if (world !== undefined) world.root = world.base = emptyTree(true);
    }
  }

  /** From here on no world's trees are built, and nothing is sealed. */
  keepRecordsOnly(): void {
    this.#recordsOnly = true;
  }

  get isRecordsOnly(): boolean {
    return this.#recordsOnly;
  }

  /** Whether a doomed one is still open. */
  get partial(): boolean {
    for (const number of this.#doomed) if (this.byNumber(number as WorldNumber) !== null) return true;
    return false;
  }

  seal(): void {
    const changes: RowChange[] = [];
    const dirty = [...this.#dirty].sort((a, b) => a.number - b.number);
    for (const world of dirty) {
      world.edit = this.#pager.newEdit();
      changes.push({ key: world.number, shape: SHAPES.record, before: null, after: [JSON.stringify(recordOf(world))] });
    }
    // A doomed world's trees in memory are outdated.
    for (const { number } of dirty) if (this.isDoomed(number)) this.#tree.remove(number);
    this.#tree.apply(changes);
    for (const world of dirty) {
      if (this.isDoomed(world.number)) continue;
      this.#tree.setChild(world.number, world.root, ROOT);
      this.#tree.setChild(world.number, world.base, ROOT2);
    }
    this.#dirty.clear();
  }

  /** The sealed tree was written: clean worlds beyond the limit are evicted. */
  evict(): void {
    if (this.#inUse.size <= CLEAN_WORLDS_MAX) return;
    for (const [number, world] of this.#inUse) {
      if (!this.#dirty.has(world)) this.#inUse.delete(number);
      if (this.#inUse.size <= CLEAN_WORLDS_MAX / 2) break;
    }
  }
}

/** The world as it is stored. */
export function recordOf(world: World): WorldRecord {
  const { root: _root, base: _base, edit: _edit, catalog: _catalog, used: _used, ...record } = world;
  return record;
}
