/**
 * Rows that an event changes through its definitions alone: rows of dropped or truncated tables, and rows that lose a value
 * with a column or get one by default. No change of the event lists them.
 */
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import { eachChangedKey } from '../events/changed-rows.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { catalogAfter, epochOf, readCatalog } from '../worlds/catalog.ts';
import { countAffected, effectOn, isAffected } from '../worlds/definition-effects.ts';
import { emptiedRows } from '../worlds/emptied-rows.ts';
import { rowIn } from '../tree/row-change.ts';

/** `root`: the world's state before the changes. Costs a scan of each table with added or dropped columns. */
export function rowsOfDefinitions(pager: Pager, root: Node, changes: readonly TreeChanges[]): number {
  const definitions = changes.find(({ tree }) => tree === CATALOG_TREE)?.rows ?? [];
  if (definitions.length === 0) return 0;
  const before = readCatalog(pager, root);
  const after = catalogAfter(before, definitions);
  let rows = emptiedRows(pager, root, changes);
  for (const [number, table] of after.byNumber) {
    const was = before.byNumber.get(number);
    if (was === undefined || was === table || epochOf(was) !== epochOf(table)) continue;
    const effect = effectOn(was, table);
    const tree = effect === null ? null : childRoot(pager, root, number);
    if (effect === null || tree === null) continue;
    rows += countAffected(pager, tree, effect);
    const given = changes.find((each) => each.tree === number);
    if (given === undefined) continue;
    const all = effect.lost.some(({ notNull }) => notNull);
    eachChangedKey(given, (key) => {
      const row = rowIn(pager, tree, key);
      if (row !== null && (all || isAffected(effect, row))) rows--;
    });
  }
  return rows;
}
