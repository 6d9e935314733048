/** Composes two successive changes of one row. */
import type { Datum, Kind, RowChange } from './datum.ts';
import type { ShapeTable } from './row-change.ts';

/** The changes cancel each other out. */
export const NO_CHANGE = Symbol('no change');

/** null if the result must be computed from the rows: a row deleted and inserted again, or a column whose kind changed. */
export function composed(first: RowChange, then: RowChange, shapes: ShapeTable): RowChange | typeof NO_CHANGE | null {
  if (first.after === null || then.before === null) return null;
  if (first.before === null) {
    if (then.after === null) return NO_CHANGE;
    const row = overlaid(first.shape.ids, first.shape.kinds, first.after, then, then.after);
    return row === null ? null : { key: then.key, shape: shapes.of(row.ids, row.kinds), before: null, after: row.cells };
  }
  if (then.after === null) return gone(first, first.before, then, then.before);
  return changed(first, first.before, first.after, then, then.before, then.after, shapes);
}

interface Cells {
  readonly ids: readonly number[];
  readonly kinds: readonly Kind[];
  readonly cells: Datum[];
}

/** Cells overlaid with those of a later change. */
function overlaid(ids: readonly number[], kinds: readonly Kind[], cells: readonly Datum[], { shape }: RowChange, over: readonly Datum[]): Cells | null {
  const out = cells.slice();
  let all = ids;
  let allKinds = kinds;
  for (let i = 0; i < over.length; i++) {
    const at = ids.indexOf(shape.ids[i]);
    if (at >= 0) {
      if (kinds[at] !== shape.kinds[i]) return null;
      out[at] = over[i];
    } else {
      all = [...all, shape.ids[i]];
      allKinds = [...allKinds, shape.kinds[i]];
      out.push(over[i]);
    }
  }
  return { ids: all, kinds: allKinds, cells: out };
}

/** A deleted row as it was before the first change. */
function gone({ shape }: RowChange, was: readonly Datum[], then: RowChange, row: readonly Datum[]): RowChange | null {
  const before = row.slice();
  for (let i = 0; i < was.length; i++) {
    const at = then.shape.ids.indexOf(shape.ids[i]);
    // A whole row cannot lack a cell.
    if (at < 0 || was[i] === undefined || then.shape.kinds[at] !== shape.kinds[i]) return null;
    before[at] = was[i];
  }
  return { key: then.key, shape: then.shape, before, after: null };
}

function changed(
  { shape }: RowChange,
  was: readonly Datum[],
  between: readonly Datum[],
  then: RowChange,
  found: readonly Datum[],
  now: readonly Datum[],
  shapes: ShapeTable,
): RowChange | typeof NO_CHANGE | null {
  const same = shape === then.shape;
  const after = same ? { ids: shape.ids, kinds: shape.kinds, cells: now.slice() } : overlaid(shape.ids, shape.kinds, between, then, now);
  if (after === null) return null;
  const before = was.slice();
  for (let i = before.length; i < after.ids.length; i++) before.push(found[then.shape.ids.indexOf(after.ids[i])]);
  const differs = before.map((cell, i) => !Object.is(cell, after.cells[i]));
  if (differs.every(Boolean)) return { key: then.key, shape: same ? shape : shapes.of(after.ids, after.kinds), before, after: after.cells };
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, i) => differs[i]);
  const ids = kept(after.ids);
  return ids.length === 0 ? NO_CHANGE : { key: then.key, shape: shapes.of(ids, kept(after.kinds)), before: kept(before), after: kept(after.cells) };
}
