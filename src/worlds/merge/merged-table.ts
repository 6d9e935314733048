/**
 * The rows of one table in a merge: the branch's changes in key order, each beside the target's row of the key.
 *
 *   base ──► theirs   walked
 *   base ──► ours     looked up by key
 */
import type { Row, TableSummary } from '../../commands/contract.ts';
import type { Key, RowChange } from '../../tree/datum.ts';
import { ChangedSince } from '../../tree/changed-since.ts';
import type { Node } from '../../tree/node.ts';
import type { Pager } from '../../tree/pager.ts';
import { type RowAt, rowChange, rowIn, sameVisible, type ShapeTable } from '../../tree/row-change.ts';
import type { Table } from '../catalog.ts';
import { eachRowChange, isNumeric, rowChangeSteps } from '../changes-between.ts';
import { idOf, rowKey } from '../keys.ts';
import { derivedCells } from './derived-cells.ts';
import type { GivenRows } from './given-rows.ts';
import type { Picks } from './picks.ts';
import type { Plan, PlanInput, Wanted } from './plan.ts';
import { decide, type Outcome, ROW_CONFLICT, sameRows, sharesChange, type Three } from './row-decision.ts';
import type { RowFilter } from './selection.ts';
import { sameRecord, type ShownRows } from './shown-rows.ts';
import { hasRows, tally } from './summary.ts';

/** A table whose tree differs between base and branch. */
export interface TableToMerge {
  readonly tree: number;
  readonly table: Table;
  /** Its tree in the base and in the branch. */
  readonly from: Node | null;
  readonly to: Node | null;
}

/** What the tables of a merge share. */
export interface MergeParts {
  readonly pager: Pager;
  readonly input: PlanInput;
  readonly want: Wanted;
  readonly plan: Plan;
  readonly filter: RowFilter;
  readonly picks: Picks;
  readonly shown: ShownRows;
  readonly given: GivenRows;
  readonly shapes: ShapeTable;
}

/** Keys of rows that the target changed. */
export interface ChangedKeys {
  has(key: Key): boolean;
  readonly any: boolean;
}

export class MergedTable {
  /** Rows in which the branch changed derived cells only. */
  readonly derivedRows: RowChange[] = [];
  readonly #parts: MergeParts;
  readonly #of: TableToMerge;
  readonly #ours: Node | null;
  readonly #oursChanged: ChangedKeys;
  readonly #derived: ReadonlySet<number> | null;
  readonly #summary: TableSummary;
  readonly #changes: RowChange[] = [];
  readonly #baseChanges: RowChange[] = [];
  /** Whether the branch changed a row, and not derived cells alone. */
  #any = false;

  /** `ours` is the table's tree in the target. */
  constructor(parts: MergeParts, of: TableToMerge, ours: Node | null, oursChanged: ChangedKeys) {
    this.#parts = parts;
    this.#of = of;
    this.#ours = ours;
    this.#oursChanged = oursChanged;
    this.#derived = derivedCells(parts.input, of.tree);
    this.#summary = { table: of.table.name, deleted: 0, updated: 0, inserted: 0 };
  }

  /** Adds the table to the plan; whether the merge touches it. */
  *run(): Generator<void, boolean> {
    const { tree, table, from, to } = this.#of;
    const { pager, plan } = this.#parts;
    yield* rowChangeSteps(pager, from, to, (key, base, theirs) => this.#row(key, base, theirs));
    if (!this.#any && this.#changes.length === 0) return false;
    const numeric = table.relation?.object.numeric ?? isNumeric((from ?? to)!);
    if (this.#changes.length > 0) plan.changes.push({ tree, numeric, rows: this.#changes });
    if (this.#baseChanges.length > 0) plan.baseChanges.push({ tree, numeric, rows: this.#baseChanges });
    if (hasRows(this.#summary)) plan.summary.push(this.#summary);
    return true;
  }

  #row(key: Key, baseRow: RowAt | null, theirRow: RowAt | null): void {
    const { pager, input, want, plan, filter, picks, shown, shapes } = this.#parts;
    const { table } = this.#of;
    const derived = this.#derived;
    const isChanged = this.#oursChanged.has(key);
    if (isChanged) plan.disjoint = false;
    if (!filter.row(table, key)) return;
    if (derived !== null && baseRow !== null && theirRow !== null && sameVisible(baseRow, theirRow, derived)) {
      // If ours changed the row too, derived cells are recomputed.
      const change = rowChange(key, baseRow, theirRow, shapes);
      if (want.baseChanges) this.#baseChanges.push(change);
      if (!isChanged) {
        this.#changes.push(change);
        this.derivedRows.push(change);
      }
      return;
    }
    this.#any = true;
    const ourRow = isChanged ? rowIn(pager, this.#ours, key) : baseRow;
    const changedHere = isChanged && (derived === null || baseRow === null || ourRow === null || !sameVisible(baseRow, ourRow, derived));
    const name = picks.active || want.rows || changedHere ? rowKey(input.typed, table, key) : '';
    const row: Three = { key, name, base: baseRow, ours: ourRow, theirs: theirRow };
    if (want.baseChanges) this.#baseChanges.push(rowChange(key, baseRow, theirRow, shapes));
    const pick = picks.active ? picks.take(name) : undefined;
    if (pick !== undefined && pick !== 'ours' && pick !== 'theirs') {
      this.#give(row, pick, changedHere);
      return;
    }
    const converged = changedHere && sameRows(ourRow, theirRow);
    if (converged || (changedHere && input.columns && sharesChange(row, derived))) plan.alike++;
    if (converged && pick === undefined && (input.strict !== true || input.resolve !== 'fail')) {
      plan.converged++;
      if (want.rows) shown.add(table, row, { change: null, conflict: null, detail: 'both changed it alike' }, undefined, true);
      return;
    }
    const outcome: Outcome =
      converged && pick === undefined ? { change: null, conflict: ROW_CONFLICT, detail: '' } : decide(row, changedHere, pick, input, shapes, derived);
    if (outcome.conflict !== null) {
      const { base, ours, theirs } = input;
      plan.conflicts.push({
        key: name,
        base: shown.record(table, baseRow, base),
        ours: shown.record(table, ourRow, ours),
        theirs: shown.record(table, theirRow, theirs),
        explanation: shown.explain(table, row, outcome.conflict),
      });
    } else if (outcome.change !== null) {
      this.#changes.push(outcome.change);
      if (changedHere) plan.overwritten++;
      tally(this.#summary, outcome.change.before, outcome.change.after);
    }
    if (want.rows) shown.add(table, row, outcome, undefined);
  }

  /** A row supplied by the caller: handled like a put into the target. */
  #give(row: Three, given: Row | null, changedHere: boolean): void {
    const { input, want, plan, shown } = this.#parts;
    const { table } = this.#of;
    this.#parts.given.put(table, idOf(row.name, table), given);
    const resolvedAs = table.relation === null ? withoutId(given) : given;
    if (!sameRecord(resolvedAs, shown.record(table, row.ours, input.ours))) {
      tally(this.#summary, row.ours, resolvedAs);
      if (changedHere) plan.overwritten++;
    }
    if (want.rows) shown.add(table, row, { change: null, conflict: null, detail: 'resolved by a given row' }, resolvedAs);
  }
}

/** Keys of rows that the target changed. If its kind of keys differs from the base, all rows were deleted and inserted. */
export function changedKeys(pager: Pager, base: Node | null, ours: Node | null): ChangedKeys {
  if (base === null || ours === null || base.count === 0 || ours.count === 0 || isNumeric(base) === isNumeric(ours)) return new ChangedSince(pager, base, ours);
  const keys = new Set<Key>();
  eachRowChange(pager, base, ours, (key) => void keys.add(key));
  return { has: (key) => keys.has(key), any: true };
}

function withoutId(row: Row | null): Row | null {
  if (row === null || !Object.hasOwn(row, 'id')) return row;
  const { id: _id, ...rest } = row;
  return rest;
}
