/**
 * Planner statistics of a base world, computed from the rows alone: counts, and samples at fixed ranks. Two trees with the
 * same rows may have different pages (one grew write by write, the other was rebuilt), and a replay must use the plans of the
 * run: rows read in another order would get other random numbers.
 */
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { childRoot } from '../tree/directory.ts';
import { scanFrom } from '../tree/read.ts';
import type { KeyCodec } from '../sql/exec/context.ts';
import { treeStatistics } from '../sql/exec/statistics.ts';
import type { Statistics } from '../sql/plan/rules/statistics.ts';
import type { SqlTable } from '../sql/schema/table.ts';

const SAMPLE_ROWS = 200;

export function rankStatistics(pager: Pager, root: Node, keys: KeyCodec): Statistics {
  const trees = treeStatistics(pager, () => root, keys);
  const known = new Map<string, number>();
  const sampled = (table: SqlTable, columns: readonly number[]): number => {
    const key = `${table.number}:${columns.join()}`;
    let distinct = known.get(key);
    if (distinct === undefined) known.set(key, (distinct = distinctAtRanks(pager, childRoot(pager, root, table.number), table, columns)));
    return distinct;
  };
  return {
    rows: (table) => trees.rows(table),
    accessRows: (table, access) => trees.accessRows(table, access),
    distinct: (table, column) => sampled(table, [column]),
    together: (table, columns) => sampled(table, columns),
  };
}

function distinctAtRanks(pager: Pager, tree: Node | null, table: SqlTable, columns: readonly number[]): number {
  if (tree === null || tree.count === 0) return 1;
  const whole = (some: readonly number[]): boolean => some.length > 0 && some.every((column) => columns.includes(column));
  if (whole(table.key.columns)) return tree.count;
  const rows = Math.min(SAMPLE_ROWS, tree.count);
  const times = new Map<string, number>();
  for (let s = 0; s < rows; s++) {
    scanFrom(pager, tree, Math.floor(((s + 0.5) / rows) * tree.count), (leaf, at) => {
      const text = JSON.stringify(columns.map((column) => cellText(leaf.cell(at, table.columns[column].number))));
      times.set(text, (times.get(text) ?? 0) + 1);
      return false;
    });
  }
  let once = 0;
  for (const n of times.values()) if (n === 1) once++;
  // Estimator as for other samples: values seen once represent those not seen (Haas and Stokes, 1998).
  return Math.max(1, Math.min(tree.count, Math.round((rows * times.size) / (rows - once + (once * rows) / tree.count))));
}

function cellText(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : String(cell as string | number | bigint | boolean);
}
