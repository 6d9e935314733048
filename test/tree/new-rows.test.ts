/** Rows appended in one go make the tree that rows appended one by one make. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { type Datum, KIND, type Key, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { scan } from '../../src/tree/read.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';

const SHAPE: Shape = { ids: [1, 2, 3, 4, 5, 6], kinds: [KIND.I32, KIND.F64, KIND.I64, KIND.TEXT, KIND.BOOL, KIND.JSON] };

const rowOf = (i: number): Datum[] => [
  i % 5 === 0 ? null : i,
  i / 7,
  i % 3 === 0 ? BigInt(i) * 9007199254740993n : i,
  i % 11 === 0 ? null : `text ${'x'.repeat(i % 40)}`,
  i % 2 === 0,
  null,
];

function changes(from: number, to: number, key: (i: number) => Key, step = 1): RowChange[] {
  const out: RowChange[] = [];
  for (let i = from; i < to; i += step) out.push({ key: key(i), shape: SHAPE, before: null, after: rowOf(i) });
  return out;
}

interface Shown {
  /** Rows of each leaf. */
  readonly leaves: number[];
  readonly bytes: number[];
  readonly rows: unknown[];
}

function shown(pager: Pager, root: Node): Shown {
  const leaves: number[] = [];
  const bytes: number[] = [];
  const rows: unknown[] = [];
  scan(pager, root, null, (leaf, from, to) => {
    leaves.push(to - from);
    bytes.push(leaf.bytes);
    expect(leaf.bytes).toBe(leaf.measure());
    for (let i = from; i < to; i++) rows.push([leaf.key(i), ...SHAPE.ids.map((id) => leaf.cell(i, id))]);
  });
  return { leaves, bytes, rows };
}

const one = (i: number): Key => i;
const text = (i: number): Key => `key ${String(i).padStart(8, '0')}`;

test.each([
  ['numbers', one],
  ['texts', text],
])('by %s', (_name, key) => {
  const pager = new Pager(new MemoryPageStore(), 1 << 26, 1);
  const numeric = key === one;
  const all = changes(0, 5000, key);
  const bulk = applyChanges(pager, emptyTree(numeric, 1), all, 1);
  let single: Node = emptyTree(numeric, 2);
  for (const change of all) single = applyChanges(pager, single, [change], 2);
  expect(shown(pager, bulk)).toEqual(shown(pager, single));
  // On with what is there, and with rows in between that are not appended.
  const more = changes(5000, 9000, key);
  let grown = applyChanges(pager, bulk, more, 3);
  for (const change of more) single = applyChanges(pager, single, [change], 2);
  expect(shown(pager, grown).rows).toEqual(shown(pager, single).rows);
  expect(grown.count).toBe(9000);
  const between = changes(20_001, 30_000, key, 2).concat([]);
  grown = applyChanges(pager, grown, changes(20_000, 30_000, key, 2), 4);
  grown = applyChanges(pager, grown, between, 5);
  expect(shown(pager, grown).rows.length).toBe(9000 + 10_000);
  // The states before stay as they were.
  expect(bulk.count).toBe(5000);
});

test('rows may leave columns out, and other changes may stand before them', () => {
  const pager = new Pager(new MemoryPageStore(), 1 << 26, 1);
  const first = changes(0, 1000, one);
  first[500] = { ...first[500], after: first[500].after!.map((value, i) => (i === 3 ? undefined : value)) };
  let tree = applyChanges(pager, emptyTree(true, 1), first, 1);
  const later = changes(1000, 3000, one);
  tree = applyChanges(
    pager,
    tree,
    [{ key: 7, shape: SHAPE, before: rowOf(7), after: rowOf(8) }, { key: 9, shape: SHAPE, before: rowOf(9), after: null }, ...later],
    2,
  );
  const { rows } = shown(pager, tree);
  expect(rows.length).toBe(2999);
  expect(rows[7]).toEqual([7, ...rowOf(8)]);
  expect((rows[499] as unknown[])[4]).toBe(undefined);
});
