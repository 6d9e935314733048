/** Rows are found by key after any evictions and writes, with gaps between keys and without. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { type Datum, type Key, KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { Leaf, type Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { leafFor } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { Random } from '../suite/random.ts';

const SHAPE: Shape = { ids: [1], kinds: [KIND.TEXT] };

function written(pager: Pager, root: Node): Node {
  const steps = writeOut(pager, root, { pages: 0, bytes: 0 });
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value;
  }
}

function cellOf(pager: Pager, root: Node, key: Key): Datum {
  const leaf = leafFor(pager, root, key);
  const at = leaf.find(key);
  return at < 0 ? undefined : leaf.cell(at, 1);
}

test('paths down a tree whose pages come and go', () => {
  const pager = new Pager(new MemoryPageStore(), 400_000, 1);
  const random = new Random(7);
  const rows = new Map<number, string>();
  let root: Node = emptyTree(true);
  const put = (keys: readonly number[], mark: string): void => {
    const changes: RowChange[] = [...new Set(keys)]
      .sort((a, b) => a - b)
      .map((key) => {
        const before = rows.get(key);
        rows.set(key, `${mark} of ${key}`.padEnd(60));
        return { key, shape: SHAPE, before: before === undefined ? null : [before], after: [rows.get(key)!] };
      });
    root = applyChanges(pager, root, changes, pager.newEdit());
  };
  put(
    Array.from({ length: 20_000 }, (_, i) => i * 3),
    'first',
  );
  root = written(pager, root);
  let { reads } = pager;
  let cached = 0;
  for (let round = 0; round < 30; round++) {
    for (let n = 0; n < 400; n++) {
      const key = random.below(60_010) - 5;
      expect(cellOf(pager, root, key), `key ${key}`).toBe(rows.get(key));
      cached = Math.max(cached, pager.cachedBytes);
    }
    put(
      Array.from({ length: 20 }, () => random.below(61_000)),
      `round ${round}`,
    );
    if (round % 3 === 2) root = written(pager, root);
  }
  // Evicted pages are read again, and the budget holds.
  expect(pager.reads - reads).toBeGreaterThan(500);
  expect(cached).toBeLessThan(500_000);
  // What is there is not asked for again.
  const keys = [3, 6, 9, 12_345];
  for (const key of keys) cellOf(pager, root, key);
  ({ reads } = pager);
  for (const key of keys) expect(cellOf(pager, root, key)).toBe(rows.get(key));
  expect(pager.reads).toBe(reads);
});

test.each([
  ['without gaps', (i: number) => i + 41],
  ['with gaps', (i: number) => i * 7 - 300],
  ['one gap', (i: number) => (i < 50 ? i : i + 1)],
  ['far apart', (i: number) => (i - 60) * 2 ** 44],
  ['equal signs', (i: number) => -i * 2],
])('keys of a leaf %s', (_, keyOf) => {
  const keys = Array.from({ length: 120 }, (__, i) => keyOf(i)).sort((a, b) => a - b);
  const leaf = new Leaf(true, 1);
  keys.forEach((key, i) => leaf.upsert(key, SHAPE, [`row ${i}`]));
  for (const [i, key] of keys.entries()) {
    for (const near of [key - 1, key, key + 1]) {
      const bound = keys.findIndex((each) => each >= near);
      expect(leaf.lowerBound(near), `${near}`).toBe(bound < 0 ? keys.length : bound);
      expect(leaf.find(near)).toBe(keys.indexOf(near));
    }
    expect(leaf.cell(leaf.find(key), 1)).toBe(`row ${i}`);
  }
});
