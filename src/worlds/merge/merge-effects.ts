/** Effects of a branch that its merge queues in the target. */
import { EFFECT_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowChange, rowIn, ShapeTable } from '../../tree/row-change.ts';
import { treeDifference } from '../changes-between.ts';
import { sameRows } from './row-decision.ts';

/** Effects that the branch added or removed since its fork point: a full merge carries them along. */
export function mergeEffects(pager: Pager, base: Node, ours: Node, theirs: Node): TreeChanges[] {
  const there = childRoot(pager, theirs, EFFECT_TREE);
  const here = childRoot(pager, ours, EFFECT_TREE);
  const rows: RowChange[] = [];
  for (const { rows: moved } of treeDifference(pager, base, theirs, EFFECT_TREE)) {
    for (const { key } of moved) {
      const after = rowIn(pager, there, key);
      const before = rowIn(pager, here, key);
      if (!sameRows(before, after)) rows.push(rowChange(key, before, after, new ShapeTable()));
    }
  }
  return rows.length === 0 ? [] : [{ tree: EFFECT_TREE, numeric: false, rows }];
}
