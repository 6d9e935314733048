/** Combines derived changes with the decided changes of the same rows. */
import type { TreeChanges } from '../../events/changes.ts';
import type { RowChange } from '../../tree/datum.ts';
import { ShapeTable } from '../../tree/row-change.ts';
import type { Catalog } from '../catalog.ts';
import { joinChangesSteps, joinedRows, listedRows } from './join-changes.ts';

/** Derived changes of rows of one tree. */
export interface Computed {
  readonly tree: number;
  readonly rows: readonly RowChange[];
}

/**
 * A derived change has all of the row's columns in the result. Cells of dropped columns are removed as decided: the log would
 * keep them otherwise, and an undo would not restore them.
 */
export function* joinComputed(into: TreeChanges[], computed: readonly TreeChanges[], result: Catalog): Generator<void, Computed[]> {
  const shapes = new ShapeTable();
  const out: Computed[] = [];
  for (const each of computed) {
    const { tree } = each;
    const decided = into.find((other) => other.tree === tree);
    if (decided === undefined) {
      yield* joinChangesSteps(into, [each]);
      out.push({ tree, rows: into.find((other) => other.tree === tree)!.rows });
      continue;
    }
    const rows = yield* listedRows(each);
    const relation = result.byNumber.get(tree)?.relation;
    const known = relation ? new Set([...relation.attributes.map(({ number }) => number), ...relation.hidden]) : null;
    const written = new Set<RowChange>();
    const joined = yield* joinedRows(decided.rows, rows, (own, derived) => {
      const row = known === null ? derived : withCells(derived, own, known, shapes);
      written.add(derived);
      return row;
    });
    out.push({ tree, rows: written.size === 0 ? rows : rows.filter((row) => !written.has(row)) });
    decided.rows = joined.filter(({ before, after }) => before !== null || after !== null);
  }
  return out;
}

/** The row's change extended by cells of `decided` that are not in `known`. */
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
