/** The change between two states of a row. */
import { type Datum, KIND, type Key, type Kind, type RowChange, type Shape } from './datum.ts';
import { sameCell } from './diff.ts';
import { adapt, type Leaf, type Node, widest } from './node.ts';
import type { Pager } from './pager.ts';
import { leafFor } from './read.ts';
import type { Vec } from './vec.ts';

/** A row where it lies. Valid until its world is written again. */
export interface RowAt {
  leaf: Leaf;
  index: number;
}

const SHAPES_MAX = 1000;
/** Shapes by form, so that the many changes of one statement share a few. */
export class ShapeTable {
  readonly #shapes = new Map<string, Shape>();
  #last: Shape = { ids: [], kinds: [] };

  /** The lists are copied where the form is new. */
  of(ids: readonly number[], kinds: readonly Kind[]): Shape {
    if (same(this.#last.ids, ids) && same(this.#last.kinds, kinds)) return this.#last;
    const form = `${ids.join()}:${kinds.join()}`;
    let shape = this.#shapes.get(form);
    if (shape === undefined) {
      if (this.#shapes.size >= SHAPES_MAX) this.#shapes.clear();
      shape = { ids: ids.slice(), kinds: kinds.slice() };
      this.#shapes.set(form, shape);
    }
    this.#last = shape;
    return shape;
  }
}

function same(a: readonly number[], b: readonly number[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The change that makes `from` into `to`; the row exists on one side at least. */
export function rowChange(key: Key, from: RowAt | null, to: RowAt | null, shapes: ShapeTable): RowChange {
  if (from === null || to === null) {
    const whole = wholeRow((to ?? from)!, shapes);
    return { key, shape: whole.shape, before: from === null ? null : whole.values, after: to === null ? null : whole.values };
  }
  changedIds.length = 0;
  changedKinds.length = 0;
  const before: Datum[] = [];
  const after: Datum[] = [];
  for (let c = 0; c < from.leaf.cols.length; c++) {
    const id = from.leaf.colIds[c];
    const a = from.leaf.cols[c];
    const b = to.leaf.col(id);
    if (b === null ? a.tag(from.index) !== 2 : (a !== b || from.index !== to.index) && !sameCell(a, from.index, b, to.index)) {
      takeCell(id, a, from.index, b, to.index, before, after);
    }
  }
  for (let c = 0; c < to.leaf.cols.length; c++) {
    const id = to.leaf.colIds[c];
    if (!from.leaf.colIds.includes(id) && to.leaf.cols[c].tag(to.index) !== 2) takeCell(id, null, 0, to.leaf.cols[c], to.index, before, after);
  }
  return { key, shape: shapes.of(changedIds, changedKinds), before, after };
}

/** Columns of the change at hand: changes are made one at a time, and most have a form that is known. */
const changedIds: number[] = [];
const changedKinds: Kind[] = [];

function takeCell(id: number, a: Vec | null, ai: number, b: Vec | null, bi: number, before: Datum[], after: Datum[]): void {
  const av = a === null ? undefined : a.get(ai);
  const bv = b === null ? undefined : b.get(bi);
  const aKind = valueKind(av, a?.kind);
  const bKind = valueKind(bv, b?.kind);
  const kind = aKind === null ? (bKind ?? KIND.TEXT) : bKind === null ? aKind : widest(aKind, bKind);
  changedIds.push(id);
  changedKinds.push(kind);
  before.push(adapt(av, aKind ?? kind, kind));
  after.push(adapt(bv, bKind ?? kind, kind));
}

function valueKind(value: Datum, kind: Kind | undefined): Kind | null {
  return value === null || value === undefined || kind === undefined ? null : kind;
}

function wholeRow(row: RowAt, shapes: ShapeTable): { shape: Shape; values: Datum[] } {
  const ids = changedIds;
  const kinds = changedKinds;
  ids.length = 0;
  kinds.length = 0;
  const { cols } = row.leaf;
  // A list that grows takes room for many more.
  const values = new Array<Datum>(cols.length);
  let count = 0;
  for (let c = 0; c < cols.length; c++) {
    const value = cols[c].get(row.index);
    if (value === undefined) continue;
    ids.push(row.leaf.colIds[c]);
    kinds.push(cols[c].kind);
    values[count++] = value;
  }
  if (count < cols.length) values.length = count;
  return { shape: shapes.of(ids, kinds), values };
}

/** Whether two rows differ in nothing but the given cells. */
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
