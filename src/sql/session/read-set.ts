/**
 * What a serializable transaction has read: ranges of keys by tree, and rows that an index named. When it commits and
 * the world has moved, nothing of that may have changed; then it is as if all of it had run at the moment of the commit.
 * That refuses more than Postgres does, which waits for two such dependencies in a row, and never less.
 */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { eachRowChange } from '../../worlds/row-change.ts';
import type { Reads } from '../exec/context.ts';

/** A tree of which more was read counts as read as a whole. */
const PARTS_MAX = 1000;

interface Range {
  readonly lower: Key | null;
  readonly upper: Key | null;
}

interface TreeReads {
  whole: boolean;
  ranges: Range[];
  keys: Set<Key>;
}

export class ReadSet implements Reads {
  readonly #trees = new Map<number, TreeReads>();

  ranges(tree: number, ranges: readonly Range[]): void {
    const reads = this.#of(tree);
    if (reads.whole) return;
    for (const range of ranges) {
      if (range.lower === null && range.upper === null) return whole(reads);
      reads.ranges.push(range);
    }
    if (reads.ranges.length > PARTS_MAX) whole(reads);
  }

  row(tree: number, key: Key): void {
    const reads = this.#of(tree);
    if (reads.whole) return;
    reads.keys.add(key);
    if (reads.keys.size > PARTS_MAX) whole(reads);
  }

  #of(tree: number): TreeReads {
    let reads = this.#trees.get(tree);
    if (reads === undefined) this.#trees.set(tree, (reads = { whole: false, ranges: [], keys: new Set() }));
    return reads;
  }

  /** Whether anything that was read differs between the two states. */
  changed(pager: Pager, from: Node, to: Node): boolean {
    for (const [tree, reads] of this.#trees) {
      const a = childRoot(pager, from, tree);
      const b = childRoot(pager, to, tree);
      if (a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id)) continue;
      let found = false;
      eachRowChange(pager, a, b, (key) => {
        found =
          reads.whole || reads.keys.has(key) || reads.ranges.some(({ lower, upper }) => (lower === null || key >= lower) && (upper === null || key < upper));
        return !found;
      });
      if (found) return true;
    }
    return false;
  }
}

function whole(reads: TreeReads): void {
  reads.whole = true;
  reads.ranges = [];
  reads.keys = new Set();
}
