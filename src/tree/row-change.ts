/** The change between two states of a row. */
import { type Datum, KIND, type Key, type Kind, type RowChange, type Shape } from './datum.ts';
import { sameCell } from './diff.ts';
import { adapt, type Leaf, type Node, widest } from './node.ts';
import type { Pager } from './pager.ts';
import { leafFor } from './read.ts';
import type { Vec } from './vec.ts';

/** A row by leaf and index. Valid until its world is written again. */
export interface RowAt {
  leaf: Leaf;
  index: number;
}

const SHAPES_MAX = 1000;
/** Interned shapes, so that the many changes of one statement share a few. */
export class ShapeTable {
  readonly #shapes = new Map<string, Shape>();
  #last: Shape = { ids: [], kinds: [] };

  /** Shape of the first `count` columns. The arrays are copied for a new shape. */
  of(ids: readonly number[], kinds: readonly Kind[], count = ids.length): Shape {
    if (begins(ids, count, this.#last.ids) && begins(kinds, count, this.#last.kinds)) return this.#last;
    const [ownIds, ownKinds] = [ids.slice(0, count), kinds.slice(0, count)];
    const form = `${ownIds.join()}:${ownKinds.join()}`;
    let shape = this.#shapes.get(form);
    if (shape === undefined) {
      if (this.#shapes.size >= SHAPES_MAX) this.#shapes.clear();
      shape = { ids: ownIds, kinds: ownKinds };
      this.#shapes.set(form, shape);
    }
    this.#last = shape;
    return shape;
  }
}

function begins(a: readonly number[], count: number, b: readonly number[]): boolean {
  if (count !== b.length) return false;
  for (let i = 0; i < count; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Collects the changed columns of a row: changes are built one at a time, and most have a known shape. */
export class ChangedCells {
  // Reused arrays: cleared ones would have to grow again for each row.
  readonly #ids: number[] = [];
  readonly #kinds: Kind[] = [];
  readonly #before: Datum[] = [];
  readonly #after: Datum[] = [];
  count = 0;

  add(id: number, kind: Kind, before: Datum, after: Datum): void {
    const at = this.count++;
    this.#ids[at] = id;
    this.#kinds[at] = kind;
    this.#before[at] = before;
    this.#after[at] = after;
  }

  /** Builds the row's change and resets this. */
  take(key: Key, shapes: ShapeTable): RowChange {
    const { count } = this;
    this.count = 0;
    return { key, shape: shapes.of(this.#ids, this.#kinds, count), before: this.#before.slice(0, count), after: this.#after.slice(0, count) };
  }
}

const cells = new ChangedCells();

/** The change from `from` to `to`; at least one of them exists. */
export function rowChange(key: Key, from: RowAt | null, to: RowAt | null, shapes: ShapeTable): RowChange {
  if (from === null || to === null) {
    const whole = wholeRow((to ?? from)!, shapes);
    return { key, shape: whole.shape, before: from === null ? null : whole.values, after: to === null ? null : whole.values };
  }
  cells.count = 0;
  for (let c = 0; c < from.leaf.cols.length; c++) {
    const id = from.leaf.colIds[c];
    const a = from.leaf.cols[c];
    const b = to.leaf.col(id);
    if (b === null ? a.tag(from.index) !== 2 : (a !== b || from.index !== to.index) && !sameCell(a, from.index, b, to.index)) {
      takeCell(id, a, from.index, b, to.index);
    }
  }
  for (let c = 0; c < to.leaf.cols.length; c++) {
    const id = to.leaf.colIds[c];
    if (!from.leaf.colIds.includes(id) && to.leaf.cols[c].tag(to.index) !== 2) takeCell(id, null, 0, to.leaf.cols[c], to.index);
  }
  return cells.take(key, shapes);
}

function takeCell(id: number, a: Vec | null, ai: number, b: Vec | null, bi: number): void {
  const av = a === null ? undefined : a.get(ai);
  const bv = b === null ? undefined : b.get(bi);
  const aKind = valueKind(av, a?.kind);
  const bKind = valueKind(bv, b?.kind);
  const kind = aKind === null ? (bKind ?? KIND.TEXT) : bKind === null ? aKind : widest(aKind, bKind);
  cells.add(id, kind, adapt(av, aKind ?? kind, kind), adapt(bv, bKind ?? kind, kind));
}

function valueKind(value: Datum, kind: Kind | undefined): Kind | null {
  return value === null || value === undefined || kind === undefined ? null : kind;
}

function wholeRow(row: RowAt, shapes: ShapeTable): { shape: Shape; values: Datum[] } {
  const { cols } = row.leaf;
  // An array that grows by push reserves too much.
  const values = new Array<Datum>(cols.length);
  let count = 0;
  for (let c = 0; c < cols.length; c++) {
    const value = cols[c].get(row.index);
    if (value === undefined) continue;
    rowIds[count] = row.leaf.colIds[c];
    rowKinds[count] = cols[c].kind;
    values[count++] = value;
  }
  if (count < cols.length) values.length = count;
  return { shape: shapes.of(rowIds, rowKinds, count), values };
}

/** Columns of the current row. */
const rowIds: number[] = [];
const rowKinds: Kind[] = [];

/** Whether two rows differ in the given cells only. */
export function sameVisible(a: RowAt, b: RowAt, hidden: ReadonlySet<number>): boolean {
  for (let c = 0; c < a.leaf.cols.length; c++) {
    const id = a.leaf.colIds[c];
    if (hidden.has(id)) continue;
    const other = b.leaf.col(id);
    if (other === null ? a.leaf.cols[c].tag(a.index) !== 2 : !sameCell(a.leaf.cols[c], a.index, other, b.index)) return false;
  }
  for (let c = 0; c < b.leaf.cols.length; c++) {
    if (!hidden.has(b.leaf.colIds[c]) && !a.leaf.colIds.includes(b.leaf.colIds[c]) && b.leaf.cols[c].tag(b.index) !== 2) return false;
  }
  return true;
}

export function rowIn(pager: Pager, tree: Node | null, key: Key): RowAt | null {
  if (tree === null) return null;
  const leaf = leafFor(pager, tree, key);
  const index = leaf.find(key);
  return index < 0 ? null : { leaf, index };
}
