/** Window functions and frames, and writes through a table writer, against plain loops. */
import { expect, test } from 'vitest';
import type { Key } from '../../../src/tree/datum.ts';
import type { AggregateFunction, WindowFunction } from '../../../src/sql/functions/define.ts';
import type { BoundFrame, BoundFrameEdge, Plan, WindowPlan } from '../../../src/sql/plan/logical.ts';
import type { TableWriter } from '../../../src/sql/schema/table-writer.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { BOOL, col, column, constant, filter, int, INT4, INT8, op, out, project, sortBy, SUM_INT4, TEXT, text, World } from './world.ts';

const world = new World();
const rows: Value[][] = [];
for (let i = 0; i < 60; i++) rows.push([i, i % 4, (i * 5) % 12]);
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'p', type: INT4 },
    { name: 'o', type: INT4 },
  ],
  rows,
  true,
);
const rowNumber: WindowFunction = { kind: 'window', needs: 'rows', name: 'row_number', args: [], returns: 'int8', doc: '', impl: (view) => view.row + 1 };
const rank: WindowFunction = {
  kind: 'window',
  needs: 'peers',
  name: 'rank',
  args: [],
  returns: 'int8',
  doc: '',
  impl: (view) => view.peersOf(view.row)[0] + 1,
};
const lastValue: WindowFunction = {
  kind: 'window',
  needs: 'frame',
  name: 'last_value',
  args: ['any'],
  returns: 'any',
  doc: '',
  impl: (view) => (view.frameEnd > view.frameStart ? view.arg(0, view.frameEnd - 1) : null),
};
const DEFAULT: BoundFrame = { mode: 'range', start: { type: 'unboundedPreceding' }, end: { type: 'currentRow' }, exclude: 'noOthers', inRange: null };

function windowOf(frame: BoundFrame, descending = false): { plan: WindowPlan; s: Plan } {
  const s = world.scan(t);
  const functions = [
    { id: world.id(), fn: rowNumber, type: INT8, args: [], filter: null },
    { id: world.id(), fn: rank, type: INT8, args: [], filter: null },
    { id: world.id(), fn: SUM_INT4, type: INT8, args: [col(s, 0)], filter: null },
    { id: world.id(), fn: lastValue, type: INT4, args: [col(s, 0)], filter: null },
  ];
  return {
    s,
    plan: {
      op: 'window',
      input: s,
      partitionBy: [col(s, 1)],
      orderBy: [sortBy(col(s, 2), descending)],
      frame,
      functions,
      columns: [...s.columns, ...functions.map((f) => out(f.id, f.type))],
    },
  };
}

/** Sum of ids over the frame, by looking at every row of the partition. */
function check(
  frame: BoundFrame,
  inFrame: (row: { at: number; group: number; o: number }, other: { at: number; group: number; o: number }) => boolean,
  descending = false,
): void {
  const { plan } = windowOf(frame, descending);
  for (const [id, p, o, number, , sum] of world.run(plan)) {
    const partition = rows.filter((r) => r[1] === p).sort((a, b) => (descending ? -1 : 1) * ((a[2] as number) - (b[2] as number)));
    const values = [...new Set(partition.map((r) => r[2]))];
    const described = partition.map((r, at) => ({ id: r[0] as number, at, group: values.indexOf(r[2]), o: r[2] as number }));
    const me = described.find((d) => d.id === id)!;
    expect(me.at + 1).toBe(number);
    const wanted = described.filter((d) => inFrame(me, d)).map((d) => d.id);
    expect([id, sum]).toEqual([id, wanted.length === 0 ? null : wanted.reduce((a, b) => a + b, 0)]);
    void o;
  }
}
const offset = (type: 'preceding' | 'following', n: number): BoundFrameEdge => ({ type, offset: constant(n, INT8) });

test('frames by rows, groups and range', () => {
  check(DEFAULT, (me, d) => d.group <= me.group);
  check({ ...DEFAULT, mode: 'rows', start: offset('preceding', 2), end: offset('following', 1) }, (me, d) => d.at >= me.at - 2 && d.at <= me.at + 1);
  check({ ...DEFAULT, mode: 'rows', start: offset('following', 1), end: offset('following', 3) }, (me, d) => d.at >= me.at + 1 && d.at <= me.at + 3);
  check({ ...DEFAULT, mode: 'groups', start: offset('preceding', 1), end: { type: 'currentRow' } }, (me, d) => d.group >= me.group - 1 && d.group <= me.group);
  check({ ...DEFAULT, mode: 'rows', end: { type: 'unboundedFollowing' }, exclude: 'currentRow' }, (me, d) => d.at !== me.at);
  check({ ...DEFAULT, end: { type: 'unboundedFollowing' }, exclude: 'group' }, (me, d) => d.group !== me.group);
  check({ ...DEFAULT, end: { type: 'unboundedFollowing' }, exclude: 'ties' }, (me, d) => d.group !== me.group || d.at === me.at);
  const [value, base, off] = [world.id(), world.id(), world.id()];
  const inRange = { value, base, offset: off, minus: op('-', column(base, INT4), column(off, INT4)), plus: op('+', column(base, INT4), column(off, INT4)) };
  const by = (n: number, type: 'preceding' | 'following'): BoundFrameEdge => ({ type, offset: int(n) });
  check({ ...DEFAULT, start: by(3, 'preceding'), end: by(1, 'following'), inRange }, (me, d) => d.o >= me.o - 3 && d.o <= me.o + 1);
  check({ ...DEFAULT, start: by(3, 'preceding'), end: by(1, 'following'), inRange }, (me, d) => d.o <= me.o + 3 && d.o >= me.o - 1, true);
});

test('offsets must not be negative', () => {
  const { plan } = windowOf({ ...DEFAULT, mode: 'rows', start: offset('preceding', -1) });
  expect(() => world.run(plan)).toThrowError(expect.objectContaining({ code: '22013' }));
});

test('a sum that can undo steps slides', () => {
  let steps = 0;
  const sliding = {
    ...SUM_INT4,
    step: (s: number | null, v: number) => (steps++, (s ?? 0) + v),
    inverse: (s: number, v: number) => s - v,
  } as unknown as AggregateFunction;
  const { plan, s } = windowOf({ ...DEFAULT, mode: 'rows', start: offset('preceding', 5) });
  const made: WindowPlan = { ...plan, functions: [{ id: world.id(), fn: sliding, type: INT8, args: [col(s, 0)], filter: null }] };
  world.run({ ...made, columns: [...s.columns, out(made.functions[0].id, INT8)] });
  expect(steps).toBe(60);
});

/** Rows in a map; the key is the first column. */
class MapWriter implements TableWriter {
  readonly rows = new Map<Key, Value[]>(rows.map((row) => [row[0] as number, row]));
  readonly touched = new Set<Key>();
  add(row: readonly Value[]): void {
    this.insert(row);
  }
  insert(row: readonly Value[]): Key {
    const key = row[0] as number;
    this.rows.set(key, [...row]);
    this.touched.add(key);
    return key;
  }
  readonly proposes = false;
  propose(row: readonly Value[]): readonly Value[] {
    return row;
  }
  conflict(row: readonly Value[]): Key | null {
    return this.rows.has(row[0] as number) ? (row[0] as number) : null;
  }
  read(key: Key): Value[] | null {
    return this.rows.get(key) ?? null;
  }
  change(): boolean {
    return false;
  }

  written(key: Key): boolean {
    return this.touched.has(key);
  }
  update(key: Key, columns: readonly number[], values: readonly Value[]): readonly Value[] {
    const row = [...this.rows.get(key)!];
    columns.forEach((c, i) => (row[c] = values[i]));
    this.rows.set(key, row);
    this.touched.add(key);
    return row;
  }
  delete(key: Key): boolean {
    this.rows.delete(key);
    this.touched.add(key);
    return true;
  }
}

test('insert with conflicts, update and delete with returning', () => {
  const ids = [world.id(), world.id(), world.id()];
  const excluded = [world.id(), world.id(), world.id()];
  const input: Plan = {
    op: 'values',
    rows: [
      [int(5), int(1), int(2)],
      [int(500), int(3), int(4)],
    ],
    columns: [out(world.id(), INT4), out(world.id(), INT4), out(world.id(), INT4)],
  };
  const returned = [{ id: world.id(), value: op('+', column(ids[0], INT4), column(ids[1], INT4)) }];
  const insert: Plan = {
    op: 'insert',
    table: t,
    input,
    conflict: { arbiter: 'key', set: [{ column: 1, value: op('+', column(ids[1], INT4), column(excluded[2], INT4)) }], excluded, where: null },
    row: ids,
    rowKey: world.id(),
    returning: returned,
    columns: [out(returned[0].id, INT4)],
  };
  let writer = new MapWriter();
  expect(world.run(insert, { writer: () => writer }).flat()).toEqual([8, 503]);
  expect(writer.rows.get(5)).toEqual([5, 3, 1]);
  writer = new MapWriter();
  expect(
    world.run({ ...insert, conflict: { ...insert.conflict!, set: null, excluded: [] }, returning: null, columns: [] } as Plan, { writer: () => writer }).length,
  ).toBe(1);
  const s = world.scan(t, undefined, true);
  const key = s.columns[3].id;
  const update: Plan = {
    op: 'update',
    table: t,
    input: filter(s, op('<', col(s, 0), int(3))),
    key,
    set: [{ column: 2, value: op('*', col(s, 0), int(100)) }],
    row: ids,
    returning: [
      { id: world.id(), value: column(ids[2], INT4) },
      { id: world.id(), value: col(s, 2) },
    ],
    columns: [],
  };
  writer = new MapWriter();
  expect(world.run({ ...update, columns: update.returning!.map((item) => out(item.id, INT4)) }, { writer: () => writer })).toEqual([
    [0, 0],
    [100, 5],
    [200, 10],
  ]);
  const remove: Plan = { op: 'delete', table: t, input: filter(s, op('=', col(s, 1), int(1))), key, returning: null, columns: [] };
  writer = new MapWriter();
  expect(world.run(remove, { writer: () => writer }).length).toBe(15);
  expect(writer.rows.size).toBe(45);
  void [BOOL, TEXT, text, project];
});
