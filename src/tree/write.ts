/**
 * Applies sorted changes to a tree. One recursive pass serves a single row and a merge of a million: changes are distributed
 * to the children, each touched node is copied at most once (or changed in place if the edit token owns it), and nodes past
 * their bounds are split on the way up.
 */
import { assert } from '../base/assert.ts';
import { appendedLeaves, RUN_MIN, runEnd } from './appended-leaves.ts';
import { type Key, KIND, type RowChange } from './datum.ts';
import { type LaterChanges, putOff } from './later-leaves.ts';
import { mergedLeaf } from './merge-rows.ts';
import { INNER_FANOUT_MAX, Inner, LEAF_BYTES_MAX, LEAF_ROWS_MAX, Leaf, type Node } from './node.ts';
import { leafWithout } from './page-cut.ts';
import type { Pager } from './pager.ts';

export function emptyTree(numeric: boolean, edit = 0): Leaf {
  return new Leaf(numeric, edit);
}

/** Changes sorted by key without duplicates, which a pass distributes to leaves. */
export interface Batch {
  readonly length: number;
  readonly numeric: boolean;
  /** All changes delete existing rows: a subtree with as many changes as rows is dropped without reading it. */
  readonly goes: boolean;
  key(i: number): Key;
  /** First of changes [from, to) whose key is not below `key`. */
  firstAtLeast(from: number, to: number, key: Key): number;
  /** The leaves that replace the leaf after changes [from, to). */
  toLeaf(pager: Pager, leaf: Leaf, from: number, to: number, edit: number): Node[];
  /** See `putOff`. */
  putOff(pager: Pager, parent: Inner, child: number, from: number, to: number, edit: number): 0 | 1 | null;
}

/** A batch with one object per row. */
export class RowBatch implements Batch, LaterChanges {
  readonly length: number;
  readonly numeric: boolean;
  readonly goes = false;
  readonly #rows: readonly RowChange[];

  constructor(rows: readonly RowChange[]) {
    this.length = rows.length;
    this.numeric = typeof rows[0].key === 'number';
    this.#rows = rows;
  }

  key(i: number): Key {
    return this.#rows[i].key;
  }

  row(i: number): RowChange {
    return this.#rows[i];
  }

  gain(i: number): -1 | 0 | 1 {
    const { before, after } = this.#rows[i];
    return after === null ? -1 : before === null ? 1 : 0;
  }

  bytes(i: number): number {
    let bytes = 0;
    for (const value of this.#rows[i].after ?? []) bytes += typeof value === 'string' ? value.length : 8;
    return bytes;
  }

  firstAtLeast(from: number, to: number, key: Key): number {
    return firstAtLeast(this.#rows, from, to, key);
  }

  toLeaf(pager: Pager, leaf: Leaf, from: number, to: number, edit: number): Node[] {
    return applyToLeaf(pager, leaf, this.#rows, from, to, edit);
  }

  putOff(pager: Pager, parent: Inner, child: number, from: number, to: number, edit: number): 0 | 1 | null {
    return putOff(pager, parent, child, this, from, to, edit);
  }
}

/**
 * The tree's root after the changes, which are sorted by key without duplicates. With `later`, leaves of pages are
 * materialised lazily: updated and deleted rows must exist, inserted ones must not.
 */
export function applyChanges(pager: Pager, root: Node, changes: readonly RowChange[], edit: number, later = false): Node {
  if (changes.length === 0) return root;
  return applyBatch(pager, root, new RowBatch(changes), edit, later);
}

/** `applyChanges` for any non-empty batch. */
export function applyBatch(pager: Pager, root: Node, batch: Batch, edit: number, later = false): Node {
  if (batch.goes && batch.length === root.count) return emptyTree(batch.numeric, edit);
  return grownRoot(pager, applyTo(pager, root, batch, 0, batch.length, edit, later), batch.numeric, edit);
}

/** A single root over the nodes that a pass returned. */
export function grownRoot(pager: Pager, nodes: Node[], numeric: boolean, edit: number): Node {
  if (nodes.length === 0) return emptyTree(numeric, edit);
  let level = nodes;
  while (level.length > 1) level = stack(level, edit);
  let top = level[0];
  while (!top.isLeaf && top.keys.length === 1) top = pager.kid(top, 0);
  return top;
}

/** The nodes that replace `node` after changes [from, to). */
export function applyTo(pager: Pager, node: Node, batch: Batch, from: number, to: number, edit: number, later = false): Node[] {
  return node.isLeaf ? batch.toLeaf(pager, node, from, to, edit) : applyToInner(pager, node, batch, from, to, edit, later);
}

/** From this many changes on, a leaf is rebuilt at once. */
const MERGED_MIN = 4;

/** The leaves that replace the leaf if all of its changes insert or delete rows, and these are not few; else null. */
function mergeIntoLeaf(pager: Pager, leaf: Leaf, changes: readonly RowChange[], from: number, to: number, edit: number): Leaf[] | null {
  if (leaf.count === 0 || to - from < (leaf.edit === edit ? MERGED_MIN : 1)) return null;
  if (leaf.page === null && leaf.cols.some(({ kind }) => kind === KIND.REF)) return null;
  let deletes = 0;
  for (let i = from; i < to; i++) {
    if (changes[i].after === null) deletes++;
    else if (changes[i].before !== null) return null;
  }
  // Appended rows are added one by one, or as leaves of their own.
  if (deletes === 0 && (to - from < MERGED_MIN || changes[from].key > leaf.key(leaf.count - 1))) return null;
  const merged = deletes === to - from ? leafWithout(leaf, (k) => changes[k].key, from, to, edit) : mergedLeaf(leaf, changes, from, to, edit);
  return merged === null ? null : replacedBy(pager, leaf, merged, edit);
}

/** The leaves that replace a changed leaf. `bytes`: the previous size, if the leaf may be unchanged. */
export function replacedBy(pager: Pager, leaf: Leaf, made: Leaf, edit: number, bytes = leaf.bytes): Leaf[] {
  pager.dirtyBytes += leaf.edit === edit ? Math.max(0, made.bytes - bytes) : made.bytes;
  if (leaf.edit !== edit) pager.supersede(leaf);
  return made.count === 0 ? [] : splitEvenly(made, edit);
}

/** Splits the leaf evenly into as few parts as the bounds allow. */
export function splitEvenly(leaf: Leaf, edit: number): Leaf[] {
  const { count } = leaf;
  const parts = Math.min(count, Math.max(Math.ceil(count / LEAF_ROWS_MAX), Math.ceil(leaf.bytes / LEAF_BYTES_MAX)));
  if (parts <= 1) return [leaf];
  const out: Leaf[] = [];
  for (let i = 0; i < parts; i++) {
    const part = leaf.slice(Math.floor((i * count) / parts), Math.floor(((i + 1) * count) / parts), edit);
    // A few rows may be much longer than the others.
    if (part.bytes > LEAF_BYTES_MAX && part.count > 1) out.push(...splitEvenly(part, edit));
    else out.push(part);
  }
  return out;
}

function applyToLeaf(pager: Pager, leaf: Leaf, changes: readonly RowChange[], from: number, to: number, edit: number): Node[] {
  const merged = mergeIntoLeaf(pager, leaf, changes, from, to, edit);
  if (merged !== null) return merged;
  let own = leaf;
  if (leaf.edit !== edit) {
    own = leaf.copy(edit);
    pager.dirtyBytes += own.bytes;
    pager.supersede(leaf);
  }
  const out: Leaf[] = [];
  // An appending run splits as it goes, so that leaves come out full and none grows without bound.
  let looked = from;
  for (let i = from; i < to; i++) {
    const change = changes[i];
    // A long run of appended rows is built by columns once the open leaf is full.
    if (to - i >= RUN_MIN && i >= looked && own.count <= 1 && change.before === null && (own.count === 0 || own.key(0) < change.key)) {
      looked = runEnd(changes, i, to);
      if (looked - i >= RUN_MIN) {
        if (own.count > 0) out.push(own);
        for (const leaf of appendedLeaves(changes, i, looked, edit)) {
          out.push(leaf);
          pager.dirtyBytes += leaf.bytes;
        }
        own = out.pop()!;
        i = looked - 1;
        continue;
      }
    }
    if (change.after === null) {
      const at = own.find(change.key);
      if (at >= 0) own.removeAt(at);
      continue;
    }
    const bytesBefore = own.bytes;
    if (change.before === null) own.upsert(change.key, change.shape, change.after);
    else {
      const at = own.find(change.key);
      assert(at >= 0, 'an update meets its row');
      own.update(at, change.shape, change.after);
    }
    pager.dirtyBytes += Math.max(0, own.bytes - bytesBefore);
    if (own.count > LEAF_ROWS_MAX || (own.bytes > LEAF_BYTES_MAX && own.count > 1)) {
      const appended = own.key(own.count - 1) === change.key;
      const cut = appended ? own.count - 1 : own.count >> 1;
      const left = own.slice(0, cut, edit);
      const right = own.slice(cut, own.count, edit);
      const next = i + 1 < to ? changes[i + 1].key : null;
      if (next === null || next >= right.key(0)) {
        out.push(left);
        own = right;
      } else {
        // Remaining changes are still left of the cut: finish the left half, keep the right one after it.
        const rest = firstAtLeast(changes, i + 1, to, right.key(0));
        const leftParts = applyToLeaf(pager, left, changes, i + 1, rest, edit) as Leaf[];
        const rightParts = applyToLeaf(pager, right, changes, rest, to, edit) as Leaf[];
        out.push(...leftParts, ...rightParts);
        return out;
      }
    }
  }
  if (own.count > 0) out.push(own);
  return out;
}

function applyToInner(pager: Pager, inner: Inner, batch: Batch, from: number, to: number, edit: number, later: boolean): Node[] {
  let own = inner;
  if (inner.edit !== edit) {
    own = inner.copy(edit);
    pager.dirtyBytes += own.bytes;
    pager.supersede(inner);
  }
  if (!later && own.height === 1 && to - from > 1) prefetchTouched(pager, own, batch, from, to);
  let at = from;
  let child = own.childIndex(batch.key(from));
  while (at < to) {
    const upper: Key | null = child + 1 < own.keys.length ? own.keys[child + 1] : null;
    const end = upper === null ? to : batch.firstAtLeast(at, to, upper);
    if (end > at && batch.goes && end - at === own.counts[child]) {
      const gone = own.kids[child];
      if (gone !== null && gone.edit !== edit) pager.supersede(gone);
      replaceChildren(own, child, []);
      at = end;
    } else if (end > at) {
      const off = later && own.height === 1 ? batch.putOff(pager, own, child, at, end, edit) : null;
      child += off === 1 ? 1 : replaceChildren(own, child, off === 0 ? [] : applyTo(pager, pager.kid(own, child), batch, at, end, edit, later));
      at = end;
    } else child++;
    if (at < to && child < own.keys.length - 1 && batch.key(at) >= own.keys[child + 1]) child = Math.max(child, own.childIndex(batch.key(at)));
  }
  return splitInner(own, to === batch.length, edit);
}

/** Prefetches the leaves that the changes touch in one read of the store. */
function prefetchTouched(pager: Pager, inner: Inner, batch: Batch, from: number, to: number): void {
  const ids: number[] = [];
  let at = from;
  while (at < to) {
    const child = inner.childIndex(batch.key(at));
    const end = child + 1 < inner.keys.length ? batch.firstAtLeast(at + 1, to, inner.keys[child + 1]) : to;
    if (inner.kids[child] === null && !(batch.goes && end - at === inner.counts[child])) ids.push(inner.ids[child]);
    at = end;
  }
  pager.prefetch(ids);
}

/** The node, or its parts if it is past its bound; `last`: changes may have been appended at its end. */
export function splitInner(own: Inner, last: boolean, edit: number): Node[] {
  if (own.keys.length === 0) return [];
  if (own.keys.length <= INNER_FANOUT_MAX) return [own];
  const parts: Node[] = [];
  const appended = last && own.keys.length <= INNER_FANOUT_MAX + 1;
  const size = appended ? INNER_FANOUT_MAX : Math.ceil(own.keys.length / Math.ceil(own.keys.length / INNER_FANOUT_MAX));
  for (let i = 0; i < own.keys.length; i += size) parts.push(own.slice(i, Math.min(own.keys.length, i + size), edit));
  return parts;
}

/** Replaces child `i` by `nodes` and returns their number. */
export function replaceChildren(inner: Inner, i: number, nodes: Node[]): number {
  if (nodes.length === 1) setChild(inner, i, nodes[0]);
  else replaceChild(inner, i, nodes);
  return nodes.length;
}

function setChild(inner: Inner, i: number, node: Node): void {
  inner.ungroup(i, true);
  inner.kids[i] = node;
  inner.ids[i] = 0;
  inner.hashes[i] = null;
  inner.counts[i] = node.count;
  // The lowest key may be lower now (an insert below the first child), but a separator that is too low stays valid.
}

function replaceChild(inner: Inner, i: number, nodes: Node[]): void {
  inner.ungroup(i, false);
  const keys = nodes.map((node, n) => (n === 0 ? inner.keys[i] : lowestKey(node)));
  inner.keys.splice(i, 1, ...keys);
  inner.kids.splice(i, 1, ...nodes);
  inner.ids.splice(i, 1, ...nodes.map(() => 0));
  inner.hashes.splice(i, 1, ...nodes.map(() => null));
  inner.counts.splice(i, 1, ...nodes.map((node) => node.count));
}

/** Puts siblings under as few parents as possible. */
function stack(nodes: Node[], edit: number): Node[] {
  const out: Node[] = [];
  const groups = Math.ceil(nodes.length / INNER_FANOUT_MAX);
  const size = Math.ceil(nodes.length / groups);
  for (let i = 0; i < nodes.length; i += size) {
    const inner = new Inner(nodes[i].height + 1, edit);
    for (const node of nodes.slice(i, i + size)) {
      inner.keys.push(lowestKey(node));
      inner.kids.push(node);
      inner.ids.push(0);
      inner.hashes.push(null);
      inner.counts.push(node.count);
    }
    out.push(inner);
  }
  return out;
}

/** Lowest key according to the separators. */
function lowestKey(node: Node): Key {
  return node.isLeaf ? node.key(0) : node.keys[0];
}

/** First of changes [from, to) whose key is not below `key`. */
function firstAtLeast(changes: readonly RowChange[], from: number, to: number, key: Key): number {
  if (from < to && changes[from].key >= key) return from;
  let lo = from;
  let hi = to;
  while (lo < hi) {
    const mid = (lo + hi) >> 1;
    if (changes[mid].key < key) lo = mid + 1;
    else hi = mid;
  }
  return lo;
}
