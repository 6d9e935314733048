/** New rows as leaves: built, appended to a tree, written and read back, they equal the individual rows. */
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/base/bytes.ts';
import { changesInParts, countRows, readChanges, treeInPieces, type TreeChanges, writeChanges } from '../../src/events/changes.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../../src/events/codec.ts';
import type { Event } from '../../src/events/event.ts';
import { joinedNewRows, NewRows } from '../../src/events/new-rows.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { appendLeaves, lastKey } from '../../src/tree/append-leaves.ts';
import { type Datum, KIND, type Key, type Kind, type RowChange } from '../../src/tree/datum.ts';
import { LeafBuilder } from '../../src/tree/leaf-builder.ts';
import { LEAF_BYTES_MAX, LEAF_ROWS_MAX, type Leaf, type Node } from '../../src/tree/node.ts';
import { decodePage, encodePage } from '../../src/tree/page-format.ts';
import { Pager } from '../../src/tree/pager.ts';
import { applyChanges, emptyTree } from '../../src/tree/write.ts';

const IDS = [3, 5, 6, 7, 8, 9, 10];
const KINDS: Kind[] = [KIND.I32, KIND.F64, KIND.TEXT, KIND.BOOL, KIND.BIN, KIND.F64, KIND.TEXT];

/** Columns of each form: differences, fractions and what is no number, texts of all alphabets, one value for all. */
function cells(i: number): Datum[] {
  return [
    i % 11 === 0 ? null : (i * 7919) % 2147483647,
    [i / 4, -0, Number.NaN, Infinity, i, -i, 2 ** 52 + i][i % 1000 < 500 ? 4 : i % 7],
    i % 5 === 0 ? null : i % 1000 < 500 ? 'é🙂'.repeat(i % 4) : `text ${i}`,
    i % 3 === 0,
    String.fromCharCode(i % 256, (i * 3) % 256),
    i % 1000 === 999 ? 9_223_372_036_854_775_000n + BigInt(i % 9) : 7,
    'the same',
  ];
}

// A bigint stands beside whole numbers only.
const textKey = (i: number): string => `k${String(i).padStart(7, '0')}`;

function built(count: number, keyOf: (i: number) => Key, from = 0): readonly Leaf[] {
  const builder = new LeafBuilder(typeof keyOf(0) === 'number', IDS, KINDS, 1);
  for (let i = from; i < from + count; i++) builder.add(keyOf(i), cells(i));
  return builder.finish();
}

function contents(leaves: readonly Leaf[]): unknown[] {
  return leaves.flatMap((leaf) => Array.from({ length: leaf.count }, (_, i) => [leaf.key(i), ...IDS.map((id) => leaf.cell(i, id))]));
}

function expected(count: number, keyOf: (i: number) => Key, from = 0): unknown[] {
  return Array.from({ length: count }, (_, i) => [keyOf(from + i), ...cells(from + i)]);
}

function leavesOf(pager: Pager, node: Node): Leaf[] {
  return node.isLeaf ? [node] : node.keys.flatMap((_, i) => leavesOf(pager, pager.kid(node, i)));
}

const KEYS: [string, (i: number) => Key][] = [
  ['numbers', (i) => i * 2 - 3000],
  ['texts', textKey],
];

test.each(KEYS)('rows come out of leaves as they went in, keys being %s', (_, keyOf) => {
  const leaves = built(5000, keyOf);
  expect(contents(leaves)).toEqual(expected(5000, keyOf));
  for (const leaf of leaves) {
    expect(leaf.count).toBeLessThanOrEqual(LEAF_ROWS_MAX);
    expect(leaf.bytes).toBeLessThanOrEqual(LEAF_BYTES_MAX);
    // The last may be small.
    if (leaf !== leaves.at(-1)) expect(leaf.count === LEAF_ROWS_MAX || leaf.bytes > LEAF_BYTES_MAX * 0.9).toBe(true);
  }
});

test('a row that is longer than a leaf has one of its own', () => {
  const builder = new LeafBuilder(true, [1], [KIND.TEXT], 1);
  const texts = ['a', 'b'.repeat(3 * LEAF_BYTES_MAX), 'c', null, 'd'.repeat(LEAF_BYTES_MAX)];
  texts.forEach((text, i) => builder.add(i, [text]));
  expect(builder.finish().flatMap((leaf) => Array.from({ length: leaf.count }, (_, i) => leaf.cell(i, 1)))).toEqual(texts);
});

test.each(KEYS)('leaves are pages and come back, keys being %s', (_, keyOf) => {
  const leaves = built(3000, keyOf).map((leaf) => decodePage(encodePage(leaf), 1) as Leaf);
  expect(contents(leaves)).toEqual(expected(3000, keyOf));
  // Written again without a look at their texts.
  expect(contents(built(3000, keyOf).map((leaf) => decodePage(encodePage(decodePage(encodePage(leaf), 1)), 2) as Leaf))).toEqual(expected(3000, keyOf));
});

test.each(KEYS)('an event holds leaves, whole or in pieces, keys being %s', (_, keyOf) => {
  const changes = new NewRows(77, typeof keyOf(0) === 'number', built(5000, keyOf));
  const other: TreeChanges = { tree: 90, numeric: true, rows: [{ key: 1, shape: { ids: [1], kinds: [KIND.I32] }, before: null, after: [4] }] };
  const out = new ByteWriter();
  writeChanges(out, [changes, other]);
  const bytes = out.finish();
  const parts = changesInParts(new ByteWriter(), [changes, other], (each) => each === changes);
  const pieces = parts.flatMap((part) => (part instanceof Uint8Array ? [part] : [...treeInPieces(part, 100)]));
  expect(pieces.length).toBeGreaterThan(3);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  const [read, second] = readChanges(new ByteReader(bytes));
  expect(second).toEqual(other);
  expect(read).toBeInstanceOf(NewRows);
  expect(contents((read as NewRows).leaves)).toEqual(expected(5000, keyOf));
  // Leaves that were read, with texts not decoded, are written alike.
  const again = new ByteWriter();
  writeChanges(again, [read, other]);
  expect(contents((readChanges(new ByteReader(again.finish()))[0] as NewRows).leaves)).toEqual(expected(5000, keyOf));
  expect(countRows([read, other])).toBe(5001);
});

test('the bytes of leaves are those of the format', () => {
  const builder = new LeafBuilder(true, [16385, 16386], [KIND.F64, KIND.TEXT], 1);
  builder.add(5, [1, 'Oslo']);
  builder.add(6, [null, 'é']);
  builder.add(8, [-2.5, 'Oslo']);
  const event: Event = { type: 'committed', how: 'write', changes: [new NewRows(16384, true, builder.finish())] };
  const payload = Buffer.from(encodeEvent(event));
  // how, trees; tree, form, leaves; rows, columns
  expect(payload.toString('hex')).toBe(
    `0001${'8080010301'}${'0302'}` +
      // keys: 5 and differences 1, 2
      `01${'0000000000001440'}0204` +
      // column 16385, F64 with tags, as they are
      `81800183${'000100'}02${'000000000000f03f'}${'0000000000000000'}${'00000000000004c0'}` +
      // column 16386, TEXT: lengths, then the bytes
      `82800105${'02'}040204${'0a'}${Buffer.from('OsloéOslo').toString('hex')}`,
  );
  expect(versionOf(event)).toBe(2);
  expect(versionOf({ ...event, changes: [] })).toBe(1);
  const read = decodeEvent(EVENT_TYPES.committed, 2, payload) as typeof event;
  expect(read.changes[0].rows).toEqual((event.changes[0] as NewRows).rows);
  expect(() => decodeEvent(EVENT_TYPES.committed, 5, payload)).toThrow(/version 5/);
});

test('rows are built on demand, and a copy of the changes has no leaves', () => {
  const changes = new NewRows(
    7,
    true,
    built(600, (i) => i),
  );
  expect(changes.rows.map(({ key, after }) => [key, ...after!])).toEqual(expected(600, (i) => i));
  expect(Object.keys({ ...changes })).not.toContain('leaves');
  expect([changes.first, changes.last, changes.count]).toEqual([0, 599, 600]);
  const next = new NewRows(
    7,
    true,
    built(600, (i) => i, 600),
  );
  expect(contents(joinedNewRows([changes, next])!.leaves)).toEqual(expected(1200, (i) => i));
  expect(joinedNewRows([next, changes])).toBe(null);
  expect(joinedNewRows([changes, { tree: 7, numeric: true, rows: [] }])).toBe(null);
});

test.each(KEYS)('leaves behind the rows of a tree of any height, keys being %s', (_, keyOf) => {
  for (const first of [0, 1, 200, 3000, 40_000]) {
    const pager = new Pager(new MemoryPageStore(), 1e9, 1);
    const shape = { ids: IDS, kinds: KINDS };
    const rows: RowChange[] = Array.from({ length: first }, (_, i) => ({ key: keyOf(i), shape, before: null, after: [i, i, 'x', true, 'y', i, 'z'] }));
    const before = applyChanges(pager, emptyTree(typeof keyOf(0) === 'number', 1), rows, 1);
    const known = contents(leavesOf(pager, before));
    const leaves = built(20_000, keyOf, first);
    const after = appendLeaves(pager, before, leaves, 2);
    expect(after.count).toBe(first + 20_000);
    expect(lastKey(pager, after)).toBe(keyOf(first + 19_999));
    const all = leavesOf(pager, after);
    expect(contents(all)).toEqual([...known, ...expected(20_000, keyOf, first)]);
    // Later writers copy: appended and existing leaves stay unchanged.
    const changed = applyChanges(pager, after, [{ key: keyOf(first + 5), shape: { ids: [3], kinds: [KIND.I32] }, before: [0], after: [42] }], 3);
    expect(contents(leaves)).toEqual(expected(20_000, keyOf, first));
    expect(contents(leavesOf(pager, before))).toEqual(known);
    expect(changed.count).toBe(after.count);
  }
});
