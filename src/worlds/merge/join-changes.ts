/** Changes of several sources as one list, tree by tree. */
import { CATALOG_TREE, type TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { widen } from '../catalog.ts';
import { catalogObject } from '../definition.ts';

/** Adds changes tree by tree; for one key the wider definition, or the later row, stands. */
export function joinChanges(into: TreeChanges[], more: readonly TreeChanges[]): void {
  for (const { tree, numeric, rows } of more) {
    const there = into.find((each) => each.tree === tree);
    if (there === undefined) {
      if (tree === CATALOG_TREE) into.unshift({ tree, numeric, rows: [...rows] });
      else into.push({ tree, numeric, rows: [...rows] });
      continue;
    }
    const byKey = new Map(there.rows.map((row) => [row.key, row]));
    for (const row of rows) {
      const other = byKey.get(row.key);
      byKey.set(row.key, other === undefined || tree !== CATALOG_TREE ? row : wider(other, row));
    }
    there.rows = [...byKey.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    // A change that came to nothing is none.
    if (tree !== CATALOG_TREE) there.rows = there.rows.filter(({ before, after }) => before !== null || after !== null);
  }
}

function wider(a: RowChange, b: RowChange): RowChange {
  if (a.after === null || b.after === null) return b;
  const one = catalogObject(a.after[0] as string);
  const two = catalogObject(b.after[0] as string);
  if (one.what !== 'column' || two.what !== 'column') return a;
  return { ...a, after: [JSON.stringify({ ...one, type: widen(one.type, two.type) })] };
}
