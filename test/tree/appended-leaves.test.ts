/** Long runs of new rows become leaves a column at a time: the tree holds what it holds when they come one by one. */
import { expect, test } from 'vitest';
import { type Datum, KIND, type Key, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { LEAF_BYTES_MAX, LEAF_ROWS_MAX, type Leaf, type Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';

const NARROW: Shape = { ids: [1, 2, 3, 4, 5], kinds: [KIND.I32, KIND.TEXT, KIND.F64, KIND.BOOL, KIND.I64] };
const OTHER: Shape = { ids: [1, 7], kinds: [KIND.I32, KIND.JSON] };

function row(i: number, shape: Shape, key: Key): RowChange {
  const after: Datum[] =
    shape === OTHER
      ? [i, i % 3 === 0 ? null : `{"n":${i}}`]
      : [i, i % 5 === 0 ? null : 'x'.repeat(i % 90), i / 4, i % 7 === 0 ? null : i % 2 === 0, i % 4 === 0 ? 9_223_372_036_854_775_000n + BigInt(i % 9) : i];
  return { key, shape, before: null, after };
}

function leaves(pager: Pager, node: Node): Leaf[] {
  if (node.isLeaf) return [node];
  return node.keys.flatMap((_, i) => leaves(pager, pager.kid(node, i)));
}

function contents(pager: Pager, root: Node): unknown[] {
  return leaves(pager, root).flatMap((leaf) =>
    Array.from({ length: leaf.count }, (_, i) => [leaf.key(i), ...[1, 2, 3, 4, 5, 7].map((id) => String(leaf.cell(i, id) ?? null))]),
  );
}

const text = (i: number): string => `k${String(i).padStart(7, '0')}`;

test.each([
  ['numbers', (i: number): Key => i],
  ['texts', (i: number): Key => text(i)],
])('keys that are %s', (_, keyOf) => {
  const pager = new Pager(new MemoryPageStore(), 1e9, 1);
  const numeric = typeof keyOf(0) === 'number';
  const runs: RowChange[][] = [
    // Into nothing, behind what is there, of another form, in between, and few.
    Array.from({ length: 5000 }, (_, i) => row(i, NARROW, keyOf(i * 2))),
    Array.from({ length: 3000 }, (_, i) => row(i, NARROW, keyOf(10_000 + i))),
    Array.from({ length: 4000 }, (_, i) => row(i, i < 2000 ? OTHER : NARROW, keyOf(20_000 + i))),
    Array.from({ length: 2000 }, (_, i) => row(i, NARROW, keyOf(1 + i * 2))),
    Array.from({ length: 20 }, (_, i) => row(i, NARROW, keyOf(30_000 + i))),
  ];
  let bulk: Node = emptyTree(numeric, 1);
  let single: Node = emptyTree(numeric, 1);
  for (const [n, run] of runs.entries()) {
    bulk = applyChanges(pager, bulk, run, 1);
    if (n < 2) {
      for (const leaf of leaves(pager, bulk)) {
        expect(leaf.count).toBeLessThanOrEqual(LEAF_ROWS_MAX);
        expect(leaf.bytes).toBeLessThanOrEqual(LEAF_BYTES_MAX);
        expect(leaf.bytes).toBe(leaf.measure());
      }
    }
    for (const change of run) single = applyChanges(pager, single, [change], 1);
  }
  expect(contents(pager, bulk)).toEqual(contents(pager, single));
  // Full leaves: about as many as the bytes need.
  const total = leaves(pager, bulk).reduce((sum, leaf) => sum + leaf.bytes, 0);
  expect(leaves(pager, bulk).length).toBeLessThan((2 * total) / LEAF_BYTES_MAX + 30);

  // They are changed in place like others, and copied where another writer comes.
  const before = contents(pager, bulk);
  const changes: RowChange[] = [10, 12, 10_500, 21_000, 23_999].map((i) => ({
    key: keyOf(i),
    shape: { ids: [1], kinds: [KIND.I32] },
    before: [0],
    after: [-1],
  }));
  const changed = applyChanges(pager, bulk, changes, 2);
  expect(contents(pager, bulk)).toEqual(before);
  expect(contents(pager, changed)).not.toEqual(before);
  for (const change of changes) single = applyChanges(pager, single, [change], 1);
  expect(contents(pager, changed)).toEqual(contents(pager, single));
});
