/** Reads of a tree: one row by key, leaves in key order, the n-th row. */
import type { Key } from './datum.ts';
import type { Leaf, Node } from './node.ts';
import type { Pager } from './pager.ts';

/** The leaf whose range contains the key. */
export function leafFor(pager: Pager, root: Node, key: Key): Leaf {
  let node = root;
  while (!node.isLeaf) node = pager.kid(node, node.childIndex(key));
  return node;
}

export type LeafVisitor = (leaf: Leaf, from: number, to: number) => boolean | void;

/** Visits rows with key ≥ `from` (null: all) leaf by leaf in key order until the visitor returns false. */
export function scan(pager: Pager, root: Node, from: Key | null, visit: LeafVisitor): boolean {
  if (root.isLeaf) {
    const start = from === null ? 0 : root.lowerBound(from);
    return start >= root.count || visit(root, start, root.count) !== false;
  }
  const first = from === null ? 0 : root.childIndex(from);
  for (let i = first; i < root.keys.length; i++) {
    if (!scan(pager, pager.kid(root, i), i === first ? from : null, visit)) return false;
  }
  return true;
}

/** Iterates over the leaves with rows from `from` on (null: all), for callers that pause: nothing below the root may change meanwhile. */
export function* leaves(pager: Pager, root: Node, from: Key | null): Generator<{ leaf: Leaf; start: number }> {
  if (root.isLeaf) {
    const start = from === null ? 0 : root.lowerBound(from);
    if (start < root.count) yield { leaf: root, start };
    return;
  }
  const first = from === null ? 0 : root.childIndex(from);
  for (let i = first; i < root.keys.length; i++) yield* leaves(pager, pager.kid(root, i), i === first ? from : null);
}

/** Visits rows with key < `before` (null: all) leaf by leaf from the end. The visitor walks its range backwards. */
export function scanBack(pager: Pager, root: Node, before: Key | null, visit: LeafVisitor): boolean {
  if (root.isLeaf) {
    const end = before === null ? root.count : root.lowerBound(before);
    return end === 0 || visit(root, 0, end) !== false;
  }
  const last = before === null ? root.keys.length - 1 : root.childIndex(before);
  for (let i = last; i >= 0; i--) {
    if (!scanBack(pager, pager.kid(root, i), i === last ? before : null, visit)) return false;
  }
  return true;
}

/** Visits from the row at `offset` (0-based) on; skipping costs O(log n) using the counts. */
export function scanFrom(pager: Pager, root: Node, offset: number, visit: LeafVisitor): boolean {
  if (root.isLeaf) return offset >= root.count || visit(root, offset, root.count) !== false;
  let skip = offset;
  for (let i = 0; i < root.keys.length; i++) {
    if (skip >= root.counts[i]) {
      skip -= root.counts[i];
      continue;
    }
    if (!scanFrom(pager, pager.kid(root, i), skip, visit)) return false;
    skip = 0;
  }
  return true;
}

/** Number of keys less than `key`, from the counts along one path. */
export function rowsBelow(pager: Pager, root: Node, key: Key): number {
  let rows = 0;
  let node = root;
  while (!node.isLeaf) {
    const child = node.childIndex(key);
    for (let i = 0; i < child; i++) rows += node.counts[i];
    node = pager.kid(node, child);
  }
  return rows + node.lowerBound(key);
}

/** Number of keys with lower ≤ key < upper; null: no bound. */
export function rowsBetween(pager: Pager, root: Node, lower: Key | null, upper: Key | null): number {
  const from = lower === null ? 0 : rowsBelow(pager, root, lower);
  return Math.max(0, (upper === null ? root.count : rowsBelow(pager, root, upper)) - from);
}

/** The key of the row at `offset` (0-based), or null past the end. */
export function keyAt(pager: Pager, root: Node, offset: number): Key | null {
  if (offset >= root.count) return null;
  let left = offset;
  let node = root;
  while (!node.isLeaf) {
    let i = 0;
    while (left >= node.counts[i]) left -= node.counts[i++];
    node = pager.kid(node, i);
  }
  return node.key(left);
}
