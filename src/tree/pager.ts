/**
 * The buffer manager between memory and the page store: loads pages on demand, caches decoded clean pages within a byte
 * budget (clock eviction), assigns page ids and edit tokens. Dirty nodes are held by their parents and never evicted;
 * checkpoints bound them.
 */
import { assert, violated } from '../base/assert.ts';
import { CacheDamage, type PageStore } from '../storage/page-store.ts';
import type { Group } from './gathered.ts';
import type { Inner, Leaf, Node } from './node.ts';
import { decodePage } from './page-format.ts';
import type { PageSet } from './page-set.ts';
import type { Vec } from './vec.ts';

/**
 * Inner nodes stay in the cache while they take at most this fraction of it. A scan of a table larger than the cache reads
 * each of them once in several rounds of the clock, so they would be evicted with the leaves, and with them the gathered
 * columns (`gathered.ts`) that make the next scan independent of the leaves.
 */
const INNER_SHARE = 4;

/** Pages referenced by one page. */
export interface PageLinks {
  readonly ids: Float64Array;
  /** They are leaves. */
  readonly leaves: boolean;
  /** They are roots of trees, in a leaf of a directory. */
  readonly roots: boolean;
}

/** Called when a page is damaged or missing (`stale`: it was in a dropped store). Returns the error for the reader. */
type OnDamage = (damage: CacheDamage, stale: boolean) => unknown;

export class Pager {
  readonly store: PageStore;
  readonly budgetBytes: number;
  nextId: number;
  cachedBytes = 0;
  /** Of these, bytes of inner nodes. */
  #innerBytes = 0;
  /** Estimated bytes of nodes copied or created since the last checkpoint began. */
  dirtyBytes = 0;
  reads = 0;
  /** Lower page ids belong to a store that was dropped: a reader that requests one has a stale state. */
  renewedAt = 0;
  /** Known after a collection: the pages that the store has at most, besides ids from `limit` on. */
  stored: { readonly limit: number; readonly pages: PageSet } | null = null;
  /** References of pages above leaves of rows, as far as read during collections: pages never change. */
  readonly links = new Map<number, PageLinks>();
  #nextEdit = 1;
  readonly #onDamage: OnDamage | null;
  readonly #cache = new Map<number, Node>();
  /** Cached inner nodes with pointers to cached children: a path down the tree then needs no cache lookups. */
  readonly #nearby = new Set<Inner>();
  /** Gathered groups, in insertion order. */
  readonly #groups = new Set<Group>();
  #groupBytes = 0;
  /** Cached pages that a writer has replaced. */
  readonly #superseded = new Set<number>();

  constructor(store: PageStore, budgetBytes: number, nextId: number, onDamage: OnDamage | null = null) {
    this.store = store;
    this.#onDamage = onDamage;
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

  /** An id for a lazily materialised leaf. */
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

  /** The page if cached, for a reader that will not read it again. */
  peek(id: number): Node | undefined {
    return this.#cache.get(id);
  }

  /** The page if cached. */
  held(id: number): Node | null {
    const cached = this.#cache.get(id);
    if (cached === undefined) return null;
    if (!cached.used) this.#use(cached);
    return cached;
  }

  #use(node: Node): void {
    node.used = true;
    // Texts may have been decoded since.
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
    return error instanceof CacheDamage ? (this.#onDamage?.(error, id < this.renewedAt) ?? error) : error;
  }

  /** The store was dropped and is empty: forget what was stored; page ids are not reused. */
  renewed(): void {
    this.renewedAt = this.nextId;
    this.stored = null;
    this.links.clear();
    this.dirtyBytes = 0;
  }

  /** Loads the uncached pages in one read of the store, before they are all read. */
  prefetch(ids: readonly number[]): void {
    const missing = ids.filter((id) => id > 0 && !this.#cache.has(id));
    if (missing.length < 2) return;
    let pages: (Uint8Array | undefined)[];
    try {
      pages = this.store.readMany(missing);
    } catch {
      // The reader that needs the damaged page will report it.
      return;
    }
    for (let i = 0; i < missing.length; i++) {
      const bytes = pages[i];
      // A missing or unreadable page is reported by the reader that needs it.
      if (bytes === undefined) continue;
      let node: Node;
      try {
        node = decodePage(bytes, missing[i]);
      } catch {
        continue;
      }
      this.reads++;
      // Prefetched pages must survive the evictions caused by each other.
      node.used = true;
      this.keep(node);
    }
  }

  /** Adds a clean node to the cache. */
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

  /** A writer has replaced this node: unless it is read from now on, it is evicted first. */
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

  /** Maximum bytes of groups within the budget. */
  get groupBytesMax(): number {
    return this.budgetBytes / 3;
  }

  /** Counts a group that grew. */
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
