/**
 * Nodes between memory and the page store: loads a page on demand, keeps decoded clean pages within a
 * byte budget (clock eviction), hands out page ids and edit tokens. Dirty nodes are held by their parents
 * and never evicted; the checkpoint bounds them.
 */
import { assert, violated } from '../base/assert.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import type { Group } from './gathered.ts';
import type { Inner, Leaf, Node } from './node.ts';
import { decodePage } from './page-format.ts';
import type { PageSet } from './page-set.ts';
import type { Vec } from './vec.ts';

/**
 * Inner nodes stay in the cache while they take at most this part of it. A scan of a table that does not fit reads each
 * of them once in several rounds of the clock, so they would go with the leaves, and with them the groups of columns
 * (`gathered.ts`) that make the next scan independent of the leaves.
 */
const INNER_SHARE = 4;

/** Pages that one page points at. */
export interface PageLinks {
  readonly ids: Float64Array;
  /** They are leaves. */
  readonly leaves: boolean;
  /** They are roots of trees, in a leaf of a directory. */
  readonly roots: boolean;
}

export class Pager {
  readonly store: PageStore;
  readonly budgetBytes: number;
  nextId: number;
  cachedBytes = 0;
  /** Of them, those of inner nodes. */
  #innerBytes = 0;
  /** Estimated bytes of nodes copied or made since the last checkpoint began. */
  dirtyBytes = 0;
  reads = 0;
  /** Pages with numbers below were of a store that was thrown away since: who still asks for one has a state of that time. */
  renewedAt = 0;
  /** A page is damaged or missing (`stale`: went with the store that it was in). Gives what the reader is thrown. */
  onDamage: ((damage: CacheDamage, stale: boolean) => unknown) | null = null;
  /** Once pages were collected: what the store holds at most, beside ids from `limit` on. */
  stored: { readonly limit: number; readonly pages: PageSet } | null = null;
  /** Of pages above leaves of rows, as far as they were read to mark what they reach: pages never change. */
  readonly links = new Map<number, PageLinks>();
  #nextEdit = 1;
  readonly #cache = new Map<number, Node>();
  /** Inner nodes of the cache that know children in it: a path down the tree is then followed without asking for each page. */
  readonly #nearby = new Set<Inner>();
  /** What scans gathered, in the order in which it came. */
  readonly #groups = new Set<Group>();
  #groupBytes = 0;
  /** Pages in the cache of which a writer has made others. */
  readonly #superseded = new Set<number>();

  constructor(store: PageStore, budgetBytes: number, nextId: number) {
    this.store = store;
    this.budgetBytes = budgetBytes;
    this.nextId = nextId;
  }

  newEdit(): number {
    return ++this.#nextEdit;
  }

  newPageId(): number {
    return this.nextId++;
  }

  get cachedPages(): number {
    return this.#cache.size;
  }

  kid(inner: Inner, i: number): Node {
    const node = inner.kids[i];
    if (node !== null) return node;
    const id = inner.ids[i];
    const near = inner.near?.[i] ?? null;
    if (near !== null && near.id === id) {
      if (!near.used) this.#use(near);
      return near;
    }
    const kid = id < 0 ? this.#later(inner, id) : this.load(id);
    if (inner.near === null && this.#cache.get(inner.id) === inner) {
      inner.near = new Array<Node | null>(inner.ids.length).fill(null);
      this.#nearby.add(inner);
    }
    if (inner.near !== null && i < inner.near.length) inner.near[i] = kid;
    return kid;
  }

  /** A number for a leaf that is made when somebody reads it. */
  newLaterId(): number {
    return --this.#laterId;
  }
  #laterId = 0;

  #later(inner: Inner, id: number): Leaf {
    const cached = this.#cache.get(id);
    if (cached !== undefined) {
      if (!cached.used) this.#use(cached);
      return cached as Leaf;
    }
    const leaf = inner.later!.get(id)!.make(this, id);
    this.#admit(leaf);
    return leaf;
  }

  ref(vec: Vec, i: number): Node {
    const node = vec.refs![i];
    return node ?? this.load(vec.f64[i]);
  }

  /** The page where memory holds it, for somebody who will not read it again. */
  peek(id: number): Node | undefined {
    return this.#cache.get(id);
  }

  /** The page where memory holds it. */
  held(id: number): Node | null {
    const cached = this.#cache.get(id);
    if (cached === undefined) return null;
    if (!cached.used) this.#use(cached);
    return cached;
  }

  #use(node: Node): void {
    node.used = true;
    // Its texts may have become strings since.
    const { held } = node;
    this.cachedBytes += held - node.charge;
    if (!node.isLeaf) this.#innerBytes += held - node.charge;
    node.charge = held;
  }

  load(id: number): Node {
    if (!(id > 0)) violated(`page id ${id}`);
    const cached = this.#cache.get(id);
    if (cached !== undefined) {
      if (!cached.used) this.#use(cached);
      return cached;
    }
    this.reads++;
    let node: Node;
    try {
      const bytes = this.store.read(id);
      if (bytes === undefined) throw new CacheDamage(`page ${id} is missing from the page cache`);
      node = decoded(bytes, id);
    } catch (error) {
      throw this.#damaged(error, id);
    }
    this.keep(node);
    return node;
  }

  #damaged(error: unknown, id: number): unknown {
    return error instanceof CacheDamage ? (this.onDamage?.(error, id < this.renewedAt) ?? error) : error;
  }

  /** The store was thrown away and is empty: nothing of what is stored is known, and its pages' numbers are not given again. */
  renewed(): void {
    this.renewedAt = this.nextId;
    this.stored = null;
    this.links.clear();
    this.dirtyBytes = 0;
  }

  /** Loads those pages that memory does not hold in one read of the store: what comes next will ask for each. */
  prefetch(ids: readonly number[]): void {
    const missing = ids.filter((id) => id > 0 && !this.#cache.has(id));
    if (missing.length < 2) return;
    let pages: (Uint8Array | undefined)[];
    try {
      pages = this.store.readMany(missing);
    } catch {
      // Whoever needs the damaged one meets it by itself.
      return;
    }
    for (let i = 0; i < missing.length; i++) {
      const bytes = pages[i];
      // One that is missing, or cannot be read, is met by whoever needs it.
      if (bytes === undefined) continue;
      let node: Node;
      try {
        node = decodePage(bytes, missing[i]);
      } catch {
        continue;
      }
      this.reads++;
      // Kept pages must outlive the eviction that their neighbours cause.
      node.used = true;
      this.keep(node);
    }
  }

  /** Puts a clean node under the cache's budget. */
  keep(node: Node): void {
    assert(node.id > 0, 'only written nodes are cached');
    if (!this.#cache.has(node.id)) this.#admit(node);
  }

  #admit(node: Node): void {
    this.#cache.set(node.id, node);
    node.charge = node.held;
    this.cachedBytes += node.charge;
    if (!node.isLeaf) this.#innerBytes += node.charge;
    if (this.cachedBytes + this.#groupBytes > this.budgetBytes) this.#evict();
  }

  /** A writer has made another of this node: unless somebody reads it from now on, it is the first to go. */
  supersede(node: Node): void {
    if (node.id === 0) return;
    node.used = false;
    this.#superseded.add(node.id);
  }

  drop(id: number): void {
    const node = this.#cache.get(id);
    if (node === undefined) return;
    this.#cache.delete(id);
    this.cachedBytes -= node.charge;
    if (node.isLeaf) return;
    this.#innerBytes -= node.charge;
    this.#farOff(node);
  }

  #farOff(inner: Inner): void {
    inner.near = null;
    this.#nearby.delete(inner);
  }

  /** What groups may take, of the budget. */
  get groupBytesMax(): number {
    return this.budgetBytes / 3;
  }

  /** Puts a group that grew under the budget. */
  countGroup(group: Group): void {
    this.#groups.add(group);
    this.#groupBytes += group.bytes - group.counted;
    group.counted = group.bytes;
    if (this.#groupBytes > this.groupBytesMax) this.#ungroup();
    if (this.cachedBytes + this.#groupBytes > this.budgetBytes) this.#evict();
  }

  #ungroup(): void {
    for (const group of this.#groups) {
      if (this.#groupBytes <= this.groupBytesMax * 0.9) return;
      this.#groups.delete(group);
      if (group.used) {
        group.used = false;
        this.#groups.add(group);
      } else {
        this.#groupBytes -= group.counted;
        group.clear();
      }
    }
  }

  #evict(): void {
    const enough = this.budgetBytes * 0.9;
    for (const inner of this.#nearby) this.#farOff(inner);
    for (const id of this.#superseded) {
      if (this.#cache.get(id)?.used === false) this.drop(id);
    }
    this.#superseded.clear();
    const innersStay = this.#innerBytes <= this.budgetBytes / INNER_SHARE;
    // Second chance in insertion order: a used page goes to the back once.
    for (const [id, node] of this.#cache) {
      if (this.cachedBytes <= enough - this.#groupBytes) return;
      if (!node.isLeaf && innersStay) continue;
      this.#cache.delete(id);
      if (node.used) {
        node.used = false;
        this.#cache.set(id, node);
      } else {
        this.cachedBytes -= node.charge;
        if (!node.isLeaf) this.#innerBytes -= node.charge;
      }
    }
  }
}

function decoded(bytes: Uint8Array, id: number): Node {
  try {
    return decodePage(bytes, id);
  } catch (cause) {
    throw new CacheDamage(`page ${id} of the page cache cannot be read: ${(cause as Error).message}`, cause);
  }
}
