/** Converts undo entries to changes. */
import { isBeside, type TreeChanges } from '../events/changes.ts';
import { LaterRows } from '../events/later-rows.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { putOff } from '../tree/later-leaves.ts';
import type { Inner, Leaf, Node } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { type Batch, RowBatch } from '../tree/write.ts';
import { NO_COLUMNS, UNDO, undoRow, type UndoRow } from './undo-rows.ts';
import type { UndoRun, UndoTree } from './undo-run.ts';

/** Changes to apply in rounds: rows are deleted first that are inserted again with other values. Deletes have keys only. */
export function undoRounds(trees: readonly UndoTree[]): TreeChanges[][] {
  const first: TreeChanges[] = [];
  const second: TreeChanges[] = [];
  for (const { tree, numeric, run } of trees) {
    if (run.keys.length === 0) continue;
    const gone: RowChange[] = [];
    if (!isBeside(tree)) {
      for (let i = 0; i < run.keys.length; i++) if (run.undo(i) === UNDO.REPLACE) gone.push(undoRow(run.keys[i], UNDO.DELETE, NO_COLUMNS, null));
    }
    if (gone.length > 0) first.push({ tree, numeric, rows: gone });
    second.push(new LaterRows(tree, new UndoBatch(run, numeric)));
  }
  return [first, second].filter(({ length }) => length > 0);
}

/** Rows that are built one at a time, when a leaf is materialised. */
class UndoBatch implements Batch {
  readonly numeric: boolean;
  readonly length: number;
  readonly goes = false;
  readonly #run: UndoRun;

  constructor(run: UndoRun, numeric: boolean) {
    this.#run = run;
    this.numeric = numeric;
    this.length = run.keys.length;
  }

  key(i: number): Key {
    return this.#run.keys[i];
  }

  row(i: number): RowChange {
    const row = this.#run.row(i);
    return row.undo === UNDO.REPLACE || row.undo === UNDO.INSERT ? inserted(row) : row;
  }

  gain(i: number): -1 | 0 | 1 {
    const undo = this.#run.undo(i);
    return undo === UNDO.DELETE ? -1 : undo === UNDO.UPDATE ? 0 : 1;
  }

  bytes(i: number): number {
    return this.#run.bytes(i);
  }

  firstAtLeast(from: number, to: number, key: Key): number {
    const { keys } = this.#run;
    if (from < to && keys[from] >= key) return from;
    let lo = from;
    let hi = to;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (keys[mid] < key) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  toLeaf(pager: Pager, leaf: Leaf, from: number, to: number, edit: number): Node[] {
    const rows: RowChange[] = [];
    for (let i = from; i < to; i++) rows.push(this.row(i));
    return new RowBatch(rows).toLeaf(pager, leaf, 0, rows.length, edit);
  }

  putOff(pager: Pager, parent: Inner, child: number, from: number, to: number, edit: number): 0 | 1 | null {
    return putOff(pager, parent, child, this, from, to, edit);
  }
}

/** Columns that the row did not have are left out. */
function inserted({ key, shape, after }: UndoRow): RowChange {
  const values = after!;
  if (!values.includes(undefined)) return { key, shape, before: null, after: values };
  const there = values.map((_, i) => i).filter((i) => values[i] !== undefined);
  return { key, shape: { ids: there.map((i) => shape.ids[i]), kinds: there.map((i) => shape.kinds[i]) }, before: null, after: there.map((i) => values[i]) };
}
