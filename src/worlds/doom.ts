/**
 * Writers that take no locks: merges, restores, undo, rebase, and row operations of other kinds. They do not wait for open
 * transactions, because an abandoned transaction must not block approving a merge. A transaction that has locked what such a
 * writer changes is doomed: its next statement or COMMIT fails (40001).
 */
import { SvcError } from '../base/errors/svc-error.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Event } from '../events/event.ts';
import { ROW_LOCK, TABLE_LOCK } from '../locks/lock-mode.ts';
import type { HeldLock, LockTable } from '../locks/lock-table.ts';
import type { Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import type { Catalog } from './catalog.ts';
import { eachLock } from './change-locks.ts';

/** Changes of the event to rows of its world. */
export function changesOf(event: Event): readonly TreeChanges[] | null {
  return event.type === 'committed' || event.type === 'merged' || event.type === 'undone' || event.type === 'rebased' ? event.changes : null;
}

/** `directory` and `catalog`: the world before the changes. `all`: dooms every transaction with locks in the world. */
export function doomHolders(
  locks: LockTable,
  pager: Pager,
  world: { readonly number: number; readonly root: Node },
  catalog: Catalog,
  changes: readonly TreeChanges[],
  all: boolean,
): void {
  if (all) {
    for (const space of locks.lockedTrees(world.number)) for (const lock of space.locks.values()) doom(lock);
    return;
  }
  eachLock(
    pager,
    catalog,
    () => world.root,
    changes,
    (tree, key, mode) => {
      const lock = locks.blocked(null, locks.rows(world.number, tree), key, mode);
      if (lock !== null) doom(lock);
      return true;
    },
  );
  const tables = locks.tables(world.number);
  for (const { tree } of changes) {
    const lock = locks.blocked(null, tables, tree, TABLE_LOCK.rowExclusive);
    if (lock !== null) doom(lock);
  }
  // Inserted rows may reference rows that a transaction is about to delete.
  for (const { tree } of changes) {
    for (const constraint of catalog.byNumber.get(tree)?.relation?.constraints ?? []) {
      if (constraint.what !== 'foreign key') continue;
      for (const lock of locks.rows(world.number, constraint.target).locks.values()) {
        if (lock.modes.some((mode) => mode >= ROW_LOCK.update)) doom(lock);
      }
    }
  }
}

function doom(lock: HeldLock): void {
  for (const owner of lock.owners) {
    owner.doomed ??= new SvcError('40001', 'could not serialize access due to concurrent update', {
      detail: 'A merge, restore or undo has changed rows that this transaction had locked.',
      hint: 'The transaction might succeed if retried.',
    });
  }
}
