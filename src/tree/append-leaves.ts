/** Appends complete leaves after all rows of a tree. */
import type { Leaf, Node } from './node.ts';
import type { Pager } from './pager.ts';
import { grownRoot, replaceChildren, splitInner } from './write.ts';

/** The key of the tree's last row; null without rows. */
export function lastKey(pager: Pager, root: Node): Leaf['nkeys'][number] | string | null {
  let node = root;
  while (!node.isLeaf) node = pager.kid(node, node.keys.length - 1);
  return node.count === 0 ? null : node.key(node.count - 1);
}

/**
 * The root with the leaves appended; their keys are greater than all others. The leaves are not copied: their creator must
 * not change them any more, unless `edit` is their token.
 */
export function appendLeaves(pager: Pager, root: Node, leaves: readonly Leaf[], edit: number): Node {
  if (leaves.length === 0) return root;
  const own: Leaf[] = [];
  for (const leaf of leaves) {
    // A page belongs to the parent it was written for, which stores its hash.
    const node = leaf.id === 0 ? leaf : leaf.copy(edit);
    pager.dirtyBytes += node.bytes;
    own.push(node);
  }
  const nodes = root.count === 0 ? own : behind(pager, root, own, edit);
  return grownRoot(pager, nodes, leaves[0].numeric, edit);
}

/** The nodes that replace `node`. */
function behind(pager: Pager, node: Node, leaves: readonly Leaf[], edit: number): Node[] {
  if (node.isLeaf) return [node, ...leaves];
  let own = node;
  if (own.edit !== edit) {
    own = own.copy(edit);
    pager.dirtyBytes += own.bytes;
  }
  if (own.height > 1) {
    const last = own.keys.length - 1;
    replaceChildren(own, last, behind(pager, pager.kid(own, last), leaves, edit));
  } else {
    own.ungroup(own.keys.length, false);
    for (const leaf of leaves) {
      own.keys.push(leaf.key(0));
      own.kids.push(leaf);
      own.ids.push(0);
      own.hashes.push(null);
      own.counts.push(leaf.count);
    }
  }
  return splitInner(own, false, edit);
}
