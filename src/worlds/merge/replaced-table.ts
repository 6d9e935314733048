/** Tables that are not merged row by row: the branch dropped or rekeyed them, or its rows are taken over whole. */
import { exactJsonText } from '../../base/exact-json.ts';
import type { TableSummary } from '../../commands/contract.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { rowChange, rowIn, type ShapeTable } from '../../tree/row-change.ts';
import type { Table } from '../catalog.ts';
import { isNumeric, rowChangeSteps } from '../changes-between.ts';
import { rowKey } from '../keys.ts';
import type { Picks } from './picks.ts';
import type { Plan } from './plan.ts';
import type { Three } from './row-decision.ts';
import { clip, type ShownRows } from './shown-rows.ts';

/** A dropped table, or one whose rows are taken over whole from the branch. */
export function* wholeTable(
  pager: Pager,
  table: Table,
  trees: { base: Node | null; ours: Node | null; theirs: Node | null },
  changes: RowChange[] | null,
  shown: ShownRows | null,
  summary: TableSummary,
  shapes: ShapeTable,
  lost: ReadonlyMap<Key, string>,
): Generator<void, void> {
  const { base, ours, theirs } = trees;
  summary.deleted = ours?.count ?? 0;
  summary.inserted = theirs?.count ?? 0;
  const known = base !== null && ours !== null && isNumeric(base) === isNumeric(ours) ? base : null;
  // Equal keys of different kinds are different rows.
  const alike = ours !== null && theirs !== null && isNumeric(ours) === isNumeric(theirs);
  if (ours !== null && shown !== null) {
    yield* rowChangeSteps(pager, null, ours, (key, _none, at) => {
      const of = shown.input.ours.catalog.byNumber.get(table.number) ?? table;
      const row: Three = { key, name: rowKey(shown.input.typed, of, key), base: rowIn(pager, known, key), ours: at, theirs: null };
      const explanation = lost.get(key);
      if (alike && explanation === undefined && rowIn(pager, theirs, key) !== null) return;
      const detail = `"${shown.input.theirs.name}" dropped the table, or rekeyed its rows`;
      const change = rowChange(key, at, null, shapes);
      shown.add(of, row, { change, conflict: null, detail }, undefined, false, explanation);
    });
  }
  if (theirs !== null) {
    yield* rowChangeSteps(pager, null, theirs, (key, _none, at) => {
      const change = rowChange(key, null, at, shapes);
      changes?.push(change);
      if (shown === null) return;
      const mine = alike ? rowIn(pager, ours, key) : null;
      const row: Three = { key, name: rowKey(shown.input.typed, table, key), base: rowIn(pager, known, key), ours: mine, theirs: at };
      const detail = `"${shown.input.theirs.name}" ${mine === null ? 'rekeyed its rows' : 'wins: the table is taken from it'}`;
      shown.add(table, row, { change: mine === null ? change : rowChange(key, mine, at, shapes), conflict: null, detail }, undefined);
    });
  }
}

/**
 * Rows that the target inserted since the fork, in a table that is replaced by the branch's: neither side has deleted them,
 * and picking the branch's table does not decide about rows that it never had. Each is a conflict of its own, until it is
 * picked as `theirs` or null (deleted).
 */
export function* lostRows(
  pager: Pager,
  shown: ShownRows,
  tree: number,
  from: Node | null,
  oursTree: Node | null,
  picks: Picks,
  plan: Plan,
): Generator<void, ReadonlyMap<Key, string>> {
  const { typed, base, ours, theirs } = shown.input;
  const table = ours.catalog.byNumber.get(tree);
  const keyOf = (of: Table | undefined): string => JSON.stringify([of?.relation?.object.key, of?.relation?.object.numeric]);
  // If ours has other keys, each row is a different one.
  if (table === undefined || oursTree === null || oursTree === from || keyOf(base.catalog.byNumber.get(tree)) !== keyOf(table)) return NONE_LOST;
  const lost = new Map<Key, string>();
  yield* rowChangeSteps(pager, from, oursTree, (key, before, at) => {
    if (before !== null || at === null) return;
    const name = rowKey(typed, table, key);
    const pick = picks.active ? picks.take(name) : undefined;
    if (pick === 'theirs' || pick === null) return;
    const row = shown.record(table, at, ours);
    const explanation =
      `"${ours.name}" inserted ${name} since the fork: ${clip(exactJsonText(row))}. "${theirs.name}" rewrote table ${table.name} without it, ` +
      `so it would be lost: pick the row "theirs" to let it go, or put it into "${theirs.name}" as well and then do so.`;
    lost.set(key, explanation);
    plan.conflicts.push({ key: name, base: null, ours: row, theirs: null, explanation });
  });
  return lost;
}
export const NONE_LOST: ReadonlyMap<Key, string> = new Map();
