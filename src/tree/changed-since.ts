/**
 * Whether rows changed between two states of a tree, queried by key. A full diff costs all that changed between the states,
 * which for a small merge into a busy world is far more than the merge; a query costs at most one path down, and nothing for
 * another key of the same leaf. Keys may come in any order; ascending ones are cheap.
 */
import type { Key } from './datum.ts';
import { diffTrees, sameRow } from './diff.ts';
import type { Leaf, Node } from './node.ts';
import type { Pager } from './pager.ts';

/** The leaf that would hold a key, cached until a key lies outside it. */
class LeafAt {
  readonly #pager: Pager;
  readonly #root: Node;
  #leaf: Leaf | null = null;
  /** Bounds of the leaf's keys: from here, and below that; null: no bound. */
  #low: Key | null = null;
  #high: Key | null = null;

  constructor(pager: Pager, root: Node) {
    this.#pager = pager;
    this.#root = root;
  }

  of(key: Key): Leaf {
    if (this.#leaf !== null && (this.#low === null || key >= this.#low) && (this.#high === null || key < this.#high)) return this.#leaf;
    this.#low = null;
    this.#high = null;
    let node = this.#root;
    while (!node.isLeaf) {
      const at = node.childIndex(key);
      if (at > 0) this.#low = node.keys[at];
      if (at + 1 < node.keys.length) this.#high = node.keys[at + 1];
      node = this.#pager.kid(node, at);
    }
    this.#leaf = node;
    return node;
  }
}

export class ChangedSince {
  readonly #pager: Pager;
  readonly #before: Node | null;
  readonly #now: Node | null;
  readonly #then: LeafAt | null;
  readonly #here: LeafAt | null;
  #key: Key | null = null;
  #changed = false;

  /** Trees with one kind of key; null: without rows. */
  constructor(pager: Pager, before: Node | null, now: Node | null) {
    this.#pager = pager;
    this.#before = before;
    this.#now = now;
    this.#then = before === null || before.count === 0 ? null : new LeafAt(pager, before);
    this.#here = now === null || now.count === 0 ? null : new LeafAt(pager, now);
  }

  /** Whether any row changed. */
  get any(): boolean {
    if (this.#before === this.#now) return false;
    if (this.#before === null || this.#now === null) return (this.#before ?? this.#now)!.count > 0;
    return !diffTrees(this.#pager, this.#before, this.#now, () => false);
  }

  has(key: Key): boolean {
    if (this.#before === this.#now) return false;
    if (key !== this.#key) {
      this.#key = key;
      this.#changed = this.#differs(key);
    }
    return this.#changed;
  }

  #differs(key: Key): boolean {
    const then = this.#then?.of(key) ?? null;
    const here = this.#here?.of(key) ?? null;
    if (then === here || (then !== null && here !== null && then.id !== 0 && then.id === here.id)) return false;
    const before = then === null ? -1 : then.find(key);
    const now = here === null ? -1 : here.find(key);
    if (before < 0 || now < 0) return before >= 0 || now >= 0;
    return !sameRow(then!, before, here!, now);
  }
}
