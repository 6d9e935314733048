/** The net undo of one row over an interval: one change, however often it changed. Two consecutive intervals compose. */
import type { Datum, Key, RowChange, Shape } from '../tree/datum.ts';

/** How a row is undone. REPLACE: it was deleted and inserted again, and gets its whole first value. */
export const UNDO = { DELETE: 0, INSERT: 1, UPDATE: 2, REPLACE: 3 } as const;
export type Undo = (typeof UNDO)[keyof typeof UNDO];

/** `after` is the row's first value: complete (INSERT, REPLACE), the changed columns (UPDATE), or null; `before` only says that the row exists. */
export interface UndoRow extends RowChange {
  readonly undo: Undo;
}

export const NO_COLUMNS: Shape = { ids: [], kinds: [] };
const THERE: Datum[] = [];

export function undoRow(key: Key, undo: Undo, shape: Shape, values: Datum[] | null): UndoRow {
  if (undo === UNDO.DELETE) return { key, shape: NO_COLUMNS, before: THERE, after: null, undo };
  return { key, shape, before: undo === UNDO.INSERT ? null : THERE, after: values, undo };
}

export function undoOfChange({ key, shape, before, after }: RowChange): UndoRow {
  return undoRow(key, before === null ? UNDO.DELETE : after === null ? UNDO.INSERT : UNDO.UPDATE, shape, before);
}

/** Null if the row existed neither at the start nor at the end. */
export function joinedRow(earlier: UndoRow, later: UndoRow): UndoRow | null {
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
