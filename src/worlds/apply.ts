/** Changes of a world's trees folded into its directory. */
import { emptyTree, applyChanges } from '../tree/write.ts';
import type { TreeChanges } from '../events/changes.ts';
import { childRoot, setChildRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';

/** The directory after the changes; nodes that `edit` owns are changed in place. */
export function applyToWorld(pager: Pager, directory: Node, changes: readonly TreeChanges[], edit: number): Node {
  let root = directory;
  for (const { tree, numeric, rows } of changes) {
    if (rows.length === 0) continue;
    const before = childRoot(pager, root, tree) ?? emptyTree(numeric, edit);
    const after = applyChanges(pager, before, rows, edit);
    // An unchanged pointer (changed in place) needs no new path either: its ancestors are owned.
    if (after !== before || before.edit !== edit || childRoot(pager, root, tree) !== after) root = setChildRoot(pager, root, tree, after, edit);
  }
  return root;
}
