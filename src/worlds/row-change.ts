/** Changes between two states of a row, of a tree, of a world. */
import { CATALOG_TREE, EFFECT_TREE, type TreeChanges } from '../events/changes.ts';
import { NewRows } from '../events/new-rows.ts';
import { type Datum, KIND, type Key, type Kind, type RowChange, type Shape } from '../tree/datum.ts';
import { diffTrees, sameCell } from '../tree/diff.ts';
import { childRoot } from '../tree/directory.ts';
import { adapt, type Leaf, type Node, widest } from '../tree/node.ts';
import type { Pager } from '../tree/pager.ts';
import { leafFor, scan } from '../tree/read.ts';
import type { Vec } from '../tree/vec.ts';
import { emptyTree } from '../tree/write.ts';
import { readCatalog } from './catalog.ts';

/** A row where it lies. Valid until its world is written again. */
export interface RowAt {
  leaf: Leaf;
  index: number;
}

const SHAPES_MAX = 1000;
/** Fewer rows go one by one: a leaf says the form of its columns anew. */
const LEAVES_ROWS_MIN = 256;

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
  const values: Datum[] = [];
  for (let c = 0; c < row.leaf.cols.length; c++) {
    const value = row.leaf.cols[c].get(row.index);
    if (value === undefined) continue;
    ids.push(row.leaf.colIds[c]);
    kinds.push(row.leaf.cols[c].kind);
    values.push(value);
  }
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

/** Numbers and roots (null: no tree) of the trees that differ between two directories. */
export function changedTrees(pager: Pager, from: Node, to: Node): { tree: number; from: Node | null; to: Node | null }[] {
  const out: { tree: number; from: Node | null; to: Node | null }[] = [];
  diffTrees(pager, from, to, (key, a, _ai, b, _bi) => {
    out.push({
      tree: key as number,
      from: a === null ? null : childRoot(pager, from, key),
      to: b === null ? null : childRoot(pager, to, key),
    });
  });
  return out;
}

/** Visits rows that differ, with both sides where they lie. */
export function eachRowChange(
  pager: Pager,
  from: Node | null,
  to: Node | null,
  visit: (key: Key, from: RowAt | null, to: RowAt | null) => boolean | void,
  first: Key | null = null,
): void {
  const numeric = isNumeric((from ?? to)!);
  if (from !== null && to !== null && differentKeys(from, to)) {
    // Rows that went come first, then those that came; `first` says by its kind which of them is next.
    const inTo = first !== null && (typeof first === 'number') === isNumeric(to);
    let stopped = false;
    const heed: typeof visit = (key, a, b) => {
      stopped = visit(key, a, b) === false;
      return !stopped;
    };
    if (!inTo) eachRowChange(pager, from, null, heed, first);
    if (!stopped) eachRowChange(pager, null, to, heed, inTo ? first : null);
    return;
  }
  diffTrees(
    pager,
    from ?? emptyTree(numeric),
    to ?? emptyTree(numeric),
    (key, a, ai, b, bi) => visit(key, a === null ? null : { leaf: a, index: ai }, b === null ? null : { leaf: b, index: bi }),
    first,
  );
}

export function isNumeric(tree: Node): boolean {
  return tree.isLeaf ? tree.numeric : typeof tree.keys[tree.keys.length - 1] === 'number';
}

/**
 * Everything that makes the world `from` into the world `to`, definitions included. Indexes follow from rows;
 * rows of a typed table that goes, or starts empty in a new epoch, go with its definition. `sealed`: nobody changes the
 * nodes of `to` in place any more, so a tree that is new stands for its rows.
 */
export function changesBetween(pager: Pager, from: Node, to: Node, sealed = false): TreeChanges[] {
  const out: TreeChanges[] = [];
  const shapes = new ShapeTable();
  const before = readCatalog(pager, from);
  const after = readCatalog(pager, to);
  for (const { tree, from: a, to: b } of changedTrees(pager, from, to)) {
    let old = a;
    if (tree !== CATALOG_TREE && tree !== EFFECT_TREE) {
      const was = before.byNumber.get(tree);
      const is = after.byNumber.get(tree);
      if (is === undefined && (was === undefined || was.relation !== null)) continue;
      if (was !== undefined && was.relation?.object.epoch !== is?.relation?.object.epoch) old = null;
    }
    if (old === null && b === null) continue;
    if (sealed && old === null && b !== null && b.count >= LEAVES_ROWS_MIN) {
      out.push(new NewRows(tree, isNumeric(b), allLeaves(pager, b)));
      continue;
    }
    const rows: RowChange[] = [];
    eachRowChange(pager, old, b, (key, x, y) => {
      rows.push(rowChange(key, x, y, shapes));
    });
    if (rows.length > 0) out.push({ tree, numeric: isNumeric((b ?? old)!), rows });
  }
  return out;
}

function allLeaves(pager: Pager, root: Node): Leaf[] {
  const out: Leaf[] = [];
  scan(pager, root, null, (leaf) => {
    out.push(leaf);
  });
  return out;
}

/** Changes of one tree of a world; none where it is the same. */
export function treeDifference(pager: Pager, from: Node, to: Node, tree: number): TreeChanges[] {
  const a = childRoot(pager, from, tree);
  const b = childRoot(pager, to, tree);
  if (a === b || (a === null && b === null)) return [];
  const shapes = new ShapeTable();
  const rows: RowChange[] = [];
  eachRowChange(pager, a, b, (key, x, y) => {
    rows.push(rowChange(key, x, y, shapes));
  });
  return rows.length === 0 ? [] : [{ tree, numeric: isNumeric((b ?? a)!), rows }];
}

/** The two trees of a table may have keys of different kinds: then all rows of one go and all of the other come. */
function differentKeys(from: Node, to: Node): boolean {
  return from.count > 0 && to.count > 0 && isNumeric(from) !== isNumeric(to);
}
