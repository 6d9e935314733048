/**
 * The locks needed by changes of a world's rows, derived from the changes alone:
 *
 *   an inserted or deleted row, or one changed in a column that foreign keys may reference   FOR UPDATE on its key
 *   any other changed row                                                                   FOR NO KEY UPDATE
 *   a key added to or removed from a unique index                                           FOR UPDATE on the entry's prefix
 *   a definition                                                                            FOR UPDATE on its row of the catalog
 *
 * Rows inserted into tables without a primary key need none: no other transaction can refer to them.
 */
import { ColumnChanges } from '../events/column-changes.ts';
import { NewRows } from '../events/new-rows.ts';
import { CATALOG_TREE, SEQUENCE_TREE, type TreeChanges } from '../events/changes.ts';
import { ROW_LOCK } from '../locks/lock-mode.ts';
import type { LockOwner } from '../locks/lock-owner.ts';
import type { LockSpace, LockTable } from '../locks/lock-table.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { childRoot } from '../tree/directory.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Catalog, Relation } from './catalog.ts';
import { indexesOf } from './index-fold.ts';
import type { IndexKeys } from './index-keys.ts';
import { rowIn } from '../tree/row-change.ts';

/** Properties of a table that matter to locks. */
interface LockRules {
  readonly hidden: boolean;
  readonly uniques: readonly IndexKeys[];
  /** Cells that foreign keys may reference. */
  readonly keyCells: ReadonlySet<number>;
}

const DOCUMENT_RULES: LockRules = { hidden: false, uniques: [], keyCells: new Set() };
const rulesOf = new WeakMap<Relation, LockRules>();

function lockRules(catalog: Catalog, table: number): LockRules {
  const relation = catalog.byNumber.get(table)?.relation;
  if (relation === null || relation === undefined) return DOCUMENT_RULES;
  let rules = rulesOf.get(relation);
  if (rules === undefined) {
    const uniques = indexesOf(catalog, table).filter(({ unique }) => unique);
    const pointedAt = relation.indexes.filter(
      ({ unique, where, columns }) => unique && where === null && columns.every(({ expression }) => expression === null),
    );
    rules = {
      hidden: relation.object.key.length === 0,
      uniques,
      keyCells: new Set(pointedAt.flatMap(({ columns }) => columns.map(({ cell }) => cell))),
    };
    rulesOf.set(relation, rules);
  }
  return rules;
}

/** Cells of the table that foreign keys may reference, except its primary key. */
export function keyCells(catalog: Catalog, table: number): ReadonlySet<number> {
  return lockRules(catalog, table).keyCells;
}

/** Visits each lock until the visitor returns false. `directory`: for a table, the state before the changes. False if stopped. */
export function eachLock(
  pager: Pager,
  catalog: Catalog,
  directory: (table: number) => Node,
  changes: readonly TreeChanges[],
  visit: (tree: number, key: Key, mode: number) => boolean,
): boolean {
  for (const each of changes) {
    const { tree } = each;
    if (tree === SEQUENCE_TREE) continue;
    const rules = tree === CATALOG_TREE ? DOCUMENT_RULES : lockRules(catalog, tree);
    if (each instanceof NewRows && rules.uniques.length === 0) {
      if (!rules.hidden && !eachNewKey(each, visit)) return false;
      continue;
    }
    if (each instanceof ColumnChanges && rules.uniques.length === 0 && !eachPartKey(each, rules, visit)) return false;
    const rows = each instanceof ColumnChanges && rules.uniques.length === 0 ? each.first : each.rows;
    for (const row of rows) {
      const { key, shape, before, after } = row;
      if (before === null && rules.hidden) continue;
      const whole = before === null || after === null || touchesKey(shape.ids, rules);
      if (!visit(tree, key, whole ? ROW_LOCK.update : ROW_LOCK.noKeyUpdate)) return false;
    }
    if (rules.uniques.length > 0 && !eachUniqueKey(pager, rules.uniques, childRoot(pager, directory(tree), tree), rows, visit)) return false;
  }
  return true;
}

function eachNewKey({ tree, leaves }: NewRows, visit: (tree: number, key: Key, mode: number) => boolean): boolean {
  for (const leaf of leaves) for (let i = 0; i < leaf.count; i++) if (!visit(tree, leaf.key(i), ROW_LOCK.update)) return false;
  return true;
}

function eachPartKey({ tree, parts }: ColumnChanges, rules: LockRules, visit: (tree: number, key: Key, mode: number) => boolean): boolean {
  for (const part of parts) {
    const mode = part.after === null || touchesKey(part.before.colIds, rules) ? ROW_LOCK.update : ROW_LOCK.noKeyUpdate;
    for (let i = 0; i < part.length; i++) if (!visit(tree, part.key(i), mode)) return false;
  }
  return true;
}

function touchesKey(ids: readonly number[], { keyCells }: LockRules): boolean {
  if (keyCells.size > 0) for (const id of ids) if (keyCells.has(id)) return true;
  return false;
}

function eachUniqueKey(
  pager: Pager,
  uniques: readonly IndexKeys[],
  table: Node | null,
  rows: readonly RowChange[],
  visit: (tree: number, key: Key, mode: number) => boolean,
): boolean {
  for (const index of uniques) {
    const claim = (values: ReturnType<IndexKeys['ofRow']>): string | null => (index.claims(values) ? index.prefix(values) : null);
    for (const { key, shape, before, after } of rows) {
      let from: string | null = null;
      let to: string | null = null;
      if (before === null) to = claim(index.ofRow(shape, after!));
      else if (after === null) from = claim(index.ofRow(shape, before));
      else if (index.touchedBy(shape)) {
        const at = rowIn(pager, table, key);
        if (at === null) continue;
        const row = index.ofLeaf(at.leaf, at.index);
        from = claim(row);
        to = claim(index.over(row, shape, after));
        if (from === to) continue;
      }
      if (from !== null && !visit(index.number, from, ROW_LOCK.update)) return false;
      if (to !== null && !visit(index.number, to, ROW_LOCK.update)) return false;
    }
  }
  return true;
}

/** A lock's key, and the mode that it blocks. */
export interface BlockingLock {
  readonly space: LockSpace;
  readonly key: Key;
  readonly mode: number;
}

/** A lock that blocks `owner` (null: a writer without locks) from making the changes; null if there is none. */
export function blockedBy(
  locks: LockTable,
  world: number,
  owner: LockOwner | null,
  pager: Pager,
  catalog: Catalog,
  directory: Node,
  changes: readonly TreeChanges[],
): BlockingLock | null {
  let found: BlockingLock | null = null;
  eachLock(
    pager,
    catalog,
    () => directory,
    changes,
    (tree, key, mode) => {
      const lock = locks.blocked(owner, locks.rows(world, tree), key, mode);
      if (lock !== null) found = { space: lock.space, key, mode };
      return lock === null;
    },
  );
  return found;
}
