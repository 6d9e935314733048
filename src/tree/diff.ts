/**
 * The diff of two trees in key order. Two cursors advance together; when both are before the same subtree (one object, or one
 * page) it is skipped whole, so the cost follows the changes and not the size. Cells are compared column by column, and
 * columns shared by two leaves are skipped.
 */
import { type Datum, KIND, type Key, type Kind, TAG } from './datum.ts';
import { adapt, type Inner, type Leaf, LEAF_ROWS_MAX, type Node } from './node.ts';
import type { Pager } from './pager.ts';
import { type Vec, wideNumber } from './vec.ts';

/** `a` or `b` is null if the row is missing on that side. Return false to stop. */
export type DiffVisitor = (key: Key, a: Leaf | null, ai: number, b: Leaf | null, bi: number) => boolean | void;

/** A position: before a subtree (`top` is inner) or before a row (`top` is a leaf). */
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

  /** The inner node just entered. */
  get inner(): Inner {
    return this.#nodes[this.#nodes.length - 1] as Inner;
  }

  get index(): number {
    return this.#at[this.#at.length - 1];
  }

  get key(): Key {
    return this.leaf.key(this.index);
  }

  /** A lower bound of the keys of the subtree ahead; null if unknown. */
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
    this.#leaveFinished();
  }

  /** Moves before the first row whose key is not below `key`, from the start. */
  seek(key: Key): void {
    for (let node = this.#pendingRoot; node !== null;) {
      this.#nodes.push(node);
      if (node.isLeaf) {
        this.#at.push(node.lowerBound(key));
        break;
      }
      const at: number = node.childIndex(key);
      this.#at.push(at);
      node = this.#pager.kid(node, at);
    }
    this.#pendingRoot = null;
    this.#leaveFinished();
  }

  /** Skips the subtree or row ahead. */
  skip(): void {
    if (this.#pendingRoot !== null) {
      this.#pendingRoot = null;
      return;
    }
    this.#at[this.#at.length - 1]++;
    this.#leaveFinished();
  }

  /** Skips the remaining rows of the current leaf. */
  skipLeaf(): void {
    this.#at[this.#at.length - 1] = this.leaf.count;
    this.#leaveFinished();
  }

  #leaveFinished(): void {
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

/** Visits each row that differs between `a` and `b`, which have one kind of key; with `from`, those whose key is not below it. */
export function diffTrees(pager: Pager, a: Node, b: Node, visit: DiffVisitor, from: Key | null = null): boolean {
  if (a === b || (a.id !== 0 && a.id === b.id)) return true;
  const x = new Cursor(pager, a);
  const y = new Cursor(pager, b);
  if (from !== null) {
    x.seek(from);
    y.seek(from);
  }
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
        if (xh === 1 && yh === 1) prefetchDifferent(pager, x.inner, y.inner);
      }
    } else if (xh === -1 && yh === -1) {
      if (x.index === 0 && y.index === 0 && x.leaf !== y.leaf && sameKeys(x.leaf, y.leaf)) {
        if (!diffAligned(x.leaf, y.leaf, visit)) return false;
        x.skipLeaf();
        y.skipLeaf();
        continue;
      }
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
      // A row against a subtree: the row comes first if it is below the subtree.
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

/** Leaves of one node that the other does not share will all be read: prefetch them together. */
function prefetchDifferent(pager: Pager, a: Inner, b: Inner): void {
  const ids: number[] = [];
  const known = new Set(a.ids);
  for (let i = 0; i < b.ids.length; i++) if (b.kids[i] === null && !known.delete(b.ids[i])) ids.push(b.ids[i]);
  for (let i = 0; i < a.ids.length; i++) if (a.kids[i] === null && known.has(a.ids[i])) ids.push(a.ids[i]);
  pager.prefetch(ids);
}

function sameKeys(a: Leaf, b: Leaf): boolean {
  const { count } = a;
  if (count !== b.count || a.numeric !== b.numeric) return false;
  if (a.numeric) {
    const x = a.nkeys;
    const y = b.nkeys;
    if (x !== y) for (let i = 0; i < count; i++) if (x[i] !== y[i]) return false;
  } else {
    const x = a.skeys;
    const y = b.skeys;
    if (x !== y) for (let i = 0; i < count; i++) if (x[i] !== y[i]) return false;
  }
  return true;
}

/** Rows of the current leaf that differ; leaves are compared one at a time, so one array serves all. */
const differs = new Uint8Array(LEAF_ROWS_MAX + 1);

/** Two leaves with the same keys, compared by column: most columns are shared or equal as a whole. */
function diffAligned(a: Leaf, b: Leaf, visit: DiffVisitor): boolean {
  const { count } = a;
  let any = false;
  for (let c = 0; c < a.cols.length; c++) {
    const bv = a.colIds === b.colIds ? b.cols[c] : b.col(a.colIds[c]);
    if (a.cols[c] === bv) continue;
    if (!any) differs.fill(0, 0, count);
    any = markDifferent(a.cols[c], bv, count) || any;
  }
  if (a.colIds !== b.colIds) {
    for (let c = 0; c < b.cols.length; c++) {
      if (a.colIds.includes(b.colIds[c])) continue;
      if (!any) differs.fill(0, 0, count);
      any = markDifferent(b.cols[c], null, count) || any;
    }
  }
  if (!any) return true;
  // A visitor may diff another pair of trees: copy the rows out of the shared array first.
  const rows: number[] = [];
  for (let i = 0; i < count; i++) if (differs[i] !== 0) rows.push(i);
  for (const i of rows) if (visit(a.key(i), a, i, b, i) === false) return false;
  return true;
}

/** Marks rows whose cells differ; a missing column counts as absent. */
function markDifferent(a: Vec, b: Vec | null, count: number): boolean {
  let any = false;
  if (b === null) {
    for (let i = 0; i < count; i++) {
      if (a.tag(i) !== TAG.ABSENT) {
        differs[i] = 1;
        any = true;
      }
    }
    return any;
  }
  if (a.kind === b.kind && a.tags === null && b.tags === null) {
    if (a.kind === KIND.F64) {
      const x = a.f64;
      const y = b.f64;
      for (let i = 0; i < count; i++) {
        if (!Object.is(x[i], y[i])) {
          differs[i] = 1;
          any = true;
        }
      }
      return any;
    }
    if (a.kind === KIND.I32 || a.kind === KIND.BOOL) {
      const x = a.i32;
      const y = b.i32;
      for (let i = 0; i < count; i++) {
        if (x[i] !== y[i]) {
          differs[i] = 1;
          any = true;
        }
      }
      return any;
    }
    if (a.sameHeap(b, count)) return false;
  }
  for (let i = 0; i < count; i++) {
    if (!sameCell(a, i, b, i)) {
      differs[i] = 1;
      any = true;
    }
  }
  return any;
}

/** Whether two rows have the same cells; a column missing from a leaf counts as absent. */
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
  return sameDatum(a.get(ai), a.kind, b.get(bi), b.kind);
}

/** Whether two values (neither null nor absent) are the same cell: NaN equals itself, -0 is not 0, and kinds may differ. */
export function sameDatum(a: Datum, aKind: Kind, b: Datum, bKind: Kind): boolean {
  if (aKind === bKind) return Object.is(a, b);
  if (typeof a !== 'string' && typeof b !== 'string' && aKind !== KIND.JSON && bKind !== KIND.JSON) {
    if (a === b) return true;
    // One leaf may store as a double what another stores in 64 bits.
    return (typeof a === 'bigint' && typeof b === 'number' && a === wideNumber(b)) || (typeof b === 'bigint' && typeof a === 'number' && b === wideNumber(a));
  }
  return adapt(a, aKind, KIND.JSON) === adapt(b, bKind, KIND.JSON);
}
