/**
 * Applying a merge without copying what only the branch changed.
 *
 *   ours ── same subtree as ── base        The changes below it are all of the branch's there,
 *     └► takes the branch's subtree        so its subtree is the result: one pointer, no copy.
 *
 * Where ours changed too, or where the trees' separators differ, the changes are applied row by row.
 */
import type { Key, RowChange } from './datum.ts';
import { type Inner, type Node } from './node.ts';
import type { Pager } from './pager.ts';
import { applyTo, type Batch, grownRoot, replaceChildren, RowBatch, splitInner } from './write.ts';

/**
 * The root of `ours` after `changes`, which must be all differences from `base` to `theirs` except those already in ours.
 * Nodes of `theirs` become shared, so its writer must have sealed it.
 */
export function adoptChanges(pager: Pager, ours: Node, base: Node, theirs: Node, changes: readonly RowChange[], edit: number): Node {
  if (changes.length === 0) return ours;
  if (sameNode(ours, base)) return theirs;
  const batch = new RowBatch(changes);
  return grownRoot(pager, adopt(pager, ours, base, theirs, batch, 0, batch.length, edit), batch.numeric, edit);
}

function adopt(pager: Pager, ours: Node, base: Node, theirs: Node, batch: Batch, from: number, to: number, edit: number): Node[] {
  if (ours.isLeaf || base.isLeaf || theirs.isLeaf || ours.height !== base.height || ours.height !== theirs.height) {
    return applyTo(pager, ours, batch, from, to, edit);
  }
  let own = ours;
  if (own.edit !== edit) {
    own = own.copy(edit);
    pager.dirtyBytes += own.bytes;
  }
  let at = from;
  let child = own.childIndex(batch.key(from));
  // `own` grows during the walk: `walked` keeps the original separators.
  let grownBy = 0;
  const walked = own === ours ? ours.copy(edit) : ours;
  while (at < to && child < walked.keys.length) {
    const upper: Key | null = child + 1 < walked.keys.length ? walked.keys[child + 1] : null;
    const end = upper === null ? to : batch.firstAtLeast(at, to, upper);
    if (end > at) {
      const place = child + grownBy;
      const before = rangeOf(base, walked, child);
      const after = rangeOf(theirs, walked, child);
      const aligned = before !== null && after !== null && before[1] === before[0] + 1;
      let count = 1;
      if (aligned && sameChild(walked, child, base, before[0])) {
        count = takeChildren(own, place, theirs, after[0], after[1]);
      } else {
        const kid = pager.kid(own, place);
        const parts =
          aligned && after[1] === after[0] + 1
            ? adopt(pager, kid, pager.kid(base, before[0]), pager.kid(theirs, after[0]), batch, at, end, edit)
            : applyTo(pager, kid, batch, at, end, edit);
        count = replaceChildren(own, place, parts);
      }
      grownBy += count - 1;
      at = end;
    }
    child++;
    if (at < to && child < walked.keys.length - 1 && batch.key(at) >= walked.keys[child + 1]) child = Math.max(child, walked.childIndex(batch.key(at)));
  }
  return splitInner(own, to === batch.length, edit);
}

/** Children of `other` that cover exactly the range of child `i` of `inner`; null if separators differ. */
function rangeOf(other: Inner, inner: Inner, i: number): [number, number] | null {
  const start = i === 0 ? 0 : indexOfKey(other, inner.keys[i]);
  const end = i + 1 === inner.keys.length ? other.keys.length : indexOfKey(other, inner.keys[i + 1]);
  return start < 0 || end < 0 || end <= start ? null : [start, end];
}

function indexOfKey(inner: Inner, key: Key): number {
  const at = inner.childIndex(key);
  return at > 0 && inner.keys[at] === key ? at : -1;
}

function takeChildren(own: Inner, place: number, theirs: Inner, from: number, to: number): number {
  if (theirs.later !== null) own.later = new Map([...(own.later ?? []), ...theirs.later]);
  const keys = theirs.keys.slice(from, to);
  keys[0] = own.keys[place];
  own.ungroup(place, false);
  own.keys.splice(place, 1, ...keys);
  own.kids.splice(place, 1, ...theirs.kids.slice(from, to));
  own.ids.splice(place, 1, ...theirs.ids.slice(from, to));
  own.hashes.splice(place, 1, ...theirs.hashes.slice(from, to));
  own.counts.splice(place, 1, ...theirs.counts.slice(from, to));
  return to - from;
}

function sameChild(a: Inner, i: number, b: Inner, j: number): boolean {
  const x = a.kids[i];
  if (x !== null && x === b.kids[j]) return true;
  const id = x?.id || a.ids[i];
  return id !== 0 && id === (b.kids[j]?.id || b.ids[j]);
}

function sameNode(a: Node, b: Node): boolean {
  return a === b || (a.id !== 0 && a.id === b.id);
}
