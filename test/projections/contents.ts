/** Contents of a tree, independent of its shape and page numbers: rows by key, including trees below trees. */
import { KIND } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import type { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';

/** Column number → value, independent of its kind; absent columns are omitted. */
export type Contents = [key: string | number, row: { [column: number]: unknown }][];

/** The contents without empty trees: a base does not keep them, and they cannot be distinguished from absent ones. */
export function withoutEmptyTrees(contents: Contents): Contents {
  return contents.flatMap(([key, row]): Contents => {
    const kept = Object.entries(row).flatMap(([column, value]) => {
      if (value === null || typeof value !== 'object' || !('tree' in value)) return [[column, value] as const];
      const tree = withoutEmptyTrees(value.tree as Contents);
      return tree.length === 0 ? [] : [[column, { tree }] as const];
    });
    return kept.length === 0 ? [] : [[key, Object.fromEntries(kept)]];
  });
}

export function contentsOf(pager: Pager, root: Node): Contents {
  const out: Contents = [];
  scan(pager, root, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      const row: { [column: number]: unknown } = {};
      leaf.colIds.forEach((id, at) => {
        const vec = leaf.cols[at];
        if (vec.get(i) === undefined) return;
        if (vec.kind === KIND.REF) row[id] = { tree: contentsOf(pager, pager.ref(vec, i)) };
        else if (vec.kind === KIND.JSON) row[id] = vec.get(i) === null ? null : (JSON.parse(vec.get(i) as string) as unknown);
        else row[id] = vec.get(i);
      });
      out.push([leaf.key(i), row]);
    }
  });
  return out;
}
