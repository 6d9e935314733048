/** What undoing a merge and undoing an agent have in common: rows that changed since refuse it, and definitions come back with their rows. */
import { SvcError } from '../base/errors/svc-error.ts';
import { CATALOG_TREE, type TreeChanges } from '../events/changes.ts';
import type { RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import { readCatalog } from '../worlds/catalog.ts';
import type { Context } from '../worlds/context.ts';
import { missingDefinitions } from '../worlds/merge/definitions.ts';
import type { UndoneDefinitions } from '../worlds/merge/undo-schema.ts';
import { rowChange, type ShapeTable } from '../tree/row-change.ts';
import { eachRowChange, isNumeric } from '../worlds/changes-between.ts';
import type { World } from '../worlds/world.ts';

/** 40001, naming the first of them, unless they are to be left alone. `what`: of which kind one and several rows are. */
export function refuseChangedSince(changed: readonly string[], what: (rows: string) => string, world: World, skip: boolean | undefined): void {
  if (changed.length === 0 || skip === true) return;
  const shown = changed.slice(0, 5).join(', ') + (changed.length > 5 ? ` and ${changed.length - 5} more` : '');
  const rows = `row${changed.length === 1 ? '' : 's'}`;
  throw new SvcError('40001', `${changed.length} ${what(rows)} changed since in "${world.name}": ${shown}`, {
    hint: 'Undo with `skip_changed: true` to leave those as they are.',
    data: { changed },
  });
}

/**
 * Adds to the changes of rows what was undone of definitions. A table that was dropped, or whose rows were replaced, comes
 * back whole, as it was in `before`; a table that rows come back to and that is gone since comes back with them.
 */
export function addDefinitions(context: Context, world: World, before: Node, undone: UndoneDefinitions, changes: TreeChanges[], shapes: ShapeTable): void {
  const { pager } = context.engine;
  for (const number of undone.restored) {
    const old = childRoot(pager, before, number);
    if (old === null || old.count === 0) continue;
    const rows: RowChange[] = [];
    eachRowChange(pager, null, old, (key, _none, row) => void rows.push(rowChange(key, null, row, shapes)));
    changes.push({ tree: number, numeric: isNumeric(old), rows });
  }
  const tables = new Set(changes.map(({ tree }) => tree));
  const missing = missingDefinitions(readCatalog(pager, before), context.catalog(world), tables).flatMap(({ rows }) => rows);
  const all = [...missing, ...undone.rows].sort((a, b) => (a.key < b.key ? -1 : 1));
  if (all.length > 0) changes.unshift({ tree: CATALOG_TREE, numeric: false, rows: all });
}
