/** Changes that came row by row as columns, where their rows have one form: nothing is left of a row then that has to be collected. */
import { CellChanges } from '../tree/cell-changes.ts';
import { KIND } from '../tree/datum.ts';
import { LeafBuilder } from '../tree/leaf-builder.ts';
import type { TreeChanges } from './changes.ts';
import { ColumnChanges, joinedColumnChanges } from './column-changes.ts';
import { joinedNewRows, NewRows } from './new-rows.ts';

/** Rows of one form as columns; null where they have several, or are in some already. */
export function inColumns(changes: TreeChanges, edit: () => number): TreeChanges | null {
  if (changes instanceof NewRows || changes instanceof ColumnChanges || changes.rows.length === 0) return null;
  const { tree, numeric, rows } = changes;
  const { shape, before, after } = rows[0];
  const [comes, goes] = [before === null, after === null];
  for (const row of rows) if (row.shape !== shape || (row.before === null) !== comes || (row.after === null) !== goes) return null;
  const { ids, kinds } = shape;
  // Whole numbers beyond 2^53 are cells of another kind in each leaf.
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

/** Several that follow one another as one; null where they do not, or are of several forms. */
export function joinedChanges(parts: readonly TreeChanges[]): TreeChanges | null {
  return joinedNewRows(parts) ?? joinedColumnChanges(parts);
}
