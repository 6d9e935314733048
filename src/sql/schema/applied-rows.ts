/**
 * Changes of a statement that are applied immediately, since nothing reads their rows again. While they come in key order, as usual,
 * there is no hash table, and from some hundreds on their cells go into columns.
 */
import { ColumnChanges, rowsOf } from '../../events/column-changes.ts';
import type { TreeChanges } from '../../events/changes.ts';
import { CellChanges } from '../../tree/cell-changes.ts';
import { type Datum, type Key, type Kind, KIND, type RowChange, type Shape } from '../../tree/datum.ts';
import { LeafBuilder } from '../../tree/leaf-builder.ts';
import type { Leaf } from '../../tree/node.ts';
import { rowChange, type ShapeTable } from '../../tree/row-change.ts';
import type { Vec } from '../../tree/vec.ts';
import { kindOfCell } from './storage.ts';

/** After this many changes in key order, the following ones go into columns. */
const RUN_ROWS = 256;
/** Changes of another form get columns of their own if the forms do not alternate. */
const TURN_ROWS = 64;

/** Columns of deleted rows, or, twice, of changed rows: before and after. */
interface Run {
  readonly builder: LeafBuilder;
  readonly goes: boolean;
  readonly shape: Shape;
}

const NO_CHANGES: RowChange[] = [];
const NO_RUNS: readonly Run[] = [];
const NO_COLUMNS: readonly Vec[] = [];

export class AppliedRows {
  readonly #tree: number;
  readonly #numeric: boolean;
  readonly #edit: number;
  readonly #shapes: ShapeTable;
  #rows: RowChange[] = NO_CHANGES;
  /** After `#rows`, in key order. */
  #runs: readonly Run[] = NO_RUNS;
  /** Greatest key of all while there are runs. */
  #last: Key = 0;
  /** Rows that were written without a change, since there are runs. */
  #idleKeys: Key[] | null = null;
  /** Number of `#rows` without a change. */
  #idle = 0;
  /** Keys, once one came out of order. */
  #keys: Set<Key> | null = null;

  /** The leaf of the last deleted row, and a run that has its columns. */
  #leaf: Leaf | null = null;
  #cols: readonly Vec[] = NO_COLUMNS;
  #fits: Run | null = null;

  /** Whether a row is deleted. */
  deletes = false;

  /** `edit`: a fresh edit token. */
  constructor(tree: number, numeric: boolean, edit: number, shapes: ShapeTable) {
    this.#tree = tree;
    this.#numeric = numeric;
    this.#edit = edit;
    this.#shapes = shapes;
  }

  get count(): number {
    return this.#runs.reduce((sum, { builder }) => sum + builder.count, this.#rows.length + (this.#idleKeys?.length ?? 0));
  }

  /** Converts everything to rows, including unchanged ones. */
  all(): readonly RowChange[] {
    this.#endRuns();
    return this.#rows;
  }

  /** Deletes the row. The key must be new, as for all additions. */
  remove(leaf: Leaf, index: number): void {
    this.deletes = true;
    const key = leaf.key(index);
    if (this.#runs.length === 0 && !this.#mayBegin(key)) {
      this.#add(rowChange(key, { leaf, index }, null, this.#shapes));
      return;
    }
    if (this.#leaf !== leaf) {
      this.#leaf = leaf;
      this.#cols = leaf.passing();
      this.#fits = null;
    }
    let run = this.#open(key);
    if (run === null || !run.goes || !this.#fitsInto(run)) run = this.#mayBegin(key) ? this.#begin(true, shapeOf(leaf.colIds, this.#cols)) : null;
    if (run !== null) {
      run.builder.addFrom(key, this.#cols, index);
      this.#last = key;
    } else this.#add(rowChange(key, { leaf, index }, null, this.#shapes));
  }

  /** Whether the run has the columns of the last row's leaf. */
  #fitsInto(run: Run): boolean {
    if (this.#fits === run) return true;
    if (!hasColumns(this.#leaf!.colIds, this.#cols, run.shape)) return false;
    this.#fits = run;
    return true;
  }

  /** Changes cells of the row; `vecs`: the current ones, null if the leaf does not have the column. */
  change(key: Key, shape: Shape, vecs: readonly (Vec | null)[], index: number, after: readonly Datum[]): void {
    if (isSame(vecs, index, after)) {
      if (this.#runs.length > 0 && key > this.#last) {
        (this.#idleKeys ??= []).push(key);
        this.#last = key;
      } else this.#add({ key, shape: this.#shapes.of([], []), before: [], after: [] });
      return;
    }
    let run = this.#open(key);
    if (run === null || run.goes || run.shape !== shape) run = this.#mayBegin(key) ? this.#begin(false, shape) : null;
    if (run !== null) {
      run.builder.addChange(key, vecs, index, after);
      this.#last = key;
    } else this.#add(this.#partial(key, shape, vecs, index, after));
  }

  /** The open run for a row after all others; null if there is none. */
  #open(key: Key): Run | null {
    const runs = this.#runs;
    return runs.length === 0 || key <= this.#last ? null : runs[runs.length - 1];
  }

  #mayBegin(key: Key): boolean {
    const runs = this.#runs;
    if (runs.length > 0) return key > this.#last && runs[runs.length - 1].builder.count >= TURN_ROWS;
    const rows = this.#rows;
    return rows.length >= RUN_ROWS && this.#keys === null && rows[rows.length - 1].key < key;
  }

  #begin(goes: boolean, shape: Shape): Run {
    const [ids, kinds] = goes ? [shape.ids, shape.kinds] : [twice(shape.ids), twice(shape.kinds)];
    const run = { builder: new LeafBuilder(this.#numeric, ids, kinds, this.#edit), goes, shape };
    this.#runs = [...this.#runs, run];
    return run;
  }

  /** The change of the columns that differ. */
  #partial(key: Key, { ids, kinds }: Shape, vecs: readonly (Vec | null)[], index: number, cells: readonly Datum[]): RowChange {
    const changedIds: number[] = [];
    const changedKinds: Kind[] = [];
    const before: Datum[] = [];
    const after: Datum[] = [];
    for (let i = 0; i < ids.length; i++) {
      const was = vecs[i]?.get(index);
      if (Object.is(was, cells[i])) continue;
      changedIds.push(ids[i]);
      changedKinds.push(typeof was === 'bigint' ? KIND.I64 : kindOfCell(kinds[i], cells[i]));
      before.push(was);
      after.push(cells[i]);
    }
    return { key, shape: this.#shapes.of(changedIds, changedKinds), before, after };
  }

  #add(change: RowChange): void {
    this.#endRuns();
    const rows = this.#rows;
    const { key } = change;
    if (this.#keys !== null) this.#keys.add(key);
    else if (rows.length > 0 && key < rows[rows.length - 1].key) {
      this.#keys = new Set(rows.map((row) => row.key)).add(key);
    }
    // An unchanged row counts as written all the same.
    if (change.shape.ids.length === 0) this.#idle++;
    if (rows.length === 0) this.#rows = [change];
    else rows.push(change);
  }

  /** Converts columns to rows: what follows does not fit them. */
  #endRuns(): void {
    if (this.#runs.length === 0) return;
    const rows = this.#rows;
    for (const row of rowsOf(this.#parts())) rows.push(row);
    const idleKeys = this.#idleKeys ?? [];
    for (const key of idleKeys) rows.push({ key, shape: this.#shapes.of([], []), before: [], after: [] });
    this.#idle += idleKeys.length;
    this.#idleKeys = null;
    this.#runs = NO_RUNS;
    this.#keys = new Set(rows.map(({ key }) => key));
  }

  #parts(): CellChanges[] {
    return this.#runs.flatMap(({ builder, goes, shape }) =>
      builder.finish().map((leaf) => (goes ? new CellChanges(leaf, null) : CellChanges.sideBySide(leaf, shape))),
    );
  }

  has(key: Key): boolean {
    if (this.#runs.length > 0) {
      // Rows mostly come in key order: this is one after all others.
      if (key >= this.#last) return key === this.#last;
      if (key > this.#rows[this.#rows.length - 1].key) this.#endRuns();
    }
    if (this.#keys !== null) return this.#keys.has(key);
    const rows = this.#rows;
    let low = 0;
    let high = rows.length - 1;
    if (high < 0 || key > rows[high].key) return false;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].key < key) low = middle + 1;
      else high = middle;
    }
    return rows[low].key === key;
  }

  /** Rows without a change. */
  unchanged(): Key[] {
    const idle = this.#idle === 0 ? [] : this.#rows.filter(({ shape }) => shape.ids.length === 0).map(({ key }) => key);
    return this.#idleKeys === null ? idle : [...idle, ...this.#idleKeys];
  }

  /** Rows with a change, in key order. */
  rows(): RowChange[] {
    this.#endRuns();
    return this.#changing();
  }

  /** The same in any form; null if there are none. */
  changes(): TreeChanges | null {
    const rows = this.#changing();
    if (this.#runs.length > 0) return new ColumnChanges(this.#tree, this.#numeric, rows, this.#parts());
    return rows.length === 0 ? null : { tree: this.#tree, numeric: this.#numeric, rows };
  }

  #changing(): RowChange[] {
    const rows = this.#idle === 0 ? this.#rows.slice() : this.#rows.filter(({ shape }) => shape.ids.length > 0);
    return this.#keys === null ? rows : rows.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
}

function twice<T>(list: readonly T[]): readonly T[] {
  return [...list, ...list];
}

function shapeOf(ids: readonly number[], cols: readonly Vec[]): Shape {
  return { ids, kinds: cols.map(narrowest) };
}

/** Whole numbers beyond 2^53 widen a column leaf by leaf. */
function narrowest({ kind }: Vec): Kind {
  return kind === KIND.I64 ? KIND.F64 : kind;
}

function hasColumns(colIds: readonly number[], cols: readonly Vec[], { ids, kinds }: Shape): boolean {
  if (colIds.length !== ids.length) return false;
  for (let c = 0; c < ids.length; c++) if (colIds[c] !== ids[c] || narrowest(cols[c]) !== kinds[c]) return false;
  return true;
}

function isSame(vecs: readonly (Vec | null)[], index: number, after: readonly Datum[]): boolean {
  for (let i = 0; i < vecs.length; i++) {
    const vec = vecs[i];
    if (vec === null ? after[i] !== undefined : !vec.holds(index, after[i])) return false;
  }
  return true;
}
