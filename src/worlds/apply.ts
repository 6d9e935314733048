/** Changes of a world's trees folded into its directory. */
import { adoptChanges } from '../tree/adopt.ts';
import { emptyTree, applyChanges } from '../tree/write.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { childRoot, setChildRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';

/** Directories of a branch, sealed, where the changes are all that it changed. */
export interface Branch {
  base: Node;
  theirs: Node;
}

/** The directory after the changes; nodes that `edit` owns are changed in place, a branch's subtrees are taken as they are. */
export function applyToWorld(pager: Pager, directory: Node, changes: readonly TreeChanges[], edit: number, branch: Branch | null = null): Node {
  let root = directory;
  for (const { tree, numeric, rows } of changes) {
    if (rows.length === 0) continue;
    const before = childRoot(pager, root, tree) ?? emptyTree(numeric, edit);
    const base = branch === null || tree === CATALOG_TREE ? null : childRoot(pager, branch.base, tree);
    const theirs = base === null ? null : childRoot(pager, branch!.theirs, tree);
    const after = base === null || theirs === null ? applyChanges(pager, before, rows, edit) : adoptChanges(pager, before, base, theirs, rows, edit);
    // An unchanged pointer (changed in place) needs no new path either: its ancestors are owned.
    if (after !== before || before.edit !== edit || childRoot(pager, root, tree) !== after) root = setChildRoot(pager, root, tree, after, edit);
  }
  return root;
}
