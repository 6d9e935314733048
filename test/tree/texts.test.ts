/** Texts of a column: as strings, as bytes of a page, read one by one or all at once, they are the same. */
import { expect, test } from 'vitest';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { type Datum, KIND, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Leaf } from '../../src/tree/node.ts';
import { decodePage, encodePage, encodeBacking } from '../../src/tree/page-format.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';

const SHAPE: Shape = { ids: [1, 2, 3], kinds: [KIND.TEXT, KIND.BIN, KIND.F64] };
const texts = ['', 'plain', 'ä', '\u{1f600} and more', '\ufeffafter a mark', '\ufeff', 'x'.repeat(300), null, 'end', 'a\0b', '"', '\\'];
const bytes = texts.map((text, i) => (text === null ? null : String.fromCharCode(i * 20, 255 - i)));

function leafOf(count: number): Leaf {
  const rows: RowChange[] = [];
  for (let i = 0; i < count; i++) rows.push({ key: i, shape: SHAPE, before: null, after: [texts[i % texts.length], bytes[i % texts.length], i] });
  return applyChanges(new Pager(new MemoryPageStore(), 1 << 20, 1), emptyTree(true, 1), rows, 1) as Leaf;
}

const cells = (leaf: Leaf, id: number): Datum[] => Array.from({ length: leaf.count }, (_, i) => leaf.cell(i, id));

test.each([1, 3, 8, 9, 16, 24, 60])('%d rows', (count) => {
  const leaf = leafOf(count);
  const [ours, theirs] = [1, 2].map((id) => cells(leaf, id));
  const measured = leaf.bytes;
  const page = Uint8Array.from(encodeBacking(leaf));
  // The leaf itself reads from the page from now on.
  for (const [id, wanted] of [
    [1, ours],
    [2, theirs],
  ] as const) {
    expect(leaf.col(id)!.decoded).toBe(false);
    for (const i of [count - 1, 0, count >> 1]) expect(leaf.cell(i, id)).toBe(wanted[i]);
    expect(leaf.col(id)!.decoded).toBe(false);
    expect(cells(leaf, id)).toEqual(wanted);
    expect(cells(leaf, id)).toEqual(wanted);
    expect(leaf.col(id)!.strings().length).toBeGreaterThanOrEqual(count);
  }
  const read = decodePage(page, 7) as Leaf;
  expect(cells(read, 1)).toEqual(ours);
  expect(cells(read, 2)).toEqual(theirs);
  expect(Buffer.from(encodePage(read)).equals(Buffer.from(page))).toBe(true);
  expect(leaf.measure()).toBe(measured);
});

test('repeated texts are dictionary-coded', () => {
  const pager = new Pager(new MemoryPageStore(), 1 << 20, 1);
  const shape: Shape = { ids: [1, 2], kinds: [KIND.TEXT, KIND.F64] };
  const rows: RowChange[] = [];
  const few = ['a', 'bé', null, 'c'.repeat(40)];
  for (let i = 0; i < 80; i++) rows.push({ key: i, shape, before: null, after: [few[i % 4], i] });
  const leaf = applyChanges(pager, emptyTree(true, 1), rows, 1) as Leaf;
  const wanted = cells(leaf, 1);
  const { bytes: measured } = leaf;
  const page = Uint8Array.from(encodeBacking(leaf));
  const read = decodePage(page, 7) as Leaf;
  for (const each of [leaf, read]) {
    expect(each.col(1)!.hasStrings).toBe(false);
    expect(each.cell(79, 1)).toBe(few[3]);
    expect(each.single(1, 5).cell(0, 1)).toBe('bé');
    expect(each.measure()).toBe(measured);
    expect(cells(each, 1)).toEqual(wanted);
    expect(each.col(1)!.hasStrings).toBe(false);
    const after = applyChanges(pager, each, [{ key: 5, shape: { ids: [1], kinds: [KIND.TEXT] }, before: [few[1]], after: ['z'] }], 9) as Leaf;
    expect(cells(after, 1)).toEqual(wanted.map((text, i) => (i === 5 ? 'z' : text)));
    const grown = applyChanges(pager, each, [{ key: 80, shape, before: null, after: ['d', 80] }], 9) as Leaf;
    expect(cells(grown, 1)).toEqual([...wanted, 'd']);
    expect(cells(each, 1)).toEqual(wanted);
  }
  expect(Buffer.from(encodePage(read)).equals(Buffer.from(page))).toBe(true);
});

test('changing a number of a row leaves the texts bytes', () => {
  const pager = new Pager(new MemoryPageStore(), 1 << 20, 1);
  const read = decodePage(encodePage(leafOf(24)), 7) as Leaf;
  const after = applyChanges(pager, read, [{ key: 3, shape: { ids: [3], kinds: [KIND.F64] }, before: [3], after: [3.5] }], 9) as Leaf;
  expect(after.cell(3, 3)).toBe(3.5);
  expect(read.cell(3, 3)).toBe(3);
  expect(after.col(1)!.decoded).toBe(false);
  expect(after.single(4, 10).cell(0, 1)).toBe(texts[4]);
  expect(after.single(7, 10).cell(0, 1)).toBe(null);
});

test('what a writer has made others of is the first to go', () => {
  const store = new MemoryPageStore();
  const pager = new Pager(store, 1 << 20, 1);
  const rows: RowChange[] = [];
  const shape: Shape = { ids: [1], kinds: [KIND.TEXT] };
  for (let i = 0; i < 20_000; i++) rows.push({ key: i, shape, before: null, after: [String(i).padEnd(100, 'x')] });
  const ids: number[] = [];
  for (const leaf of leavesOf(pager, rows)) {
    const id = pager.newPageId();
    store.write({ pages: [{ id, bytes: encodePage(leaf) }] });
    ids.push(id);
  }
  const first = ids.slice(0, 20);
  for (const id of first) pager.load(id);
  for (const id of first) pager.load(id);
  const gone = first.slice(5, 10);
  for (const id of gone) pager.supersede(pager.load(id));
  // One of them is still read.
  pager.load(gone[2]);
  for (const id of ids.slice(20)) {
    const before = pager.cachedBytes;
    pager.load(id);
    if (pager.cachedBytes < before) break;
  }
  expect(gone.map((id) => pager.held(id) !== null)).toEqual([false, false, true, false, false]);
  expect(first.slice(0, 5).every((id) => pager.held(id) !== null)).toBe(true);
});

function leavesOf(pager: Pager, rows: readonly RowChange[]): Leaf[] {
  const out: Leaf[] = [];
  const walk = (node: ReturnType<typeof applyChanges>): void => {
    if (node.isLeaf) out.push(node);
    else for (let i = 0; i < node.kids.length; i++) walk(pager.kid(node, i));
  };
  walk(applyChanges(pager, emptyTree(true, 1), rows, 1));
  return out;
}
