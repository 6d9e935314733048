/** The net undo of consecutive events of a world: of each row, its first state. A row changed a thousand times is one change to undo. */
import { changedRows } from '../events/changed-rows.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Datum, Key, Shape } from '../tree/datum.ts';
import { NO_COLUMNS, sameColumns, UNDO, type Undo, undoOfChange, undoRow, type UndoRow, withColumns } from './undo-rows.ts';
import { joinedUndo, ListedRun, type UndoTree } from './undo-run.ts';

/** A row's first state. */
interface RowThen {
  /** Known columns. */
  shape: Shape;
  /** Their values; null if the row did not exist. */
  values: Datum[] | null;
  /** The columns are the complete row. */
  whole: boolean;
  /** Whether the row exists now. */
  there: boolean;
  /** It was deleted and inserted again. */
  reinserted: boolean;
}

/** An event with this many rows is a run of its own: its rows are already sorted. */
const LARGE_ROWS = 256;

export class NetUndo {
  #trees = new Map<number, { readonly numeric: boolean; readonly rows: Map<Key, RowThen> }>();
  /** Runs before `#trees`, in order, or functions that build some. */
  #earlier: (readonly UndoTree[] | (() => UndoTree[]))[] = [];
  /** Number of known rows. */
  count = 0;

  /** Adds the next changes. */
  add(changes: readonly TreeChanges[]): void {
    let count = 0;
    for (const each of changes) count += changedRows(each);
    if (count >= LARGE_ROWS) {
      this.#rest();
      this.count += count;
      this.#earlier.push(() => changes.map(({ tree, numeric, rows }) => ({ tree, numeric, run: new ListedRun(rows.map(undoOfChange)) })));
      return;
    }
    for (const { tree, numeric, rows } of changes) {
      if (rows.length === 0) continue;
      let of = this.#trees.get(tree);
      if (of === undefined) this.#trees.set(tree, (of = { numeric, rows: new Map() }));
      for (let i = 0; i < rows.length; i++) {
        const { key, shape, before, after } = rows[i];
        this.#add(of.rows, key, shape, before, after !== null);
      }
    }
  }

  /** `before`: null for an insert, the whole row for a delete (`stays` false), else the changed columns. */
  #add(rows: Map<Key, RowThen>, key: Key, shape: Shape, before: Datum[] | null, stays: boolean): void {
    const row = rows.get(key);
    if (row === undefined) {
      this.count++;
      rows.set(key, { shape: before === null ? NO_COLUMNS : shape, values: before, whole: before !== null && !stays, there: stays, reinserted: false });
      return;
    }
    if (before === null) {
      row.there = true;
      row.reinserted = row.values !== null;
      return;
    }
    row.there = stays;
    if (row.values === null || row.whole || (stays && sameColumns(row.shape, shape))) return;
    // For a delete: the complete first row, except columns that had changed before.
    [row.shape, row.values] = withColumns(row.shape, row.values, shape, before);
    row.whole = !stays;
  }

  /** The net undo so far. */
  trees(): readonly UndoTree[] {
    this.#rest();
    const all = joinedUndo(this.#earlier.map((each) => (typeof each === 'function' ? each() : each)));
    this.#earlier = [all];
    return all;
  }

  /** Closes the run of small events. */
  #rest(): void {
    if (this.#trees.size === 0) return;
    this.#earlier.push(this.#sorted());
    this.#trees = new Map();
  }

  #sorted(): UndoTree[] {
    const out: UndoTree[] = [];
    for (const [tree, { numeric, rows: known }] of this.#trees) {
      const rows: UndoRow[] = [];
      for (const key of sortedKeys(known, numeric)) {
        const row = known.get(key)!;
        const undo = undoOf(row);
        if (undo !== null) rows.push(undoRow(key, undo, row.shape, row.values));
      }
      if (rows.length > 0) out.push({ tree, numeric, run: new ListedRun(rows) });
    }
    return out;
  }
}

function undoOf({ values, there, reinserted }: RowThen): Undo | null {
  if (values === null) return there ? UNDO.DELETE : null;
  if (!there) return UNDO.INSERT;
  return reinserted ? UNDO.REPLACE : UNDO.UPDATE;
}

/** Numbers are sorted without a comparison callback. */
function sortedKeys(rows: ReadonlyMap<Key, RowThen>, numeric: boolean): Iterable<Key> {
  if (!numeric) return [...rows.keys()].sort((a, b) => (a < b ? -1 : 1));
  const keys = new Float64Array(rows.size);
  let i = 0;
  for (const key of rows.keys()) keys[i++] = key as number;
  return keys.sort();
}
