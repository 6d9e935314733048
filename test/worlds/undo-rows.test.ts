/** What takes rows back is the same however the time in between is cut: random histories of a few rows, cut anywhere, kept as bytes, made at once or when read. */
import { expect, test } from 'vitest';
import type { WorldNumber } from '../../src/base/brands.ts';
import type { TreeChanges } from '../../src/events/changes.ts';
import { LaterRows } from '../../src/events/later-rows.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { checkTree } from '../../src/tree/check.ts';
import { type Datum, type Key, KIND, type Kind, type RowChange, type Shape } from '../../src/tree/datum.ts';
import type { Node } from '../../src/tree/node.ts';
import { Pager } from '../../src/tree/pager.ts';
import { leaves } from '../../src/tree/read.ts';
import { applyBatch, applyChanges, emptyTree } from '../../src/tree/write.ts';
import { writeOut } from '../../src/tree/write-out.ts';
import { NetUndo } from '../../src/worlds/net-undo.ts';
import { undoRounds } from '../../src/worlds/undo-changes.ts';
import { joinedUndo, type UndoTree } from '../../src/worlds/undo-run.ts';
import { decodeSegment, encodeSegment } from '../../src/worlds/undo-segment.ts';
import { Seeded } from '../sql/differential/seeded.ts';

const TREE = 40;
const WORLD = 1 as WorldNumber;
type Row = ReadonlyMap<number, Datum>;
type Rows = ReadonlyMap<Key, Row>;

const KINDS: Readonly<Record<number, Kind>> = { 3: KIND.F64, 4: KIND.TEXT, 5: KIND.JSON, 6: KIND.BOOL };

const shapeOf = (ids: number[]): Shape => ({ ids, kinds: ids.map((id) => KINDS[id]) });

function randomValue(random: Seeded, id: number): Datum {
  if (random.chance(0.1)) return null;
  if (id === 3) return random.between(-5, 1e6);
  if (id === 6) return random.chance(0.5);
  return id === 4 ? 'x'.repeat(random.between(0, random.chance(0.02) ? 5000 : 20)) : JSON.stringify(random.between(0, 9));
}

function randomRow(random: Seeded): Row {
  return new Map(
    Object.keys(KINDS)
      .map(Number)
      .filter(() => random.chance(0.7))
      .map((id) => [id, randomValue(random, id)]),
  );
}

const whole = (row: Row): { shape: Shape; values: Datum[] } => ({ shape: shapeOf([...row.keys()]), values: [...row.values()] });

/** A change of a row of `rows`, made there too. */
function randomChange(random: Seeded, rows: Map<Key, Row>, key: Key): RowChange {
  const row = rows.get(key);
  if (row === undefined) {
    const made = randomRow(random);
    rows.set(key, made);
    const { shape, values } = whole(made);
    return { key, shape, before: null, after: values };
  }
  if (random.chance(0.3)) {
    rows.delete(key);
    const { shape, values } = whole(row);
    return { key, shape, before: values, after: null };
  }
  const ids = Object.keys(KINDS)
    .map(Number)
    .filter(() => random.chance(0.4));
  if (ids.length === 0) ids.push(3);
  const changed = new Map(row);
  for (const id of ids) {
    if (random.chance(0.15)) changed.delete(id);
    else changed.set(id, randomValue(random, id));
  }
  rows.set(key, changed);
  return { key, shape: shapeOf(ids), before: ids.map((id) => row.get(id)), after: ids.map((id) => changed.get(id)) };
}

function rowsOf(pager: Pager, root: Node): Rows {
  const out = new Map<Key, Row>();
  for (const { leaf } of leaves(pager, root, null)) {
    for (let i = 0; i < leaf.count; i++) {
      const row = new Map<number, Datum>();
      for (const id of Object.keys(KINDS).map(Number)) {
        const value = leaf.cell(i, id);
        if (value !== undefined) row.set(id, value);
      }
      out.set(leaf.key(i), row);
    }
  }
  return out;
}

const inOrder = (rows: Rows): unknown => [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, row]) => [key, [...row].sort(([a], [b]) => a - b)]);

const sorted = (rows: RowChange[]): RowChange[] => rows.sort((a, b) => (a.key < b.key ? -1 : 1));

test.each(Array.from({ length: 60 }, (_, i) => i + 1))('seed %i', (seed) => {
  const random = new Seeded(seed);
  const numeric = random.chance(0.5);
  const size = random.pick([5, 60, 3000]);
  const keyOf = (n: number): Key => (numeric ? n - 10 : `k${String(n).padStart(6, '0')}`);
  const pager = new Pager(new MemoryPageStore(), 1 << 24, 1);
  const rows = new Map<Key, Row>();
  const change = (count: number): TreeChanges => {
    const keys = new Set(Array.from({ length: count }, () => keyOf(random.between(0, size))));
    return { tree: TREE, numeric, rows: sorted([...keys].map((key) => randomChange(random, rows, key))) };
  };
  let root: Node = emptyTree(numeric, pager.newEdit());
  const make = ({ rows: changed }: TreeChanges): void => void (root = applyChanges(pager, root, changed, pager.newEdit()));
  make(change(size));
  make(change(size));
  const then = new Map(rows);

  const stretches: (readonly UndoTree[])[] = [];
  for (let left = random.between(1, 12); left > 0; left--) {
    const net = new NetUndo();
    for (let events = random.between(1, 12); events > 0; events--) {
      const changes = change(random.between(1, Math.max(3, size / random.pick([1, 2, 20, 100]))));
      make(changes);
      net.add([changes]);
    }
    stretches.push(random.chance(0.7) ? decodeSegment(encodeSegment(new Map([[WORLD, net]])), WORLD)! : net.trees());
  }
  if (random.chance(0.8)) for (const _ of writeOut(pager, root, { pages: 0, bytes: 0 }));
  const now = inOrder(rows);
  expect(inOrder(rowsOf(pager, root))).toEqual(now);

  /** Rows that are made one by one as a batch, or all at once. */
  const undone = (from: Node, trees: readonly UndoTree[], edit: number, later: boolean, asRows: boolean): Node => {
    let past = from;
    for (const changes of undoRounds(trees).flat()) {
      past =
        changes instanceof LaterRows && !asRows ? applyBatch(pager, past, changes.batch, edit, later) : applyChanges(pager, past, changes.rows, edit, later);
    }
    return past;
  };
  for (const [later, asRows] of [
    [false, true],
    [true, true],
    [false, false],
    [true, false],
  ]) {
    const past = undone(root, joinedUndo(stretches), pager.newEdit(), later, asRows);
    expect(past.count).toBe(then.size);
    expect(inOrder(rowsOf(pager, past))).toEqual(inOrder(then));
    checkTree(pager, past);
    // The past can be written, too, and be read again.
    for (const _ of writeOut(pager, past, { pages: 0, bytes: 0 }));
    const read = new Pager(pager.store, 1 << 24, pager.nextId);
    expect(inOrder(rowsOf(read, read.load(past.id)))).toEqual(inOrder(then));
  }
  // Stretch by stretch: leaves are based on leaves that are not materialised.
  let past: Node = root;
  for (const stretch of stretches.toReversed()) past = undone(past, stretch, pager.newEdit(), true, false);
  checkTree(pager, past);
  expect(inOrder(rowsOf(pager, past))).toEqual(inOrder(then));
  expect(inOrder(rowsOf(pager, root))).toEqual(now);
});

test('a world that a segment does not keep is not taken for one that did not change', () => {
  const bytes = encodeSegment(
    new Map([
      [1 as WorldNumber, null],
      [2 as WorldNumber, new NetUndo()],
    ]),
  );
  expect(decodeSegment(bytes, 1 as WorldNumber)).toBeNull();
  expect(decodeSegment(bytes, 2 as WorldNumber)).toEqual([]);
  expect(decodeSegment(bytes, 3 as WorldNumber)).toEqual([]);
});
