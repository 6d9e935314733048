/** A table that is larger than the cache keeps its inner nodes while its leaves come and go, and with them what scans gathered. */
import { expect, test } from 'vitest';
import { LeafCursor } from '../../src/sql/exec/leaf-cursor.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';

const SHAPE: Shape = { ids: [1, 2], kinds: [KIND.I32, KIND.TEXT] };
const ROWS = 40_000;

function writtenTree(store: MemoryPageStore): number {
  const pager = new Pager(store, 1 << 30, 1);
  const changes = Array.from({ length: ROWS }, (_, key): RowChange => ({ key, shape: SHAPE, before: null, after: [key % 7, `row ${key} `.repeat(20)] }));
  const steps = writeOut(pager, applyChanges(pager, emptyTree(true), changes, pager.newEdit()), { pages: 0, bytes: 0 });
  for (;;) {
    const next = steps.next();
    if (next.done === true) return next.value.id;
  }
}

/** Rows of a scan of the number, and their sum. */
function scanned(pager: Pager, root: Node): [number, number] {
  const cursor = new LeafCursor(pager, root, null, null, false, { read: { ids: [1], decimals: [], keys: false }, decided: null });
  let rows = 0;
  let sum = 0;
  while (cursor.next()) {
    const numbers = cursor.chunk.col(1)!.i32;
    for (let i = cursor.from; i < cursor.to; i++) sum += numbers[i];
    rows += cursor.to - cursor.from;
  }
  return [rows, sum];
}

test('the third scan of a column reads no leaf, though the cache holds a fifth of them', () => {
  const store = new MemoryPageStore();
  const id = writtenTree(store);
  const pager = new Pager(store, 2_000_000, id + 1);
  const expected = scanned(pager, pager.load(id));
  expect(expected[0]).toBe(ROWS);
  const all = pager.reads;
  expect(pager.cachedBytes).toBeLessThan(2_000_001);
  expect(scanned(pager, pager.load(id))).toEqual(expected);
  const before = pager.reads;
  expect(scanned(pager, pager.load(id))).toEqual(expected);
  expect(pager.reads - before).toBeLessThan(all / 10);
});

test('they go where they take more than their part', () => {
  const store = new MemoryPageStore();
  const id = writtenTree(store);
  const pager = new Pager(store, 40_000, id + 1);
  const expected = scanned(pager, pager.load(id));
  expect(scanned(pager, pager.load(id))).toEqual(expected);
  expect(pager.cachedBytes).toBeLessThan(200_000);
});
