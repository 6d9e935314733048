/**
 * Maintains indexes in the fold: index changes follow from a table's row changes, so commits, merges, undo, restore, rebase
 * and replay all maintain them alike. A new index, or one whose form changes, is built from the existing rows.
 */
import { runSteps } from '../base/run-steps.ts';
import type { TreeChanges } from '../events/changes.ts';
import { ColumnChanges } from '../events/column-changes.ts';
import { NewRows } from '../events/new-rows.ts';
import type { CellChanges } from '../tree/cell-changes.ts';
import type { Datum, Key, RowChange, Shape } from '../tree/datum.ts';
import type { Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leafFor, leaves } from '../tree/read.ts';
import { LeafBuilder } from '../tree/leaf-builder.ts';
import { emptyTree, grownRoot } from '../tree/write.ts';
import type { Catalog } from './catalog.ts';
import { EntryChanges } from './entry-changes.ts';
import { SortedEntries } from './sorted-entries.ts';
import { BYTES_ENTRY, entryAdded, entryKey, entryRemoved, IndexKeys, NUMERIC_ENTRY } from './index-keys.ts';

/** Rows per step of building an index: some milliseconds. */
const STEP_ROWS = 8192;

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

/** Sorted changes of an index that follow from row changes; `before` is the table's tree without them. */
export function* entryChangesSteps(pager: Pager, index: IndexKeys, before: Node | null, changes: TreeChanges): Generator<void, EntryChanges | RowChange[]> {
  const out: RowChange[] = [];
  if (changes instanceof NewRows) {
    const entries = new SortedEntries();
    for (const leaf of changes.leaves) for (let i = 0; i < leaf.count; i++) entries.add(index, index.ofLeaf(leaf, i), leaf.key(i));
    yield* entries.each((key, row) => void out.push(entryAdded(key, row)));
    return out;
  }
  if (changes instanceof ColumnChanges && !index.lists) {
    const many = new ManyEntries(index);
    eachEntryChange(pager, index, before, changes.first, many);
    for (const part of changes.parts) {
      eachEntryOfPart(pager, index, before, part, many);
      yield;
    }
    return yield* many.sorted();
  }
  const { rows } = changes;
  if (index.lists) return listChanges(pager, index, before, rows);
  if (rows.length >= MANY_ROWS) {
    const many = new ManyEntries(index);
    for (let from = 0; from < rows.length; from += ROWS_A_STEP) {
      eachEntryChange(pager, index, before, rows.length <= ROWS_A_STEP ? rows : rows.slice(from, from + ROWS_A_STEP), many);
      yield;
    }
    return yield* many.sorted();
  }
  eachEntryChange(pager, index, before, rows, new SingleEntries(index, out));
  return sortedEntries(out);
}

/** From this many rows on, entries are sorted as bytes. */
const MANY_ROWS = 256;
/** Rows per step. */
const ROWS_A_STEP = 2048;

/** Receives the changes of a row's entry, given the index's cells. */
interface EntryTaker {
  comes(cells: readonly Datum[], key: Key): void;
  goes(cells: readonly Datum[], key: Key): void;
  /** `cells` is updated to the values in `after`. */
  moves(cells: Datum[], shape: Shape, after: readonly Datum[], key: Key): void;
}

/** One change object each. */
class SingleEntries implements EntryTaker {
  readonly #index: IndexKeys;
  readonly #out: RowChange[];

  constructor(index: IndexKeys, out: RowChange[]) {
    this.#index = index;
    this.#out = out;
  }

  comes(cells: readonly Datum[], key: Key): void {
    const prefix = this.#index.prefix(cells);
    if (prefix !== null) this.#out.push(entryAdded(entryKey(prefix, key), key));
  }

  goes(cells: readonly Datum[], key: Key): void {
    const prefix = this.#index.prefix(cells);
    if (prefix !== null) this.#out.push(entryRemoved(entryKey(prefix, key), key));
  }

  moves(cells: Datum[], shape: Shape, after: readonly Datum[], key: Key): void {
    const from = this.#index.prefix(cells);
    const to = this.#index.prefix(this.#index.over(cells, shape, after));
    if (from === to) return;
    if (from !== null) this.#out.push(entryRemoved(entryKey(from, key), key));
    if (to !== null) this.#out.push(entryAdded(entryKey(to, key), key));
  }
}

/** As bytes, to be sorted. */
class ManyEntries implements EntryTaker {
  readonly #index: IndexKeys;
  readonly #entries = new SortedEntries();
  /** Whether each entry is inserted, in the order found. */
  readonly #come: boolean[] = [];

  constructor(index: IndexKeys) {
    this.#index = index;
  }

  comes(cells: readonly Datum[], key: Key): void {
    if (this.#entries.add(this.#index, cells, key) > 0) this.#come.push(true);
  }

  goes(cells: readonly Datum[], key: Key): void {
    if (this.#entries.add(this.#index, cells, key) > 0) this.#come.push(false);
  }

  moves(cells: Datum[], shape: Shape, after: readonly Datum[], key: Key): void {
    const { count } = this.#entries;
    this.goes(cells, key);
    this.comes(this.#index.over(cells, shape, after), key);
    if (this.#entries.count !== count + 2 || !this.#entries.endsTwice()) return;
    this.#entries.cutTo(count);
    this.#come.length = count;
  }

  *sorted(): Generator<void, EntryChanges> {
    const { keys, rows, came } = yield* this.#entries.sorted();
    const come = this.#come;
    return new EntryChanges(keys, rows, come.includes(true) ? Uint8Array.from(rows, (_, i) => (come[came === null ? i : came[i]] ? 1 : 0)) : null);
  }
}

function eachEntryOfPart(pager: Pager, index: IndexKeys, before: Node | null, part: CellChanges, taker: EntryTaker): void {
  const { after } = part;
  if (after === null) {
    for (let i = 0; i < part.length; i++) taker.goes(index.ofLeaf(part.before, i), part.key(i));
    return;
  }
  const shape: Shape = { ids: after.colIds, kinds: after.cols.map(({ kind }) => kind) };
  if (before === null || !index.touchedBy(shape)) return;
  const cells: Datum[] = shape.ids.map(() => null);
  let leaf: Leaf | null = null;
  for (let i = 0; i < part.length; i++) {
    const key = part.key(i);
    if (leaf === null || leaf.count === 0 || key < leaf.key(0) || key > leaf.key(leaf.count - 1)) leaf = leafFor(pager, before, key);
    const at = leaf.find(key);
    if (at < 0) continue;
    for (let c = 0; c < cells.length; c++) cells[c] = after.cols[c].get(i);
    taker.moves(index.ofLeaf(leaf, at), shape, cells, key);
  }
}

/** Inserted and deleted entries for row changes. */
function eachEntryChange(pager: Pager, index: IndexKeys, before: Node | null, rows: readonly RowChange[], taker: EntryTaker): void {
  let leaf: Leaf | null = null;
  for (const { key, shape, before: old, after } of rows) {
    if (old === null) taker.comes(index.ofRow(shape, after!), key);
    else if (after === null) taker.goes(index.ofRow(shape, old), key);
    else if (before !== null && index.touchedBy(shape)) {
      // Changes are sorted by key: the next row is mostly in the same leaf.
      if (leaf === null || leaf.count === 0 || key < leaf.key(0) || key > leaf.key(leaf.count - 1)) leaf = leafFor(pager, before, key);
      const at = leaf.find(key);
      if (at >= 0) taker.moves(index.ofLeaf(leaf, at), shape, after, key);
    }
  }
}

/** `eachEntryChange` for an index of lists: keys that a row keeps keep their entries. */
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

/** Builds the index over all rows of a tree. */
export function buildIndex(pager: Pager, index: IndexKeys, table: Node | null, edit: number): Node {
  return runSteps(buildIndexSteps(pager, index, table, edit));
}

/** `buildIndex` in steps. */
export function* buildIndexSteps(pager: Pager, index: IndexKeys, table: Node | null, edit: number): Generator<void, Node> {
  if (table === null || table.count === 0) return emptyTree(false, edit);
  const entries = new SortedEntries();
  let step = STEP_ROWS;
  let numeric = true;
  for (const { leaf } of leaves(pager, table, null)) {
    ({ numeric } = leaf);
    for (let i = 0; i < leaf.count; i++) entries.add(index, index.ofLeaf(leaf, i), leaf.key(i));
    if (entries.count < step) continue;
    step = entries.count + STEP_ROWS;
    yield;
  }
  const { ids, kinds } = numeric ? NUMERIC_ENTRY : BYTES_ENTRY;
  const builder = new LeafBuilder(false, ids, kinds, edit);
  const cells: Datum[] = [null];
  yield* entries.each((key, row) => {
    cells[0] = row;
    builder.add(key, cells);
  });
  const made = builder.finish();
  for (const { bytes } of made) pager.dirtyBytes += bytes;
  return grownRoot(pager, [...made], false, edit);
}

function sortedEntries(entries: RowChange[]): RowChange[] {
  for (let i = 1; i < entries.length; i++) {
    if (entries[i - 1].key > entries[i].key) return entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
  return entries;
}
