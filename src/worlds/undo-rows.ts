/**
 * What takes the rows of a world back from the end of a stretch of time to its beginning: for each row that changed, one change. Those of two
 * stretches that follow one another make those of both.
 */
import { isBeside, type TreeChanges } from '../events/changes.ts';
import type { Datum, Key, RowChange, Shape } from '../tree/datum.ts';

/** How a row is taken back. REPLACE: it went and came again, and gets all that it had at first. */
export const UNDO = { DELETE: 0, INSERT: 1, UPDATE: 2, REPLACE: 3 } as const;
export type Undo = (typeof UNDO)[keyof typeof UNDO];

/** `after` is what the row had at first: all of it (INSERT, REPLACE), the columns that changed (UPDATE), or null; `before` only says that the row is there. */
export interface UndoRow extends RowChange {
  readonly undo: Undo;
}

/** Rows of one tree, by key. */
export interface UndoTree {
  readonly tree: number;
  readonly numeric: boolean;
  readonly rows: UndoRow[];
}

const NO_COLUMNS: Shape = { ids: [], kinds: [] };
const THERE: Datum[] = [];

export function undoRow(key: Key, undo: Undo, shape: Shape, values: Datum[] | null): UndoRow {
  if (undo === UNDO.DELETE) return { key, shape: NO_COLUMNS, before: THERE, after: null, undo };
  return { key, shape, before: undo === UNDO.INSERT ? null : THERE, after: values, undo };
}

export function undoOfChange({ key, shape, before, after }: RowChange): UndoRow {
  return undoRow(key, before === null ? UNDO.DELETE : after === null ? UNDO.INSERT : UNDO.UPDATE, shape, before);
}

/** What takes back all of the stretches, which follow one another in time. */
export function joinedUndo(stretches: readonly (readonly UndoTree[])[]): readonly UndoTree[] {
  let level = stretches;
  while (level.length > 1) {
    const next: (readonly UndoTree[])[] = [];
    for (let i = 0; i < level.length; i += 2) next.push(i + 1 < level.length ? joined(level[i], level[i + 1]) : level[i]);
    level = next;
  }
  return level[0] ?? [];
}

function joined(earlier: readonly UndoTree[], later: readonly UndoTree[]): UndoTree[] {
  const out: UndoTree[] = [];
  for (const a of earlier) {
    const b = later.find(({ tree }) => tree === a.tree);
    out.push(b === undefined ? a : { ...a, rows: joinedRows(a.rows, b.rows) });
  }
  for (const b of later) if (!earlier.some(({ tree }) => tree === b.tree)) out.push(b);
  return out;
}

function joinedRows(a: readonly UndoRow[], b: readonly UndoRow[]): UndoRow[] {
  const out: UndoRow[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const x = a[i];
    const y = b[j];
    if (x.key < y.key) {
      out.push(x);
      i++;
    } else if (x.key > y.key) {
      out.push(y);
      j++;
    } else {
      const both = joinedRow(x, y);
      if (both !== null) out.push(both);
      i++;
      j++;
    }
  }
  while (i < a.length) out.push(a[i++]);
  while (j < b.length) out.push(b[j++]);
  return out;
}

/** Null where the row was there neither at first nor at the end. */
function joinedRow(earlier: UndoRow, later: UndoRow): UndoRow | null {
  switch (earlier.undo) {
    case UNDO.DELETE:
      return later.undo === UNDO.INSERT ? null : earlier;
    case UNDO.UPDATE:
      return sameColumns(earlier.shape, later.shape) && later.undo === UNDO.UPDATE ? earlier : undoRow(earlier.key, later.undo, ...over(later, earlier));
    case UNDO.INSERT:
      return undoRow(earlier.key, UNDO.REPLACE, earlier.shape, earlier.after);
    case UNDO.REPLACE:
      return later.undo === UNDO.INSERT ? undoRow(earlier.key, UNDO.INSERT, earlier.shape, earlier.after) : earlier;
  }
}

/** The columns of both, with the first one's values where both have some. */
function over(below: UndoRow, first: UndoRow): [Shape, Datum[]] {
  return withColumns(first.shape, first.after!, below.shape, below.after!);
}

export function withColumns(shape: Shape, values: readonly Datum[], more: Shape, others: readonly Datum[]): [Shape, Datum[]] {
  const ids = [...shape.ids];
  const kinds = [...shape.kinds];
  const all = [...values];
  for (let i = 0; i < more.ids.length; i++) {
    if (ids.includes(more.ids[i])) continue;
    ids.push(more.ids[i]);
    kinds.push(more.kinds[i]);
    all.push(others[i]);
  }
  return [{ ids, kinds }, all];
}

export function sameColumns(a: Shape, b: Shape): boolean {
  if (a === b) return true;
  const { length } = a.ids;
  if (length !== b.ids.length) return false;
  for (let i = 0; i < length; i++) if (a.ids[i] !== b.ids[i]) return false;
  return true;
}

/** Changes that take a world back, to be made in turn: first goes what comes again otherwise. Of rows that go they know the keys alone. */
export function undoRounds(trees: readonly UndoTree[]): TreeChanges[][] {
  const first: TreeChanges[] = [];
  const second: TreeChanges[] = [];
  for (const { tree, numeric, rows } of trees) {
    const gone: RowChange[] = [];
    const changes: RowChange[] = [];
    for (const row of rows) {
      if (row.undo === UNDO.REPLACE && !isBeside(tree)) gone.push(undoRow(row.key, UNDO.DELETE, NO_COLUMNS, null));
      changes.push(row.undo === UNDO.REPLACE || row.undo === UNDO.INSERT ? inserted(row) : row);
    }
    if (gone.length > 0) first.push({ tree, numeric, rows: gone });
    if (changes.length > 0) second.push({ tree, numeric, rows: changes });
  }
  return [first, second].filter(({ length }) => length > 0);
}

/** Columns that the row did not have are none of what comes. */
function inserted({ key, shape, after }: UndoRow): RowChange {
  const values = after!;
  if (!values.includes(undefined)) return { key, shape, before: null, after: values };
  const there = values.map((_, i) => i).filter((i) => values[i] !== undefined);
  return { key, shape: { ids: there.map((i) => shape.ids[i]), kinds: there.map((i) => shape.kinds[i]) }, before: null, after: there.map((i) => values[i]) };
}
