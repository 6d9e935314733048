/** Applies changes of a world's trees to its directory. */
import { runSteps } from '../base/run-steps.ts';
import { appendLeaves, lastKey } from '../tree/append-leaves.ts';
import { changedRows } from '../events/changed-rows.ts';
import { ColumnChanges } from '../events/column-changes.ts';
import { LaterRows } from '../events/later-rows.ts';
import { NewRows } from '../events/new-rows.ts';
import { adoptChanges } from '../tree/adopt.ts';
import { applyBatch, applyChanges, emptyTree } from '../tree/write.ts';
import { CATALOG_TREE, EFFECT_TREE, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import { inPieces } from '../events/changes-in-pieces.ts';
import { childRoot, removeChildRoot, setChildRoot } from '../tree/directory.ts';
import type { RowChange } from '../tree/datum.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { type Catalog, changedCatalog, epochOf, readCatalog, touchedTables } from './catalog.ts';
import { buildIndexSteps, entryChangesSteps, indexesOf } from './index-fold.ts';
import { EntryChanges, entryPieces } from './entry-changes.ts';
import type { IndexKeys } from './index-keys.ts';

/** Sealed directories of a branch whose changes are exactly the given ones. */
export interface Branch {
  base: Node;
  theirs: Node;
  /** No row changed on both sides. */
  disjoint: boolean;
  /** Indexes differ by the changes alone, too: untouched tables are taken over with their indexes. */
  entire?: boolean;
}

/**
 * The directory after the changes; nodes owned by `edit` are changed in place, a branch's subtrees are taken over. With
 * `later`, leaves of tables are materialised lazily.
 */
export function applyToWorld(pager: Pager, directory: Node, changes: readonly TreeChanges[], edit: number, branch: Branch | null = null, later = false): Node {
  return runSteps(applyToWorldSteps(pager, directory, changes, edit, branch, later));
}

/** `applyToWorld` in steps; large trees take several. */
export function* applyToWorldSteps(
  pager: Pager,
  directory: Node,
  changes: readonly TreeChanges[],
  edit: number,
  branch: Branch | null = null,
  later = false,
): Generator<void, Node> {
  const { root, before, after } = yield* applyRows(pager, directory, changes, edit, branch, later);
  return after === before ? root : yield* buildIndexes(pager, root, before, after, edit, branch, directory);
}

/** Rows whose index entries are sorted together: the more, the denser they are and the fewer pages are rewritten twice. */
const ROWS_IN_ORDER = 65_536;
/** Rows or entries applied per step. */
const ROWS_A_STEP = 4096;

/** `applyToWorldSteps` for one table's row changes. */
export function* applyTableSteps(pager: Pager, directory: Node, changes: TreeChanges, edit: number): Generator<void, Node> {
  let root = directory;
  const indexes = indexesOf(readCatalog(pager, root), changes.tree);
  if (allGo(childRoot(pager, root, changes.tree), changes)) return emptied(pager, root, changes, indexes, edit);
  for (const part of inPieces(changes, indexes.length === 0 ? ROWS_A_STEP : ROWS_IN_ORDER)) {
    for (const index of indexes) {
      const entries = yield* entryChangesSteps(pager, index, childRoot(pager, root, changes.tree), part);
      for (const piece of entryPieces(entries, ROWS_A_STEP)) {
        root = applyEntries(pager, root, index, piece, edit);
        yield;
      }
    }
    for (const piece of inPieces(part, ROWS_A_STEP)) {
      root = applyToTree(pager, root, piece, edit, null);
      yield;
    }
  }
  return root;
}

interface RowsApplied {
  readonly root: Node;
  /** Definitions before and after. */
  readonly before: Catalog;
  readonly after: Catalog;
}

/** All trees except new indexes. */
function* applyRows(
  pager: Pager,
  directory: Node,
  changes: readonly TreeChanges[],
  edit: number,
  branch: Branch | null,
  later: boolean,
): Generator<void, RowsApplied> {
  let root = directory;
  const definitions = changes.find(({ tree }) => tree === CATALOG_TREE);
  // The state built by the transaction is taken over whole; sequences are applied on top.
  if (branch?.entire === true && definitions !== undefined && sameTree(root, branch.base) && keepsEffects(pager, branch)) {
    root = branch.theirs;
    for (const each of changes) if (each.tree === SEQUENCE_TREE) root = applyToTree(pager, root, each, edit, null);
    const catalog = readCatalog(pager, root);
    return { root, before: catalog, after: catalog };
  }
  const before = readCatalog(pager, root);
  let after = before;
  if (definitions !== undefined && definitions.rows.length > 0) {
    root = applyToTree(pager, root, definitions, edit, null);
    after = changedCatalog(pager, before, definitions.rows, childRoot(pager, root, CATALOG_TREE)!);
    root = dropTrees(pager, root, before, after, edit);
  }
  for (const each of changes) {
    if (each.tree === CATALOG_TREE || changedRows(each) === 0) continue;
    // Sequence positions are added at commit and are not in the transaction's trees.
    if (each.tree === SEQUENCE_TREE && branch?.entire === true) {
      root = applyToTree(pager, root, each, edit, null);
      continue;
    }
    // Rows of a table dropped by the same changes are gone with its tree.
    if (after !== before && before.byNumber.has(each.tree) && !after.byNumber.has(each.tree)) continue;
    if (branch?.entire === true && after === before) {
      const taken = takeTable(pager, root, after, each.tree, branch, edit);
      if (taken !== null) {
        root = taken;
        continue;
      }
    }
    if (branch === null && after === before && allGo(childRoot(pager, root, each.tree), each)) {
      root = emptied(pager, root, each, indexesOf(after, each.tree), edit);
      continue;
    }
    for (const index of indexesOf(after, each.tree)) {
      // New indexes are built below, from the result.
      if (after !== before && !keeps(before, after, each.tree, index)) continue;
      const taken = takenIndex(pager, root, each.tree, index, branch);
      if (taken !== null) {
        root = setChildRoot(pager, root, index.number, taken, edit);
        continue;
      }
      const entries = yield* entryChangesSteps(pager, index, childRoot(pager, root, each.tree), each);
      if (entries.length === 0) continue;
      yield;
      if (branch === null || !adopts(pager, root, each.tree, index, branch)) root = applyEntries(pager, root, index, entries, edit);
      else {
        const rows = entries instanceof EntryChanges ? entries.changes() : entries;
        root = applyToTree(pager, root, { tree: index.number, numeric: false, rows }, edit, branch);
      }
    }
    // Only in parts if rows are inserted individually, not as leaves.
    if (branch !== null || later || each instanceof NewRows || changedRows(each) <= ROWS_A_STEP) root = applyToTree(pager, root, each, edit, branch, later);
    else {
      for (const piece of inPieces(each, ROWS_A_STEP)) {
        root = applyToTree(pager, root, piece, edit, null);
        yield;
      }
    }
  }
  return { root, before, after };
}

/** Whether the changes delete every row of the table. */
function allGo(table: Node | null, changes: TreeChanges): boolean {
  if (!(changes instanceof ColumnChanges) || table?.count !== changes.count) return false;
  return changes.parts.every(({ goes }) => goes) && changes.first.every(({ after }) => after === null);
}

/** The directory without the table's rows and index entries, without reading them. */
function emptied(pager: Pager, directory: Node, { tree, numeric }: TreeChanges, indexes: readonly IndexKeys[], edit: number): Node {
  let root = setChildRoot(pager, directory, tree, emptyTree(numeric, edit), edit);
  for (const { number } of indexes) root = setChildRoot(pager, root, number, emptyTree(false, edit), edit);
  return root;
}

function applyToTree(pager: Pager, root: Node, changes: TreeChanges, edit: number, branch: Branch | null, later = false): Node {
  const { tree, numeric } = changes;
  const current = childRoot(pager, root, tree);
  const before = current ?? emptyTree(numeric, edit);
  const base = branch === null || tree === CATALOG_TREE ? null : childRoot(pager, branch.base, tree);
  const theirs = base === null ? null : childRoot(pager, branch!.theirs, tree);
  if (base === null && changes instanceof NewRows && isBehind(pager, before, changes)) {
    return setChildRoot(pager, root, tree, appendLeaves(pager, before, changes.leaves, edit), edit);
  }
  const after =
    base === null || theirs === null ? applyDirectly(pager, before, changes, edit, later) : adoptChanges(pager, before, base, theirs, changes.rows, edit);
  return withTree(pager, root, tree, current, after, edit);
}

/** An unchanged pointer (changed in place) needs no new path: its ancestors are owned. */
function withTree(pager: Pager, root: Node, tree: number, current: Node | null, after: Node, edit: number): Node {
  return after !== current || current.edit !== edit ? setChildRoot(pager, root, tree, after, edit) : root;
}

function applyDirectly(pager: Pager, root: Node, changes: TreeChanges, edit: number, later: boolean): Node {
  if (changes instanceof LaterRows) return applyBatch(pager, root, changes.batch, edit, later);
  if (!(changes instanceof ColumnChanges)) return applyChanges(pager, root, changes.rows, edit, later);
  let after = applyChanges(pager, root, changes.first, edit, later);
  for (const part of changes.parts) after = applyBatch(pager, after, part, edit);
  return after;
}

/** Whether the target keeps effects: a merge into main sends them, and they are not part of its state. */
function keepsEffects(pager: Pager, { base, theirs }: Branch): boolean {
  return sameTree(childRoot(pager, base, EFFECT_TREE), childRoot(pager, theirs, EFFECT_TREE));
}

/** Whether all of the rows come after those of the tree. */
function isBehind(pager: Pager, tree: Node, { numeric, first }: NewRows): boolean {
  if (tree.count === 0) return true;
  const last = lastKey(pager, tree)!;
  return (typeof last === 'number') === numeric && last < first;
}

function applyEntries(pager: Pager, root: Node, { number }: IndexKeys, entries: EntryChanges | RowChange[], edit: number): Node {
  if (!(entries instanceof EntryChanges)) return applyToTree(pager, root, { tree: number, numeric: false, rows: entries }, edit, null);
  const current = childRoot(pager, root, number);
  const before = current ?? emptyTree(false, edit);
  return withTree(pager, root, number, current, applyBatch(pager, before, entries, edit), edit);
}

/**
 * Whether a branch's index can be merged by subtrees: only if all differences of the two indexes are in the changes, because
 * ours did not change the table or no row changed on both sides. Otherwise a row kept as ours could have an entry in a
 * subtree that only the branch changed.
 */
function adopts(pager: Pager, root: Node, table: number, index: IndexKeys, branch: Branch): boolean {
  return (
    (branch.disjoint || sameTree(childRoot(pager, root, table), childRoot(pager, branch.base, table))) &&
    [branch.base, branch.theirs].every((side) =>
      indexesOf(readCatalog(pager, side), table).some(({ number, form }) => number === index.number && form === index.form),
    )
  );
}

/** The branch's whole index, if ours is unchanged since the branch forked: its changed entries need not be known. */
function takenIndex(pager: Pager, root: Node, table: number, index: IndexKeys, branch: Branch | null): Node | null {
  if (branch === null || !sameTree(childRoot(pager, root, index.number), childRoot(pager, branch.base, index.number))) return null;
  return adopts(pager, root, table, index, branch) ? childRoot(pager, branch.theirs, index.number) : null;
}

/** The directory with a branch's table and indexes taken over, if ours is unchanged since the branch forked; else null. */
function takeTable(pager: Pager, directory: Node, catalog: Catalog, table: number, { base, theirs }: Branch, edit: number): Node | null {
  if (readCatalog(pager, base).byNumber.get(table)?.relation !== catalog.byNumber.get(table)?.relation) return null;
  const trees = [table, ...indexesOf(catalog, table).map(({ number }) => number)];
  for (const tree of trees) if (!sameTree(childRoot(pager, directory, tree), childRoot(pager, base, tree))) return null;
  let root = directory;
  for (const tree of trees) {
    const after = childRoot(pager, theirs, tree);
    if (after !== null && after !== childRoot(pager, directory, tree)) root = setChildRoot(pager, root, tree, after, edit);
  }
  return root;
}

function sameTree(a: Node | null, b: Node | null): boolean {
  return a === b || (a !== null && b !== null && a.id !== 0 && a.id === b.id);
}

/** Drops the trees of dropped or truncated tables, and of dropped indexes. */
function dropTrees(pager: Pager, directory: Node, before: Catalog, after: Catalog, edit: number): Node {
  let root = directory;
  for (const table of touchedTables(after)) {
    const was = before.byNumber.get(table);
    if (was === undefined) continue;
    const now = after.byNumber.get(table);
    if (now === undefined || epochOf(now) !== epochOf(was)) root = removeChildRoot(pager, root, table, edit);
    for (const { number } of was.relation?.indexes ?? []) if (!after.indexes.has(number)) root = removeChildRoot(pager, root, number, edit);
  }
  return root;
}

/**
 * Builds indexes that are new, changed their form, or whose table was truncated. Indexes built by the transaction over the
 * world's previous rows (`seen`) are taken over.
 */
function* buildIndexes(pager: Pager, directory: Node, before: Catalog, after: Catalog, edit: number, branch: Branch | null, seen: Node): Generator<void, Node> {
  let root = directory;
  for (const number of touchedTables(after)) {
    const relation = after.byNumber.get(number)?.relation ?? null;
    if (relation === null || relation.indexes.length === 0) continue;
    if (before.byNumber.get(number)?.relation === relation) continue;
    for (const index of indexesOf(after, number)) {
      if (keeps(before, after, number, index)) continue;
      const tree = builtIndex(pager, seen, number, index, branch) ?? (yield* buildIndexSteps(pager, index, childRoot(pager, root, number), edit));
      root = setChildRoot(pager, root, index.number, tree, edit);
    }
  }
  return root;
}

/** The index built by the transaction, if the table has not changed meanwhile. */
function builtIndex(pager: Pager, seen: Node, table: number, index: IndexKeys, branch: Branch | null): Node | null {
  if (branch?.entire !== true || !sameTree(childRoot(pager, seen, table), childRoot(pager, branch.base, table))) return null;
  const known = indexesOf(readCatalog(pager, branch.theirs), table).some(({ number, form }) => number === index.number && form === index.form);
  return known ? childRoot(pager, branch.theirs, index.number) : null;
}

/** Whether the index existed in the same form over the same rows, so that its tree is still valid. */
function keeps(before: Catalog, after: Catalog, table: number, index: IndexKeys): boolean {
  const old = before.byNumber.get(table)?.relation;
  if (old === null || old === undefined || old.object.epoch !== after.byNumber.get(table)!.relation!.object.epoch) return false;
  return indexesOf(before, table).some(({ number, form }) => number === index.number && form === index.form);
}
