/** Rows of a tree by their ordinals in key order. */
import type { Key } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { scanFrom } from '../tree/read.ts';

export function rowNumbered(pager: Pager, tree: Node, ordinal: number): { leaf: Leaf; at: number } {
  let row: { leaf: Leaf; at: number } | null = null;
  scanFrom(pager, tree, ordinal, (leaf, from) => {
    row = { leaf, at: from };
    return false;
  });
  return row!;
}

export function keyNumbered(pager: Pager, tree: Node, ordinal: number): Key {
  const { leaf, at } = rowNumbered(pager, tree, ordinal);
  return leaf.key(at);
}

/** Where ascending numbers have a number; -1 if they lack it. */
export function placeIn(numbers: Uint32Array, wanted: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle] < wanted) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === wanted ? low : -1;
}
