/**
 * Indexes kept by the fold: from the changes of a table's rows follow the changes of its indexes, so commits,
 * merges, undo, restore, rebase and replay keep them right alike. An index that appears, or whose form changes,
 * is built from the rows that are there.
 */
import type { Datum, RowChange } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leafFor, scan } from '../tree/read.ts';
import { applyChanges, emptyTree } from '../tree/write.ts';
import type { Catalog } from './catalog.ts';
import { entryAdded, entryKey, entryRemoved, IndexKeys } from './index-keys.ts';

/** Entries put into a new index at a time. */
const BUILD_ROWS = 20_000;

const compiled = new WeakMap<Catalog, Map<number, readonly IndexKeys[]>>();
const NONE: readonly IndexKeys[] = [];

/** Keys of the table's indexes. */
export function indexesOf(catalog: Catalog, table: number): readonly IndexKeys[] {
  const relation = catalog.byNumber.get(table)?.relation;
  if (relation === null || relation === undefined || relation.indexes.length === 0) return NONE;
  let byTable = compiled.get(catalog);
  if (byTable === undefined) compiled.set(catalog, (byTable = new Map()));
  let keys = byTable.get(table);
  if (keys === undefined) byTable.set(table, (keys = relation.indexes.map((index) => new IndexKeys(index, relation.attributes))));
  return keys;
}

/** Changes of an index, in order, that follow from row changes; `before` is the table's tree without them. */
export function entryChanges(pager: Pager, index: IndexKeys, before: Node | null, rows: readonly RowChange[]): RowChange[] {
  const out: RowChange[] = [];
  let leaf: Leaf | null = null;
  for (const { key, shape, before: old, after } of rows) {
    if (old === null) {
      const prefix = index.prefix(index.ofRow(shape, after!));
      if (prefix !== null) out.push(entryAdded(entryKey(prefix, key), key));
    } else if (after === null) {
      const prefix = index.prefix(index.ofRow(shape, old));
      if (prefix !== null) out.push(entryRemoved(entryKey(prefix, key), key));
    } else if (before !== null && index.touchedBy(shape)) {
      // Changes come in order of keys: the next row mostly lies in the same leaf.
      if (leaf === null || leaf.count === 0 || key < leaf.key(0) || key > leaf.key(leaf.count - 1)) leaf = leafFor(pager, before, key);
      const at = leaf.find(key);
      if (at < 0) continue;
      const row: Datum[] = index.ofLeaf(leaf, at);
      const from = index.prefix(row);
      const to = index.prefix(index.over(row, shape, after));
      if (from === to) continue;
      if (from !== null) out.push(entryRemoved(entryKey(from, key), key));
      if (to !== null) out.push(entryAdded(entryKey(to, key), key));
    }
  }
  return sortedEntries(out);
}

/** The index over all rows of a tree. */
export function buildIndex(pager: Pager, index: IndexKeys, table: Node | null, edit: number): Node {
  let root: Node = emptyTree(false, edit);
  if (table === null || table.count === 0) return root;
  const entries: RowChange[] = [];
  scan(pager, table, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      const prefix = index.prefix(index.ofLeaf(leaf, i));
      if (prefix === null) continue;
      const key = leaf.key(i);
      entries.push(entryAdded(entryKey(prefix, key), key));
    }
  });
  sortedEntries(entries);
  for (let at = 0; at < entries.length; at += BUILD_ROWS) root = applyChanges(pager, root, entries.slice(at, at + BUILD_ROWS), edit);
  return root;
}

function sortedEntries(entries: RowChange[]): RowChange[] {
  for (let i = 1; i < entries.length; i++) {
    if (entries[i - 1].key > entries[i].key) return entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
  return entries;
}
