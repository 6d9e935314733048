/**
 * What a serializable transaction, or a world that checks its reads, has read: ranges of keys by tree, and rows by key. A
 * tree with too many entries counts as read as a whole, so that a set stays small; it may report false conflicts, but misses
 * none.
 */
import type { Key } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { eachRowChange } from './changes-between.ts';

const PARTS_MAX = 1000;

export interface KeyRange {
  readonly lower: Key | null;
  readonly upper: Key | null;
}

interface TreeReads {
  whole: boolean;
  ranges: KeyRange[];
  keys: Set<Key>;
}

/** The set as JSON; binary keys are texts with one character per byte. */
export interface StoredReads {
  [tree: string]: { whole?: true; ranges?: [Key | null, Key | null][]; keys?: Key[] };
}

export class ReadSet {
  readonly #trees = new Map<number, TreeReads>();
  /** Something was added since the last `takeGrown`. */
  #grown = false;

  static from(stored: StoredReads): ReadSet {
    const set = new ReadSet();
    set.add(stored);
    set.#grown = false;
    return set;
  }

  get empty(): boolean {
    return this.#trees.size === 0;
  }

  /** Whether it grew since the last call. */
  takeGrown(): boolean {
    const grown = this.#grown;
    this.#grown = false;
    return grown;
  }

  ranges(tree: number, ranges: readonly KeyRange[]): void {
    const reads = this.#of(tree);
    if (reads.whole) return;
    for (const range of ranges) {
      if (range.lower === null && range.upper === null) return this.#whole(reads);
      if (reads.ranges.some(({ lower, upper }) => lower === range.lower && upper === range.upper)) continue;
      reads.ranges.push({ lower: range.lower, upper: range.upper });
      this.#grown = true;
    }
    if (reads.ranges.length > PARTS_MAX) this.#whole(reads);
  }

  row(tree: number, key: Key): void {
    const reads = this.#of(tree);
    if (reads.whole || reads.keys.has(key)) return;
    reads.keys.add(key);
    this.#grown = true;
    if (reads.keys.size > PARTS_MAX) this.#whole(reads);
  }

  add(stored: StoredReads): void {
    for (const [tree, { whole, ranges, keys }] of Object.entries(stored)) {
      const number = Number(tree);
      if (whole === true) this.#whole(this.#of(number));
      if (ranges !== undefined)
        this.ranges(
          number,
          ranges.map(([lower, upper]) => ({ lower, upper })),
        );
      for (const key of keys ?? []) this.row(number, key);
    }
  }

  stored(): StoredReads {
    const out: StoredReads = {};
    for (const [tree, { whole, ranges, keys }] of this.#trees) {
      out[tree] = whole
        ? { whole: true }
        : { ...(ranges.length > 0 ? { ranges: ranges.map(({ lower, upper }) => [lower, upper]) } : {}), ...(keys.size > 0 ? { keys: [...keys] } : {}) };
    }
    return out;
  }

  #of(tree: number): TreeReads {
    let reads = this.#trees.get(tree);
    if (reads === undefined) this.#trees.set(tree, (reads = { whole: false, ranges: [], keys: new Set() }));
    return reads;
  }

  #whole(reads: TreeReads): void {
    if (!reads.whole) this.#grown = true;
    reads.whole = true;
    reads.ranges = [];
    reads.keys = new Set();
  }

  /** Whether anything that was read differs between the two states. */
  changed(pager: Pager, from: Node, to: Node): boolean {
    let found = false;
    this.eachChange(pager, from, to, () => {
      found = true;
      return false;
    });
    return found;
  }

  /** Visits what was read and differs between the two states; false ends the walk. */
  eachChange(pager: Pager, from: Node, to: Node, visit: (tree: number, key: Key) => boolean): void {
    let go = true;
    for (const [tree, reads] of this.#trees) {
      const a = childRoot(pager, from, tree);
      const b = childRoot(pager, to, tree);
      if (a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id)) continue;
      eachRowChange(pager, a, b, (key) => {
        if (reads.whole || reads.keys.has(key) || reads.ranges.some(({ lower, upper }) => (lower === null || key >= lower) && (upper === null || key < upper)))
          go = visit(tree, key);
        return go;
      });
      if (!go) return;
    }
  }
}
