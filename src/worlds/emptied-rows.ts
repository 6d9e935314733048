/** Rows removed by TRUNCATE or DROP of their table, which are not listed in the changes: they count as deleted. */
import { changedRows } from '../events/changed-rows.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { catalogObject, epochOfObject } from './definition.ts';

/** `root`: the world's state before the changes. */
export function emptiedRows(pager: Pager, root: Node, changes: readonly TreeChanges[]): number {
  let rows = 0;
  for (const { before, after } of changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? []) {
    if (before === null) continue;
    const object = catalogObject(before[0] as string);
    if (object.what !== 'relation' && object.what !== 'table') continue;
    const next = after === null ? null : catalogObject(after[0] as string);
    if (next !== null && epochOfObject(next) === epochOfObject(object)) continue;
    const given = changes.find(({ tree }) => tree === object.number);
    // Rows that get new keys are removed and inserted.
    rows += Math.max(0, (childRoot(pager, root, object.number)?.count ?? 0) - (given === undefined ? 0 : changedRows(given)));
  }
  return rows;
}
