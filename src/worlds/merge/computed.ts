/** What the judge of states derives, joined to what was decided of the same rows. */
import type { TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { ShapeTable } from '../../tree/row-change.ts';
import type { Catalog } from '../catalog.ts';
import { joinChanges } from './join-changes.ts';

/**
 * A derived change says all of a row's columns that the result has. Cells of columns that it has no longer go as was decided: the log would
 * keep them otherwise, and what takes the event back would not bring them again.
 */
export function joinComputed(into: TreeChanges[], computed: readonly TreeChanges[], result: Catalog): void {
  const shapes = new ShapeTable();
  const joined = computed.map(({ tree, numeric, rows }): TreeChanges => {
    const decided = into.find((each) => each.tree === tree);
    const relation = result.byNumber.get(tree)?.relation;
    if (decided === undefined || !relation) return { tree, numeric, rows };
    const byKey = new Map([...decided.rows].map((row) => [row.key, row]));
    const known = new Set([...relation.attributes.map(({ number }) => number), ...relation.hidden]);
    return { tree, numeric, rows: [...rows].map((row) => withCells(row, byKey.get(row.key), known, shapes)) };
  });
  joinChanges(into, joined);
}

/** The row's change with what `decided` says of cells that are not known. */
function withCells(row: RowChange, decided: RowChange | undefined, known: ReadonlySet<number>, shapes: ShapeTable): RowChange {
  const { before, after, shape } = row;
  if (decided === undefined || before === null || after === null || decided.before === null || decided.after === null) return row;
  const more = [...decided.shape.ids.keys()].filter((i) => !known.has(decided.shape.ids[i]) && !shape.ids.includes(decided.shape.ids[i]));
  if (more.length === 0) return row;
  return {
    key: row.key,
    shape: shapes.of([...shape.ids, ...more.map((i) => decided.shape.ids[i])], [...shape.kinds, ...more.map((i) => decided.shape.kinds[i])]),
    before: [...before, ...more.map((i) => decided.before![i])],
    after: [...after, ...more.map((i) => decided.after![i])],
  };
}
