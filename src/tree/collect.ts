/**
 * Page collection: marks from the roots, reading inner nodes and directories only, and sweeps in batches. Subtrees already
 * marked are skipped, so several roots cost little more than one.
 */
import type { PageStore } from '../storage/page-store.ts';
import type { PageLinks, Pager } from './pager.ts';
import type { Node } from './node.ts';
import { decodePage } from './page-format.ts';
import { PageSet } from './page-set.ts';

/** Parent of the roots: page ids begin at 1. */
const HELD = 0;

/** Pages deleted in one batch of the store, or listed in one call, which reads them whole. */
const SWEEP_PAGES = 1000;
const LIST_PAGES = 50;

export interface Collected {
  /** Pages that the first root reaches. */
  live: number;
  marked: number;
  swept: number;
}

/**
 * Deletes every page below `limit` that no root reaches (`swept` also counts ids that were assigned and never written).
 * Yields when a slice is `due` to end. `refDepth` is the number of directory levels above the trees of rows: their leaves
 * hold roots and must be read. `held` are directories of worlds in memory that are being read: the pages below them are kept
 * too.
 */
export function* collectPages(
  pager: Pager,
  roots: readonly number[],
  limit: number,
  refDepth: number,
  due: () => boolean,
  held: Iterable<Node> = [],
): Generator<void, Collected> {
  const store: PageStore = pager.store;
  const marked = new PageSet();
  const out: Collected = { live: 0, marked: 0, swept: 0 };
  const todo: { id: number; refs: number; leaf: boolean }[] = [];
  const push = (id: number, refs: number, leaf: boolean): void => {
    if (id > 0 && marked.add(id)) {
      out.marked++;
      // A leaf of rows has no references: marking it is enough.
      if (!leaf || refs > 0) todo.push({ id, refs, leaf });
    }
  };
  const inMemory = (node: Node, refs: number): void => {
    if (node.id > 0 && !marked.add(node.id)) return;
    if (node.isLeaf) {
      if (refs === 0) return;
      for (const vec of node.cols) {
        if (vec.refs === null) continue;
        for (let i = 0; i < node.count; i++) {
          if (vec.tag(i) !== 0) continue;
          const child = vec.refs[i];
          if (child === null) push(vec.f64[i], refs - 1, false);
          else inMemory(child, refs - 1);
        }
      }
      return;
    }
    for (let i = 0; i < node.kids.length; i++) {
      const kid = node.kids[i];
      if (kid === null) push(node.pageId(i), refs, node.height === 1);
      else inMemory(kid, refs);
    }
  };
  for (const root of [...roots, HELD]) {
    if (root === HELD) for (const node of held) inMemory(node, 1);
    else push(root, refDepth, false);
    for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
      let links = pager.links.get(next.id);
      if (links === undefined) {
        const node = pager.peek(next.id) ?? storedPage(store, next.id);
        if (node === null) continue;
        links = linksOf(node);
        pager.links.set(next.id, links);
      }
      const refs = links.roots ? next.refs - 1 : next.refs;
      for (let i = 0; i < links.ids.length; i++) push(links.ids[i], refs, links.leaves);
      if (due()) yield;
    }
    if (root === roots[0]) out.live = out.marked;
  }
  let deletes: number[] = [];
  const sweep = (): void => {
    for (const id of deletes) pager.drop(id);
    if (deletes.length > 0) store.write({ pages: [], deletes }, { sync: false });
    out.swept += deletes.length;
    deletes = [];
  };
  for (const id of storedBelow(pager, limit, marked)) {
    if (id !== NOTHING) deletes.push(id);
    const full = deletes.length >= SWEEP_PAGES;
    if (!full && !due()) continue;
    sweep();
    yield;
  }
  sweep();
  for (const id of pager.links.keys()) if (!marked.has(id)) pager.links.delete(id);
  pager.stored = { limit, pages: marked };
  return out;
}

function linksOf(node: Node): PageLinks {
  if (!node.isLeaf) return { ids: Float64Array.from(node.ids), leaves: node.height === 1, roots: false };
  const ids: number[] = [];
  for (const vec of node.cols) {
    if (vec.refs === null) continue;
    for (let i = 0; i < node.count; i++) if (vec.tag(i) === 0) ids.push(vec.f64[i]);
  }
  return { ids: Float64Array.from(ids), leaves: false, roots: true };
}

const NOTHING = 0;

function storedPage(store: PageStore, id: number): Node | null {
  const bytes = store.read(id);
  return bytes === undefined ? null : decodePage(bytes, id);
}

/**
 * Pages below the limit that may be stored and are not marked; NOTHING to yield after much reading. The store is listed once,
 * since it reads whole pages to list ids. From then on its contents are known: the last marked pages and later writes.
 */
function* storedBelow(pager: Pager, limit: number, marked: PageSet): Iterable<number> {
  const known = pager.stored;
  if (known !== null) {
    for (const id of known.pages.without(marked)) if (id < limit) yield id;
    for (let id = known.limit; id < limit; id++) if (!marked.has(id)) yield id;
    return;
  }
  for (let from = 0; from < limit;) {
    const ids = pager.store.ids(from, LIST_PAGES);
    if (ids.length === 0) return;
    for (const id of ids) if (id < limit && !marked.has(id)) yield id;
    from = ids[ids.length - 1] + 1;
    yield NOTHING;
  }
}
