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
