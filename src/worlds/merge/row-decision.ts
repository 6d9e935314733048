/**
 * What one changed row becomes. Without conflict, the change of the target:
 *
 *   only the branch changed it       taken
 *   both changed it alike            kept; `strict` makes it a conflict
 *   both changed it differently      a conflict, by row or (with `columns`) where both changed one column, unless `resolve` or a pick decides
 */
import { type Datum, type Key, KIND, type Kind, type RowChange } from '../../tree/datum.ts';
import { sameDatum, sameRow } from '../../tree/diff.ts';
import { adapt, widest } from '../../tree/node.ts';
import { type RowAt, rowChange, type ShapeTable } from '../../tree/row-change.ts';
import type { PlanInput } from './plan.ts';

/** A changed row in the three states. */
export interface Three {
  key: Key;
  name: string;
  base: RowAt | null;
  ours: RowAt | null;
  theirs: RowAt | null;
}

/** What is in conflict: the whole row, or columns by their numbers. */
export type RowConflict = { readonly kind: 'row' } | { readonly kind: 'columns'; readonly ids: readonly number[] };

export const ROW_CONFLICT: RowConflict = { kind: 'row' };

export interface Outcome {
  readonly change: RowChange | null;
  /** null: none. */
  readonly conflict: RowConflict | null;
  readonly detail: string;
}

/** `changedHere`: the target changed it since the base; `derived`: cells that are computed, not written. */
export function decide(
  row: Three,
  changedHere: boolean,
  pick: 'ours' | 'theirs' | undefined,
  input: PlanInput,
  shapes: ShapeTable,
  derived: ReadonlySet<number> | null,
): Outcome {
  const { key, ours, theirs } = row;
  const take = (detail: string): Outcome => ({ change: sameRows(ours, theirs) ? null : rowChange(key, ours, theirs, shapes), conflict: null, detail });
  const keep = (detail: string): Outcome => ({ change: null, conflict: null, detail });
  if (pick === 'ours') return keep(`resolved as ${input.ours.name} has it`);
  if (pick === 'theirs') return take(`resolved as ${input.theirs.name} has it`);
  if (!changedHere) return take(`only ${input.theirs.name} changed it`);
  if (input.columns && ours !== null && theirs !== null) return byColumn(row, ours, theirs, input, shapes, derived);
  if (input.resolve === 'ours') return keep(`both changed it; ${input.ours.name} wins`);
  if (input.resolve === 'theirs') return take(`both changed it; ${input.theirs.name} wins`);
  return { change: null, conflict: ROW_CONFLICT, detail: 'both changed it' };
}

/** By column, only columns changed on both sides to different values are in conflict. */
function byColumn(row: Three, ours: RowAt, theirs: RowAt, input: PlanInput, shapes: ShapeTable, derived: ReadonlySet<number> | null): Outcome {
  const ids: number[] = [];
  const kinds: Kind[] = [];
  const before: Datum[] = [];
  const after: Datum[] = [];
  const clashes: number[] = [];
  for (const id of new Set([...ours.leaf.colIds, ...theirs.leaf.colIds])) {
    if (derived?.has(id) === true) continue;
    const baseCell = cell(row.base, id);
    const ourCell = cell(ours, id);
    const theirCell = cell(theirs, id);
    if (same(theirCell, baseCell)) continue;
    const clash = !same(ourCell, baseCell);
    if (same(theirCell, ourCell) && (!clash || input.strict !== true || input.resolve !== 'fail')) continue;
    if (clash && input.resolve === 'ours') continue;
    if (clash && input.resolve === 'fail') {
      clashes.push(id);
      continue;
    }
    const kind = ourCell.kind === null ? (theirCell.kind ?? KIND.TEXT) : theirCell.kind === null ? ourCell.kind : widest(ourCell.kind, theirCell.kind);
    ids.push(id);
    kinds.push(kind);
    before.push(adapt(ourCell.value, ourCell.kind ?? kind, kind));
    after.push(adapt(theirCell.value, theirCell.kind ?? kind, kind));
  }
  if (clashes.length > 0) {
    return { change: null, conflict: { kind: 'columns', ids: clashes }, detail: 'both changed a column' };
  }
  return { change: ids.length === 0 ? null : { key: row.key, shape: shapes.of(ids, kinds), before, after }, conflict: null, detail: 'columns of both sides' };
}

/** Whether both sides changed a column to the same value. */
export function sharesChange({ base, ours, theirs }: Three, derived: ReadonlySet<number> | null): boolean {
  if (ours === null || theirs === null) return ours === theirs;
  return [...theirs.leaf.colIds].some((id) => {
    const mine = cell(ours, id);
    return derived?.has(id) !== true && !same(mine, cell(base, id)) && same(mine, cell(theirs, id));
  });
}

interface Cell {
  value: Datum;
  /** null without a value. */
  kind: Kind | null;
}

function cell(row: RowAt | null, id: number): Cell {
  const vec = row === null ? null : row.leaf.col(id);
  const value = vec === null ? undefined : vec.get(row!.index);
  return { value, kind: value === null || value === undefined ? null : vec!.kind };
}

function same(a: Cell, b: Cell): boolean {
  if (a.kind === null || b.kind === null) return a.value === b.value;
  return sameDatum(a.value, a.kind, b.value, b.kind);
}

export function sameRows(a: RowAt | null, b: RowAt | null): boolean {
  if (a === null || b === null) return a === b;
  return sameRow(a.leaf, a.index, b.leaf, b.index);
}
