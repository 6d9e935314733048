/** What a collection leaves is what its roots reach, also where it knows the store from before or from another run, and however it is cut in slices. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { collectPages } from '../../src/tree/collect.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { setChildRoot } from '../../src/tree/directory.ts';
import type { Node } from '../../src/tree/node.ts';
import { decodePage } from '../../src/tree/page-format.ts';
import { PageSet } from '../../src/tree/page-set.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { Random } from '../suite/random.ts';

const SHAPE: Shape = { ids: [1], kinds: [KIND.TEXT] };

/** Each page that a root reaches, by reading all of them. */
function reached(store: MemoryPageStore, roots: readonly number[]): number[] {
  const out = new Set<number>();
  const visit = (id: number): void => {
    if (out.has(id)) return;
    out.add(id);
    const node = decodePage(store.read(id)!, id);
    if (!node.isLeaf) for (const kid of node.ids) visit(kid);
    else
      for (const vec of node.cols) {
        if (vec.refs !== null) for (let i = 0; i < node.count; i++) if (vec.tag(i) === 0) visit(vec.f64[i]);
      }
  };
  for (const id of roots) visit(id);
  return [...out].sort((a, b) => a - b);
}

test.each([1, 2, 3, 4])('trees that grow, change and go, seed %i', (seed) => {
  const random = new Random(seed);
  const store = new MemoryPageStore();
  let pager = new Pager(store, 1 << 20, 1);
  const present = [new Set<number>(), new Set<number>()];
  let directory: Node = emptyTree(true, 1);
  let trees: Node[] = [emptyTree(true, 1), emptyTree(true, 1)];
  const tops: number[] = [];
  for (let round = 0; round < 24; round++) {
    const edit = pager.newEdit();
    trees.forEach((tree, t) => {
      const changes: RowChange[] = [];
      const start = random.below(4000);
      for (let key = start; key < start + 300; key++) {
        const was = present[t].has(key);
        const goes = random.chance(0.3);
        if (goes && !was) continue;
        changes.push({ key, shape: SHAPE, before: was ? [`text ${key}`.padEnd(90)] : null, after: goes ? null : [`text ${key}`.padEnd(90)] });
        if (goes) present[t].delete(key);
        else present[t].add(key);
      }
      trees[t] = applyChanges(pager, tree, changes, edit);
      directory = setChildRoot(pager, directory, t, trees[t], edit);
    });
    // Some batches end early, as they do beside clients.
    for (const _ of writeOut(pager, directory, { pages: 0, bytes: 0 }, () => random.chance(0.1)));
    tops.push(directory.id);
    if (random.chance(0.4)) tops.splice(random.below(tops.length - 1), 1);
    if (random.chance(0.5)) {
      const sweep = collectPages(pager, [...tops].reverse(), pager.nextId, 1, () => random.chance(0.2));
      while (sweep.next().done !== true);
      expect(store.ids(0, 1e6)).toEqual(reached(store, tops));
    }
    if (random.chance(0.2)) {
      // Another run, which knows what the last collection did, or nothing.
      const known = pager.stored;
      const next = new Pager(store, 1 << 20, pager.nextId);
      if (known !== null && random.chance(0.7)) next.stored = PageSet.decode(known.pages.encode(known.limit));
      pager = next;
      directory = pager.load(directory.id);
      trees = trees.map((tree) => pager.load(tree.id));
    }
  }
  expect(tops.length).toBeGreaterThan(4);
});

test('bytes that are no set of pages are none', () => {
  const set = new PageSet();
  for (const id of [1, 5, 32767, 32768, 9_000_000_000]) set.add(id);
  const bytes = set.encode(9_000_000_001);
  const { limit, pages } = PageSet.decode(bytes)!;
  expect([limit, [...pages.without(new PageSet())]]).toEqual([9_000_000_001, [1, 5, 32767, 32768, 9_000_000_000]]);
  expect([PageSet.decode(bytes.subarray(1)), PageSet.decode(Buffer.alloc(0))]).toEqual([null, null]);
});
