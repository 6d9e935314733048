/**
 * The difference of two trees in key order. Two cursors walk side by side; where both stand before the
 * same subtree (one object, or one page) it is skipped whole, so the cost follows what changed and not
 * the size. Cells are compared column by column, and columns that two leaves share are skipped.
 */
import { KIND, type Key } from './datum.ts';
import { adapt, type Leaf, type Node } from './node.ts';
import type { Pager } from './pager.ts';
import type { Vec } from './vec.ts';

/** `a` or `b` is null where the row is missing on that side. Return false to stop. */
export type DiffVisitor = (key: Key, a: Leaf | null, ai: number, b: Leaf | null, bi: number) => boolean | void;

/** Where a walk stands: before a subtree (`top` is inner) or before a row (`top` is a leaf). */
class Cursor {
  readonly #pager: Pager;
  readonly #nodes: Node[] = [];
  readonly #at: number[] = [];
  #pendingRoot: Node | null;

  constructor(pager: Pager, root: Node) {
    this.#pager = pager;
    this.#pendingRoot = root;
  }

  get done(): boolean {
    return this.#pendingRoot === null && this.#nodes.length === 0;
  }

  /** Height of the subtree ahead, or -1 before a row. */
  get height(): number {
    if (this.#pendingRoot !== null) return this.#pendingRoot.height;
    return this.#nodes[this.#nodes.length - 1].height - 1;
  }

  get leaf(): Leaf {
    return this.#nodes[this.#nodes.length - 1] as Leaf;
  }

  get index(): number {
    return this.#at[this.#at.length - 1];
  }

  get key(): Key {
    return this.leaf.key(this.index);
  }

  /** A bound that no key of the subtree ahead lies below; null where none is known. */
  get lowerBound(): Key | null {
    if (this.#pendingRoot !== null) return null;
    for (let level = this.#nodes.length - 1; level >= 0; level--) {
      const node = this.#nodes[level];
      const at = this.#at[level];
      if (!node.isLeaf && at > 0) return node.keys[at];
    }
    return null;
  }

  sameSubtree(other: Cursor): boolean {
    const [aNode, aId] = this.#ahead();
    const [bNode, bId] = other.#ahead();
    if (aNode !== null && aNode === bNode) return true;
    const a = aId !== 0 ? aId : (aNode?.id ?? 0);
    const b = bId !== 0 ? bId : (bNode?.id ?? 0);
    return a !== 0 && a === b;
  }

  #ahead(): [Node | null, number] {
    if (this.#pendingRoot !== null) return [this.#pendingRoot, this.#pendingRoot.id];
    const top = this.#nodes[this.#nodes.length - 1];
    const at = this.index;
    if (top.isLeaf) return [null, 0];
    return [top.kids[at], top.ids[at]];
  }

  descend(): void {
    let child: Node;
    if (this.#pendingRoot !== null) {
      child = this.#pendingRoot;
      this.#pendingRoot = null;
    } else {
      const top = this.#nodes[this.#nodes.length - 1];
      if (top.isLeaf) return;
      child = this.#pager.kid(top, this.index);
    }
    this.#nodes.push(child);
    this.#at.push(0);
    this.#settle();
  }

  /** Past the subtree or row ahead. */
  skip(): void {
    if (this.#pendingRoot !== null) {
      this.#pendingRoot = null;
      return;
    }
    this.#at[this.#at.length - 1]++;
    this.#settle();
  }

  #settle(): void {
    for (;;) {
      const level = this.#nodes.length - 1;
      if (level < 0) return;
      const node = this.#nodes[level];
      if (this.#at[level] < (node.isLeaf ? node.count : node.keys.length)) return;
      this.#nodes.pop();
      this.#at.pop();
      if (level > 0) this.#at[level - 1]++;
    }
  }
}

/** Visits each row that differs between `a` and `b`, both of one kind of key. */
export function diffTrees(pager: Pager, a: Node, b: Node, visit: DiffVisitor): boolean {
  if (a === b || (a.id !== 0 && a.id === b.id)) return true;
  const x = new Cursor(pager, a);
  const y = new Cursor(pager, b);
  for (;;) {
    const xh = x.done ? -2 : x.height;
    const yh = y.done ? -2 : y.height;
    if (xh === -2 && yh === -2) return true;
    if (xh >= 0 && yh >= 0) {
      if (xh === yh && x.sameSubtree(y)) {
        x.skip();
        y.skip();
      } else {
        if (xh >= yh) x.descend();
        if (yh >= xh) y.descend();
      }
    } else if (xh === -1 && yh === -1) {
      const xk = x.key;
      const yk = y.key;
      if (xk < yk) {
        if (visit(xk, x.leaf, x.index, null, -1) === false) return false;
        x.skip();
      } else if (yk < xk) {
        if (visit(yk, null, -1, y.leaf, y.index) === false) return false;
        y.skip();
      } else {
        const same = x.leaf === y.leaf || sameRow(x.leaf, x.index, y.leaf, y.index);
        if (!same && visit(xk, x.leaf, x.index, y.leaf, y.index) === false) return false;
        x.skip();
        y.skip();
      }
    } else if (xh === -1) {
      // A row against a subtree: the row goes first where it lies below the subtree.
      const bound = yh === -2 ? null : y.lowerBound;
      if (yh === -2 || (bound !== null && x.key < bound)) {
        if (visit(x.key, x.leaf, x.index, null, -1) === false) return false;
        x.skip();
      } else y.descend();
    } else if (yh === -1) {
      const bound = xh === -2 ? null : x.lowerBound;
      if (xh === -2 || (bound !== null && y.key < bound)) {
        if (visit(y.key, null, -1, y.leaf, y.index) === false) return false;
        y.skip();
      } else x.descend();
    } else if (xh === -2) y.descend();
    else x.descend();
  }
}

/** Whether two rows hold the same cells; a column missing from a leaf counts as absent. */
export function sameRow(a: Leaf, ai: number, b: Leaf, bi: number): boolean {
  if (a.colIds === b.colIds) {
    for (let c = 0; c < a.cols.length; c++) {
      const av = a.cols[c];
      const bv = b.cols[c];
      if ((av !== bv || ai !== bi) && !sameCell(av, ai, bv, bi)) return false;
    }
    return true;
  }
  for (let c = 0; c < a.cols.length; c++) {
    const bv = b.col(a.colIds[c]);
    if (bv === null ? a.cols[c].tag(ai) !== 2 : !sameCell(a.cols[c], ai, bv, bi)) return false;
  }
  for (let c = 0; c < b.cols.length; c++) {
    if (!a.colIds.includes(b.colIds[c]) && b.cols[c].tag(bi) !== 2) return false;
  }
  return true;
}

function sameRef(a: Vec, ai: number, b: Vec, bi: number): boolean {
  const an = a.refs![ai];
  const bn = b.refs![bi];
  if (an !== null && an === bn) return true;
  const aId = an?.id || a.f64[ai];
  const bId = bn?.id || b.f64[bi];
  return aId !== 0 && aId === bId;
}

export function sameCell(a: Vec, ai: number, b: Vec, bi: number): boolean {
  const tag = a.tag(ai);
  if (tag !== b.tag(bi)) return false;
  if (tag !== 0) return true;
  if (a.kind === KIND.REF) return sameRef(a, ai, b, bi);
  const av = a.get(ai);
  const bv = b.get(bi);
  if (a.kind === b.kind) return av === bv || (av !== av && bv !== bv);
  return adapt(av, a.kind, KIND.JSON) === adapt(bv, b.kind, KIND.JSON);
}
