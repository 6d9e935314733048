/** Reads changes of any form without creating an object per row. */
import type { Key } from '../tree/datum.ts';
import type { TreeChanges } from './changes.ts';
import { ColumnChanges } from './column-changes.ts';
import { LaterRows } from './later-rows.ts';
import { NewRows } from './new-rows.ts';

/** Number of changed rows. */
export function changedRows(changes: TreeChanges): number {
  return changes instanceof NewRows || changes instanceof ColumnChanges || changes instanceof LaterRows ? changes.count : changes.rows.length;
}

/** The key of the last row; undefined without rows. */
export function lastChanged(changes: TreeChanges): Key | undefined {
  return changes instanceof NewRows || changes instanceof ColumnChanges || changes instanceof LaterRows
    ? changes.last
    : changes.rows[changes.rows.length - 1]?.key;
}

/** Visits each key. */
export function eachChangedKey(changes: TreeChanges, visit: (key: Key) => void): void {
  if (changes instanceof NewRows) for (const leaf of changes.leaves) for (let i = 0; i < leaf.count; i++) visit(leaf.key(i));
  else if (changes instanceof ColumnChanges) {
    for (const { key } of changes.first) visit(key);
    for (const part of changes.parts) for (let i = 0; i < part.length; i++) visit(part.key(i));
  } else if (changes instanceof LaterRows) for (let i = 0; i < changes.count; i++) visit(changes.batch.key(i));
  else for (const { key } of changes.rows) visit(key);
}
