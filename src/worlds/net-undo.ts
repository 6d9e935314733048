/**
 * What takes a world back over events that come one after another: of each row the first look. A row that changes a thousand times is one
 * change to take back.
 */
import { changedRows } from '../events/changed-rows.ts';
import type { TreeChanges } from '../events/changes.ts';
import type { Datum, Key, Shape } from '../tree/datum.ts';
import { NO_COLUMNS, sameColumns, UNDO, type Undo, undoOfChange, undoRow, type UndoRow, withColumns } from './undo-rows.ts';
import { joinedUndo, ListedRun, type UndoTree } from './undo-run.ts';

/** A row as it was at first. */
interface RowThen {
  /** Columns that are known of it. */
  shape: Shape;
  /** Their values; null where the row was not there. */
  values: Datum[] | null;
  /** The columns are all that the row had. */
  whole: boolean;
  /** Whether the row is there now. */
  there: boolean;
  /** It went and came again. */
  anew: boolean;
}

/** An event of so many rows is a stretch of its own: its rows are in order as they are. */
const LARGE_ROWS = 256;

export class NetUndo {
  #trees = new Map<number, { readonly numeric: boolean; readonly rows: Map<Key, RowThen> }>();
  /** What came before `#trees`: stretches one after the other, or changes to make some of. */
  #earlier: (readonly UndoTree[] | (() => UndoTree[]))[] = [];
  /** Rows that are known. */
  count = 0;

  /** Takes in what was changed next. */
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

  /** `before`: null where the row came, the whole row where it went (`stays` false), else the columns that changed. */
  #add(rows: Map<Key, RowThen>, key: Key, shape: Shape, before: Datum[] | null, stays: boolean): void {
    const row = rows.get(key);
    if (row === undefined) {
      this.count++;
      rows.set(key, { shape: before === null ? NO_COLUMNS : shape, values: before, whole: before !== null && !stays, there: stays, anew: false });
      return;
    }
    if (before === null) {
      row.there = true;
      row.anew = row.values !== null;
      return;
    }
    row.there = stays;
    if (row.values === null || row.whole || (stays && sameColumns(row.shape, shape))) return;
    // Of a row that goes: all that it had then, but for what had changed before.
    [row.shape, row.values] = withColumns(row.shape, row.values, shape, before);
    row.whole = !stays;
  }

  /** What takes the world back, as it is now. */
  trees(): readonly UndoTree[] {
    this.#rest();
    const all = joinedUndo(this.#earlier.map((each) => (typeof each === 'function' ? each() : each)));
    this.#earlier = [all];
    return all;
  }

  /** Ends the stretch of small events. */
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

function undoOf({ values, there, anew }: RowThen): Undo | null {
  if (values === null) return there ? UNDO.DELETE : null;
  if (!there) return UNDO.INSERT;
  return anew ? UNDO.REPLACE : UNDO.UPDATE;
}

/** Numbers are sorted without a call for each comparison. */
function sortedKeys(rows: ReadonlyMap<Key, RowThen>, numeric: boolean): Iterable<Key> {
  if (!numeric) return [...rows.keys()].sort((a, b) => (a < b ? -1 : 1));
  const keys = new Float64Array(rows.size);
  let i = 0;
  for (const key of rows.keys()) keys[i++] = key as number;
  return keys.sort();
}
