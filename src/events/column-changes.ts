/**
 * Changes of a tree as columns, made by statements that change many rows in key order. Code that works on cells uses the
 * columns; all other code uses `rows`, which are built on first use.
 */
import type { CellChanges } from '../tree/cell-changes.ts';
import type { Key, RowChange } from '../tree/datum.ts';
import { ShapeTable } from '../tree/row-change.ts';
import type { TreeChanges } from './changes.ts';

export class ColumnChanges implements TreeChanges {
  readonly tree: number;
  readonly numeric: boolean;
  readonly count: number;
  /** Rows before those of the columns. */
  readonly first: readonly RowChange[];
  // Private, so that it is not copied with the object: a copy with other `rows` must not keep these columns.
  readonly #parts: readonly CellChanges[];
  #rows: RowChange[] | null = null;

  /** In key order; at least one part. */
  constructor(tree: number, numeric: boolean, first: readonly RowChange[], parts: readonly CellChanges[]) {
    this.tree = tree;
    this.numeric = numeric;
    this.first = first;
    this.#parts = parts;
    let count = first.length;
    for (const { length } of parts) count += length;
    this.count = count;
  }

  get parts(): readonly CellChanges[] {
    return this.#parts;
  }

  get last(): Key {
    const part = this.#parts[this.#parts.length - 1];
    return part.key(part.length - 1);
  }

  get rows(): RowChange[] {
    return (this.#rows ??= [...this.first, ...rowsOf(this.#parts)]);
  }

  /** Splits the changes into parts of about `rows` rows. */
  *pieces(rows: number): Generator<ColumnChanges> {
    let parts: CellChanges[] = [];
    let { first } = this;
    let count = first.length;
    for (const part of this.#parts) {
      parts.push(part);
      count += part.length;
      if (count < rows) continue;
      yield new ColumnChanges(this.tree, this.numeric, first, parts);
      parts = [];
      first = [];
      count = 0;
    }
    if (parts.length > 0) yield new ColumnChanges(this.tree, this.numeric, first, parts);
  }
}

/** Joins consecutive changes; null if they are not consecutive. */
export function joinedColumnChanges(several: readonly TreeChanges[]): ColumnChanges | null {
  const [one] = several;
  const parts: CellChanges[] = [];
  let last: Key | null = null;
  for (const each of several) {
    if (!(each instanceof ColumnChanges) || each.first.length > 0 || (last !== null && each.parts[0].key(0) <= last)) return null;
    last = each.last;
    for (const part of each.parts) parts.push(part);
  }
  return parts.length === 0 ? null : new ColumnChanges(one.tree, one.numeric, [], parts);
}

export function rowsOf(parts: readonly CellChanges[]): RowChange[] {
  const shapes = new ShapeTable();
  const rows: RowChange[] = [];
  for (const part of parts) for (let i = 0; i < part.length; i++) rows.push(part.row(i, shapes));
  return rows;
}
