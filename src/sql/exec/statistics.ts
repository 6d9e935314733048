/** Statistics read off the trees when a statement is planned: counts of inner nodes, and a few leaves as a sample. */
import type { Key } from '../../tree/datum.ts';
import { childRoot } from '../../tree/directory.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import type { Statistics } from '../plan/rules/statistics.ts';
import type { SqlTable } from '../schema/table.ts';
import type { KeyCodec } from './context.ts';
import { accessBounds, keyRanges } from './scan.ts';

const SAMPLE_LEAVES = 6;

const sampled = new WeakMap<Node, Map<number, number>>();

export function treeStatistics(pager: Pager, root: Node, keys: KeyCodec): Statistics {
  const tree = (number: number): Node | null => childRoot(pager, root, number);
  return {
    rows: (table) => tree(table.number)?.count ?? 0,
    distinct(table, column) {
      const node = tree(table.number);
      if (node === null || node.count === 0) return 1;
      if (table.key.columns.length === 1 && table.key.columns[0] === column) return node.count;
      let known = sampled.get(node);
      if (known === undefined) sampled.set(node, (known = new Map()));
      let distinct = known.get(column);
      if (distinct === undefined) known.set(column, (distinct = sampleDistinct(pager, node, table, column)));
      return distinct;
    },
    accessRows(table, access) {
      const bounds = accessBounds(access);
      const values = bounds.map((e) => (e.kind === 'constant' ? e.value : undefined));
      const node = tree(access.index?.number ?? table.number);
      if (node === null) return 0;
      if (values.some((value) => value === undefined)) return null;
      let rows = 0;
      for (const { lower, upper } of keyRanges(keys, table, access, values as Exclude<(typeof values)[number], undefined>[])) {
        rows += (upper === null ? node.count : rowsBelow(pager, node, upper)) - (lower === null ? 0 : rowsBelow(pager, node, lower));
      }
      return rows;
    },
  };
}

/** How many keys are less than `key`: the counts along one path. */
export function rowsBelow(pager: Pager, root: Node, key: Key): number {
  let rows = 0;
  let node = root;
  while (!node.isLeaf) {
    const child = node.childIndex(key);
    for (let i = 0; i < child; i++) rows += node.counts[i];
    node = pager.kid(node, child);
  }
  return rows + node.lowerBound(key);
}

function sampleDistinct(pager: Pager, root: Node, table: SqlTable, column: number): number {
  const { number } = table.columns[column];
  const times = new Map<unknown, number>();
  let taken = 0;
  for (let s = 0; s < SAMPLE_LEAVES; s++) {
    let offset = Math.floor(((s + 0.5) / SAMPLE_LEAVES) * root.count);
    let node: Node = root;
    while (!node.isLeaf) {
      let i = 0;
      while (i < node.counts.length - 1 && offset >= node.counts[i]) offset -= node.counts[i++];
      node = pager.kid(node, i);
    }
    const vec = node.col(number);
    for (let i = 0; i < node.count; i++) {
      const value = vec === null ? null : vec.get(i);
      times.set(value, (times.get(value) ?? 0) + 1);
      taken++;
    }
    if (root.isLeaf) break;
  }
  // Values met once stand for those not met (Charikar and others, 2000).
  let once = 0;
  for (const n of times.values()) if (n === 1) once++;
  return Math.max(1, Math.round(Math.sqrt(root.count / taken) * once + times.size - once));
}
