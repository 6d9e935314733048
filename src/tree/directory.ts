/** Trees of trees: a tree whose rows hold the roots of others in one REF column. */
import { KIND, type Key, type Shape } from './datum.ts';
import type { Leaf, Node } from './node.ts';
import type { Pager } from './pager.ts';
import { leafFor } from './read.ts';
import { applyChanges, emptyTree } from './write.ts';

/** Column of the root; `ROOT2` is a second one (a world's fork point). */
export const ROOT = 1;
export const ROOT2 = 2;
const PLACEHOLDER: Shape = { ids: [ROOT], kinds: [KIND.REF] };
const PLACEHOLDER2: Shape = { ids: [ROOT2], kinds: [KIND.REF] };

export function childRoot(pager: Pager, directory: Node, key: Key, column = ROOT): Node | null {
  const leaf = leafFor(pager, directory, key);
  const at = leaf.find(key);
  if (at < 0) return null;
  const vec = leaf.col(column);
  return vec === null || vec.tag(at) !== 0 ? null : pager.ref(vec, at);
}

/** A directory with one tree, to hold the tree's pages alone. */
export function directoryOf(pager: Pager, tree: Node): Node {
  return setChildRoot(pager, emptyTree(true), 1, tree, 0);
}

/** The directory with `child` under `key`; creates the row if it is missing. */
export function setChildRoot(pager: Pager, directory: Node, key: Key, child: Node, edit: number, column = ROOT): Node {
  const current = leafFor(pager, directory, key);
  const at = current.find(key);
  if (at >= 0 && current.edit === edit) {
    const vec = current.col(column);
    if (vec !== null && vec.edit === edit) {
      vec.setRef(at, child, child.id);
      return directory;
    }
  }
  const shape = column === ROOT ? PLACEHOLDER : PLACEHOLDER2;
  const root = applyChanges(pager, directory, [{ key, shape, before: at >= 0 ? [] : null, after: [0] }], edit);
  const leaf = leafFor(pager, root, key) as Leaf;
  leaf.col(column)!.setRef(leaf.find(key), child, child.id);
  return root;
}

/** The directory without the row of `key`. */
export function removeChildRoot(pager: Pager, directory: Node, key: Key, edit: number): Node {
  if (leafFor(pager, directory, key).find(key) < 0) return directory;
  return applyChanges(pager, directory, [{ key, shape: PLACEHOLDER, before: [0], after: null }], edit);
}
