/** Counts the rows that differ between two states with one base. */
import { CATALOG_TREE, EFFECT_TREE, SEQUENCE_TREE } from '../events/changes.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { readCatalog } from '../worlds/catalog.ts';
import { changedTrees, eachRowChange } from '../worlds/changes-between.ts';

/** Row numbers of tables without a primary key start beyond every int4 (projections/objects). */
const FIRST_ROW_NUMBER = 2 ** 40;

/** Counts rows of tables and definitions; rows without a primary key are compared by content, since their numbers differ. */
export function differingRows(pager: Pager, a: Node, b: Node): number {
  const before = readCatalog(pager, a);
  const after = readCatalog(pager, b);
  let count = 0;
  for (const { tree, from, to } of changedTrees(pager, a, b)) {
    if (tree === SEQUENCE_TREE || tree === EFFECT_TREE) continue;
    // Indexes follow from rows.
    if (tree !== CATALOG_TREE && !before.byNumber.has(tree) && !after.byNumber.has(tree)) continue;
    if (from === null && to === null) continue;
    /** Rows of one side only, by content. */
    const loose = new Map<string, number>();
    eachRowChange(pager, from, to, (key, x, y) => {
      const numbered = tree !== CATALOG_TREE && typeof key === 'number' && key >= FIRST_ROW_NUMBER && (x === null || y === null);
      if (!numbered) {
        count++;
        return;
      }
      const text = rowText((x ?? y)!);
      loose.set(text, (loose.get(text) ?? 0) + (x === null ? 1 : -1));
    });
    let missing = 0;
    let extra = 0;
    for (const surplus of loose.values()) {
      if (surplus > 0) extra += surplus;
      else missing -= surplus;
    }
    count += Math.max(missing, extra);
  }
  return count;
}

function rowText({ leaf, index }: { readonly leaf: Leaf; readonly index: number }): string {
  const cells: [number, string][] = [];
  for (let c = 0; c < leaf.cols.length; c++) {
    const value = leaf.cols[c].get(index);
    if (value !== undefined) cells.push([leaf.colIds[c], `${typeof value}:${String(value)}`]);
  }
  return JSON.stringify(cells.sort(([a], [b]) => a - b));
}
