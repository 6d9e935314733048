/** Converts changes of individual rows to columns if the rows have one shape, so that no row objects are left for the garbage collector. */
import { CellChanges } from '../tree/cell-changes.ts';
import { KIND } from '../tree/datum.ts';
import { LeafBuilder } from '../tree/leaf-builder.ts';
import type { TreeChanges } from './changes.ts';
import { ColumnChanges, joinedColumnChanges } from './column-changes.ts';
import { joinedNewRows, NewRows } from './new-rows.ts';

/** Rows of one shape as columns; null if they have several, or are already in another form. */
export function inColumns(changes: TreeChanges, edit: () => number): TreeChanges | null {
  if (changes instanceof NewRows || changes instanceof ColumnChanges || changes.rows.length === 0) return null;
  const { tree, numeric, rows } = changes;
  const { shape, before, after } = rows[0];
  const [comes, goes] = [before === null, after === null];
  for (const row of rows) if (row.shape !== shape || (row.before === null) !== comes || (row.after === null) !== goes) return null;
  const { ids, kinds } = shape;
  // Whole numbers beyond 2^53 have a representation that differs by leaf.
  if (kinds.includes(KIND.I64)) return null;
  const twice = !comes && !goes;
  const builder = new LeafBuilder(numeric, twice ? [...ids, ...ids] : ids, twice ? [...kinds, ...kinds] : kinds, edit());
  for (const row of rows) builder.add(row.key, twice ? [...row.before!, ...row.after!] : (row.after ?? row.before!));
  const leaves = builder.finish();
  if (comes) return new NewRows(tree, numeric, leaves);
  return new ColumnChanges(
    tree,
    numeric,
    [],
    leaves.map((leaf) => (goes ? new CellChanges(leaf, null) : CellChanges.sideBySide(leaf, shape))),
  );
}

/** Joins consecutive changes; null if they are not consecutive or differ in shape. */
export function joinedChanges(parts: readonly TreeChanges[]): TreeChanges | null {
  return joinedNewRows(parts) ?? joinedColumnChanges(parts);
}
