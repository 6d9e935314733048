/** Changed rows as columns: built, applied to a tree, written and read back, they equal the individual rows. */
import { expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../src/base/bytes.ts';
import { changedRows, eachChangedKey, lastChanged } from '../../src/events/changed-rows.ts';
import { changesInParts, inverse, readChanges, treeInPieces, type TreeChanges, writeChanges } from '../../src/events/changes.ts';
import { decodeEvent, encodeEvent, EVENT_TYPES, versionOf } from '../../src/events/codec.ts';
import { ColumnChanges } from '../../src/events/column-changes.ts';
import type { Event } from '../../src/events/event.ts';
import { AppliedRows } from '../../src/sql/schema/applied-rows.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { CellChanges } from '../../src/tree/cell-changes.ts';
import { type Datum, KIND, type Key, type Kind, type RowChange, type Shape } from '../../src/tree/datum.ts';
import { LeafBuilder } from '../../src/tree/leaf-builder.ts';
import type { Leaf, Node } from '../../src/tree/node.ts';
import { decodePage, encodePage, encodeBacking } from '../../src/tree/page-format.ts';
import { Pager } from '../../src/tree/pager.ts';
import { leaves } from '../../src/tree/read.ts';
import { ShapeTable } from '../../src/tree/row-change.ts';
import { applyBatch, applyChanges, emptyTree } from '../../src/tree/write.ts';
import { Seeded } from '../sql/differential/seeded.ts';

const IDS = [3, 5, 6, 7, 8, 9];
const KINDS: Kind[] = [KIND.I32, KIND.F64, KIND.TEXT, KIND.BOOL, KIND.BIN, KIND.TEXT];
const ROWS = 3600;

function cells(i: number): Datum[] {
  return [
    i % 11 === 0 ? null : (i * 7919) % 2147483647,
    i % 700 === 699 ? 9_223_372_036_854_775_000n : i,
    i % 5 === 0 ? null : i % 1000 < 500 ? 'é🙂'.repeat(i % 4) : `text ${i}`,
    i % 3 === 0,
    String.fromCharCode(i % 256, (i * 3) % 256),
    // A column that older rows do not have.
    i < 500 ? undefined : `kind ${i % 3}`,
  ];
}

const KEYS: [string, (i: number) => Key][] = [
  ['numbers', (i) => i * 2 - 3000],
  ['texts', (i) => `k${String(i).padStart(7, '0')}`],
];

function treeOf(pager: Pager, keyOf: (i: number) => Key): Node {
  const rows: RowChange[] = Array.from({ length: ROWS }, (_, i) => {
    const all = cells(i);
    const there = all.map((_, c) => c).filter((c) => all[c] !== undefined);
    const kinds = there.map((c) => (typeof all[c] === 'bigint' ? KIND.I64 : KINDS[c]));
    return { key: keyOf(i), shape: { ids: there.map((c) => IDS[c]), kinds }, before: null, after: there.map((c) => all[c]) };
  });
  return applyChanges(pager, emptyTree(typeof keyOf(0) === 'number', 1), rows, 1);
}

type Model = Map<Key, Datum[]>;

function contents(pager: Pager, root: Node): Model {
  const out: Model = new Map();
  for (const { leaf } of leaves(pager, root, null)) {
    for (let i = 0; i < leaf.count; i++)
      out.set(
        leaf.key(i),
        IDS.map((id) => leaf.cell(i, id)),
      );
  }
  return out;
}

function rowAt(pager: Pager, root: Node, key: Key): { leaf: Leaf; index: number } {
  for (const { leaf } of leaves(pager, root, key)) return { leaf, index: leaf.find(key) };
  throw new Error('no row');
}

/** A statement's changes of some rows, and what is left by them. */
function statement(pager: Pager, root: Node, keyOf: (i: number) => Key, goes: boolean, every: number, model: Model): TreeChanges {
  const applied = new AppliedRows(16384, typeof keyOf(0) === 'number', pager.newEdit(), new ShapeTable());
  const shape: Shape = { ids: [IDS[1], IDS[2], IDS[5]], kinds: [KINDS[1], KINDS[2], KINDS[5]] };
  for (let i = 0; i < ROWS; i += every) {
    const key = keyOf(i);
    if (!model.has(key)) continue;
    const { leaf, index } = rowAt(pager, root, key);
    if (goes) {
      applied.remove(leaf, index);
      model.delete(key);
      continue;
    }
    const was = model.get(key)!;
    const after: Datum[] = [
      i % 13 === 0 ? was[1] : i % 900 === 0 ? -(2n ** 60n) : Math.floor(i / 2),
      i % 13 === 0 ? was[2] : i % 7 === 0 ? null : `new ${i}`,
      was[5],
    ];
    applied.change(
      key,
      shape,
      shape.ids.map((id) => leaf.col(id)),
      index,
      after,
    );
    model.set(key, [was[0], after[0], after[1], was[3], was[4], after[2]]);
  }
  return applied.changes() ?? { tree: 16384, numeric: typeof keyOf(0) === 'number', rows: [] };
}

function applied(pager: Pager, root: Node, changes: TreeChanges, edit: number): Node {
  if (!(changes instanceof ColumnChanges)) return applyChanges(pager, root, changes.rows, edit);
  let after = applyChanges(pager, root, changes.first, edit);
  for (const part of changes.parts) after = applyBatch(pager, after, part, edit);
  return after;
}

test.each(KEYS)('columns do to a tree what their rows do, and come back from their bytes, keys being %s', (_, keyOf) => {
  for (const [goes, every] of [
    [true, 2],
    [true, 1],
    [false, 3],
    [false, 1],
  ] as const) {
    const pager = new Pager(new MemoryPageStore(), 1e9, 1);
    const root = treeOf(pager, keyOf);
    const known = contents(pager, root);
    const model = new Map(known);
    // Leaves as a checkpoint leaves them, and as they were made.
    if (every < 3) for (const { leaf } of leaves(pager, root, null)) encodeBacking(leaf);
    const changes = statement(pager, root, keyOf, goes, every, model);
    expect(changes).toBeInstanceOf(ColumnChanges);
    const { parts } = changes as ColumnChanges;
    expect(changedRows(changes)).toBe(changes.rows.length);
    expect(lastChanged(changes)).toBe(changes.rows.at(-1)!.key);
    const keys: Key[] = [];
    eachChangedKey(changes, (key) => keys.push(key));
    expect(keys).toEqual(changes.rows.map(({ key }) => key));

    const after = applied(pager, root, changes, pager.newEdit());
    expect(contents(pager, after)).toEqual(model);
    expect(after.count).toBe(model.size);
    expect(contents(pager, applyChanges(pager, root, changes.rows, pager.newEdit()))).toEqual(model);
    // Existing rows stay, and an undo restores them.
    expect(contents(pager, root)).toEqual(known);
    expect(contents(pager, applied(pager, after, inverse([changes])[0], pager.newEdit()))).toEqual(known);

    const out = new ByteWriter();
    writeChanges(out, [changes]);
    const bytes = out.finish();
    const pieces = changesInParts(new ByteWriter(), [changes], () => true).flatMap((part) =>
      part instanceof Uint8Array ? [part] : [...treeInPieces(part, 100)],
    );
    expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
    const [read] = readChanges(new ByteReader(bytes));
    expect(read.rows).toEqual(changes.rows);
    expect((read as ColumnChanges).parts.length).toBe(parts.length);
    expect(contents(pager, applied(pager, root, read, pager.newEdit()))).toEqual(model);
    const split = [...(changes as ColumnChanges).pieces(500)];
    expect(split.length).toBeGreaterThan(1);
    expect(split.flatMap(({ rows }) => rows)).toEqual(changes.rows);
    expect(split.reduce((sum, { count }) => sum + count, 0)).toBe(changedRows(changes));
  }
});

test('one change of columns after the other, over leaves that were written, read or made a moment ago', () => {
  for (const [, keyOf] of KEYS) {
    const random = new Seeded(7);
    const pager = new Pager(new MemoryPageStore(), 1e9, 1);
    let root = treeOf(pager, keyOf);
    const model = contents(pager, root);
    let edit = pager.newEdit();
    for (let round = 0; round < 8; round++) {
      if (random.chance(0.6)) edit = pager.newEdit();
      if (random.chance(0.3)) for (const { leaf } of leaves(pager, root, null)) encodeBacking(leaf);
      const goes = random.chance(0.4);
      root = applied(pager, root, statement(pager, root, keyOf, goes, goes ? random.between(7, 36) : random.between(1, 5), model), edit);
      // A row here and there between them.
      const single = [...model.keys()].filter(() => random.chance(0.002));
      const rows = single.map((key): RowChange => ({ key, shape: { ids: [IDS[0]], kinds: [KINDS[0]] }, before: [model.get(key)![0]], after: [round] }));
      root = applyChanges(pager, root, rows, edit);
      for (const key of single) model.set(key, model.get(key)!.with(0, round));
      expect(contents(pager, root)).toEqual(model);
      if (round % 4 > 0) continue;
      for (const { leaf } of leaves(pager, root, null)) {
        const page = decodePage(encodePage(leaf), 1) as Leaf;
        expect(page.count).toBe(leaf.count);
        for (const id of leaf.colIds) for (const i of [0, leaf.count - 1]) expect(page.cell(i, id)).toEqual(leaf.cell(i, id));
      }
    }
  }
});

test('the bytes of parts are those of the format', () => {
  const column = (values: Datum[]): Leaf => {
    const builder = new LeafBuilder(true, [16385], [KIND.F64], 1);
    values.forEach((value, i) => builder.add(5 + i, [value]));
    return builder.finish()[0];
  };
  const changes = new ColumnChanges(16384, true, [], [new CellChanges(column([1, null]), column([2, 2]))]);
  const event: Event = { type: 'committed', how: 'write', changes: [changes] };
  const payload = Buffer.from(encodeEvent(event));
  expect(payload.toString('hex')).toBe(
    // how, trees; tree, form, shapes, rows, parts; changed, rows, columns
    `0001${'8080010500'}0001${'01'}${'0201'}` +
      // keys: 5 and a difference of 1
      `01${'0000000000001440'}02` +
      // column 16385 as it was, with tags, and as it is, the same for all
      `81800183${'0001'}01${'000000000000f03f'}01` +
      `81800103${'00'}${'0000000000000040'}`,
  );
  expect(versionOf(event)).toBe(3);
  const read = decodeEvent(EVENT_TYPES.committed, 3, payload) as typeof event;
  expect(read.changes[0].rows).toEqual(changes.rows);
  expect(changes.rows).toEqual([
    { key: 5, shape: { ids: [16385], kinds: [KIND.F64] }, before: [1], after: [2] },
    { key: 6, shape: { ids: [16385], kinds: [KIND.F64] }, before: [null], after: [2] },
  ]);
  // A change of another kind is refused, not passed over.
  payload[9] = 2;
  expect(() => decodeEvent(EVENT_TYPES.committed, 3, payload)).toThrow(/unknown kind/);
});

test('rows out of order, of other columns or written as they are', () => {
  const pager = new Pager(new MemoryPageStore(), 1e9, 1);
  const root = treeOf(pager, (i) => i);
  const shape: Shape = { ids: [3], kinds: [KIND.I32] };
  const applied = new AppliedRows(16384, true, pager.newEdit(), new ShapeTable());
  const expected = new Map<Key, Datum>();
  const idle: Key[] = [];
  const change = (key: number, value: Datum): void => {
    const { leaf, index } = rowAt(pager, root, key);
    expect(applied.has(key)).toBe(false);
    if (Object.is(leaf.cell(index, 3), value)) idle.push(key);
    else expected.set(key, value);
    applied.change(key, shape, [leaf.col(3)], index, [value]);
    expect(applied.has(key)).toBe(true);
  };
  for (let i = 0; i < 1000; i++) change(i, i % 4 === 0 ? cells(i)[0] : -i - 1);
  expect(applied.changes()).toBeInstanceOf(ColumnChanges);
  expect([...applied.unchanged()].sort((a, b) => (a as number) - (b as number))).toEqual(idle);
  change(3000, 1);
  change(2000, cells(2000)[0]);
  change(2500, 2);
  change(3500, 3);
  expect(applied.count).toBe(1004);
  expect(applied.has(2400)).toBe(false);
  expect(applied.has(500)).toBe(true);
  expect([...applied.unchanged()].sort((a, b) => (a as number) - (b as number))).toEqual(idle);
  const { rows } = applied.changes()!;
  expect(rows.map(({ key, after }) => [key, after![0]])).toEqual([...expected].sort((a, b) => (a[0] as number) - (b[0] as number)));
});
