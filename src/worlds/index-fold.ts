/**
 * Indexes kept by the fold: from the changes of a table's rows follow the changes of its indexes, so commits,
 * merges, undo, restore, rebase and replay keep them right alike. An index that appears, or whose form changes,
 * is built from the rows that are there.
 */
import type { Datum, Key, RowChange } from '../tree/datum.ts';
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
  if (keys === undefined)
    byTable.set(table, (keys = relation.indexes.filter(({ recorded }) => recorded !== true).map((index) => new IndexKeys(index, relation.attributes))));
  return keys;
}

/** Changes of an index, in order, that follow from row changes; `before` is the table's tree without them. */
export function entryChanges(pager: Pager, index: IndexKeys, before: Node | null, rows: readonly RowChange[]): RowChange[] {
  if (index.lists) return listChanges(pager, index, before, rows);
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

/** The same of an index of lists: keys that a row has before and after keep their entries. */
function listChanges(pager: Pager, index: IndexKeys, before: Node | null, rows: readonly RowChange[]): RowChange[] {
  const out: RowChange[] = [];
  const add = (prefix: string, key: Key): void => void out.push(entryAdded(entryKey(prefix, key), key));
  const remove = (prefix: string, key: Key): void => void out.push(entryRemoved(entryKey(prefix, key), key));
  for (const { key, shape, before: old, after } of rows) {
    if (old === null) for (const prefix of index.prefixes(index.ofRow(shape, after!))) add(prefix, key);
    else if (after === null) for (const prefix of index.prefixes(index.ofRow(shape, old))) remove(prefix, key);
    else if (before !== null && index.touchedBy(shape)) {
      const leaf = leafFor(pager, before, key);
      const at = leaf.find(key);
      if (at < 0) continue;
      const row: Datum[] = index.ofLeaf(leaf, at);
      const from = new Set(index.prefixes(row));
      for (const prefix of index.prefixes(index.over(row, shape, after))) if (!from.delete(prefix)) add(prefix, key);
      for (const prefix of from) remove(prefix, key);
    }
  }
  return sortedEntries(out);
}

/** The index over all rows of a tree. */
export function buildIndex(pager: Pager, index: IndexKeys, table: Node | null, edit: number): Node {
  let root: Node = emptyTree(false, edit);
  if (table === null || table.count === 0) return root;
  const keys: string[] = [];
  const rows: Key[] = [];
  scan(pager, table, null, (leaf, from, to) => {
    for (let i = from; i < to; i++) {
      const key = leaf.key(i);
      if (index.lists) {
        for (const prefix of index.prefixes(index.ofLeaf(leaf, i))) {
          keys.push(entryKey(prefix, key));
          rows.push(key);
        }
        continue;
      }
      const prefix = index.prefix(index.ofLeaf(leaf, i));
      if (prefix === null) continue;
      keys.push(entryKey(prefix, key));
      rows.push(key);
    }
  });
  const order = sortedOrder(keys);
  for (let at = 0; at < order.length; at += BUILD_ROWS) {
    const part: RowChange[] = [];
    for (let i = at; i < Math.min(order.length, at + BUILD_ROWS); i++) part.push(entryAdded(keys[order[i]], rows[order[i]]));
    root = applyChanges(pager, root, part, edit);
  }
  return root;
}

/**
 * Positions of the keys in their order. A million byte strings are slow to compare, so the six bytes behind
 * what all have in common are compared as one number, and the strings only where those are equal.
 */
function sortedOrder(keys: readonly string[]): Uint32Array {
  const order = new Uint32Array(keys.length);
  let sorted = true;
  let common = keys.length === 0 ? 0 : keys[0].length;
  for (let i = 0; i < keys.length; i++) {
    order[i] = i;
    if (sorted && i > 0 && keys[i - 1] > keys[i]) sorted = false;
    for (let c = 0; c < common; c++) if (keys[i].charCodeAt(c) !== keys[0].charCodeAt(c)) common = c;
  }
  if (sorted) return order;
  const heads = new Float64Array(keys.length);
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i];
    let head = 0;
    for (let c = common; c < common + 6; c++) head = head * 256 + (c < key.length ? key.charCodeAt(c) : 0);
    heads[i] = head;
  }
  return order.sort((a, b) => heads[a] - heads[b] || (keys[a] < keys[b] ? -1 : keys[a] > keys[b] ? 1 : 0));
}

function sortedEntries(entries: RowChange[]): RowChange[] {
  for (let i = 1; i < entries.length; i++) {
    if (entries[i - 1].key > entries[i].key) return entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
  return entries;
}
