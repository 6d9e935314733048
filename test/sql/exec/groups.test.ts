/** Aggregates, sorts and top-N against the same worked out over plain arrays. */
import { expect, test } from 'vitest';
import type { Plan } from '../../../src/sql/plan/logical.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import {
  aggregate,
  aggregateOf,
  AVG_INT4,
  col,
  constant,
  COUNT,
  COUNT_ALL,
  filter,
  FLOAT8,
  formatNumeric,
  int,
  INT4,
  INT8,
  limit,
  LIST_TEXT,
  MAX_INT4,
  MIN_TEXT,
  NUMERIC,
  op,
  project,
  sort,
  sortBy,
  SUM_FLOAT8,
  SUM_INT4,
  SUM_NUMERIC,
  TEXT,
  World,
} from './world.ts';

const world = new World();
const COUNT_ROWS = 3000;
const rows: Value[][] = [];
for (let i = 0; i < COUNT_ROWS; i++) rows.push([i, i % 11 === 0 ? null : (i * 7919) % 13, i % 3 === 0 ? 'x' : `s${i % 4}`, i / 8, new Numeric(i, 2)]);
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'n', type: INT4 },
    { name: 's', type: TEXT },
    { name: 'f', type: FLOAT8 },
    { name: 'd', type: NUMERIC, scale: 2 },
  ],
  rows,
);
const show = (value: Value): string => (value instanceof Numeric ? formatNumeric(value) : String(value));
const run = (plan: Plan): string[] => world.run(plan).map((row) => row.map(show).join('|'));

test('one group of all rows', () => {
  const s = world.scan(t);
  const plan = aggregate(
    world,
    filter(s, op('<', col(s, 0), int(100))),
    [],
    [
      aggregateOf(world, COUNT_ALL, INT8, []),
      aggregateOf(world, COUNT, INT8, [col(s, 1)]),
      aggregateOf(world, SUM_INT4, INT8, [col(s, 0)]),
      aggregateOf(world, AVG_INT4, NUMERIC, [col(s, 0)]),
      aggregateOf(world, SUM_NUMERIC, NUMERIC, [col(s, 4)]),
      aggregateOf(world, MIN_TEXT, TEXT, [col(s, 2)]),
      aggregateOf(world, MAX_INT4, INT4, [col(s, 1)]),
      aggregateOf(world, SUM_FLOAT8, FLOAT8, [col(s, 3)]),
      aggregateOf(world, COUNT_ALL, INT8, [], { filter: op('=', col(s, 2), constant('x', TEXT)) }),
    ],
  );
  expect(run(plan)).toEqual(['100|90|4950|49.5000000000000000|49.50|s0|12|618.75|34']);
});

test('no rows: one row without groups, none with', () => {
  const s = world.scan(t);
  const none = filter(s, op('<', col(s, 0), int(0)));
  const aggregates = [aggregateOf(world, COUNT_ALL, INT8, []), aggregateOf(world, SUM_INT4, INT8, [col(s, 0)])];
  expect(run(aggregate(world, none, [], aggregates))).toEqual(['0|null']);
  expect(run(aggregate(world, none, [col(s, 1)], aggregates))).toEqual([]);
  expect(run(aggregate(world, s, [], [aggregateOf(world, COUNT_ALL, INT8, [])]))).toEqual([String(COUNT_ROWS)]);
});

function expected(keys: (row: Value[]) => Value[]): string[] {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const key = keys(row).map(show).join('|');
    const g = groups.get(key) ?? [0, 0];
    g[0]++;
    g[1] += row[0] as number;
    groups.set(key, g);
  }
  return [...groups].map(([key, [n, sum]]) => `${key}|${n}|${sum}`);
}

test('groups by one and by several columns', () => {
  const s = world.scan(t);
  const aggregates = [aggregateOf(world, COUNT_ALL, INT8, []), aggregateOf(world, SUM_INT4, INT8, [col(s, 0)])];
  expect(run(aggregate(world, s, [col(s, 1)], aggregates))).toEqual(expected((r) => [r[1]]));
  expect(run(aggregate(world, s, [col(s, 2)], aggregates))).toEqual(expected((r) => [r[2]]));
  expect(run(aggregate(world, s, [col(s, 1), col(s, 2)], aggregates))).toEqual(expected((r) => [r[1], r[2]]));
  expect(run(aggregate(world, s, [col(s, 4)], aggregates))).toEqual(expected((r) => [r[4]]));
  expect(run(aggregate(world, s, [col(s, 1), col(s, 2), col(s, 0)], aggregates))).toEqual(expected((r) => [r[1], r[2], r[0]]));
});

test('grouping sets', () => {
  const s = world.scan(t);
  const aggregates = [aggregateOf(world, COUNT_ALL, INT8, [])];
  const got = run(aggregate(world, s, [col(s, 1), col(s, 2)], aggregates, [[0, 1], [0], []]));
  const pairs = new Set(rows.map((r) => `${String(r[1])}|${String(r[2])}`)).size;
  expect(got.length).toBe(pairs + 14 + 1);
  expect(got.at(-1)).toBe(`null|null|3|${COUNT_ROWS}`);
  expect(got.filter((line) => line.split('|')[2] === '1').length).toBe(14);
});

test('distinct and ordered arguments', () => {
  const s = world.scan(t);
  const plan = aggregate(
    world,
    filter(s, op('<', col(s, 0), int(12))),
    [],
    [
      aggregateOf(world, COUNT, INT8, [col(s, 2)], { distinct: true }),
      aggregateOf(world, LIST_TEXT, TEXT, [col(s, 2)], { distinct: true }),
      aggregateOf(world, LIST_TEXT, TEXT, [col(s, 2)], { orderBy: [sortBy(col(s, 0), true)] }),
      aggregateOf(world, SUM_INT4, INT8, [col(s, 1)], { distinct: true }),
    ],
  );
  const some = rows.slice(0, 12);
  const distinctN = new Set(some.map((r) => r[1]).filter((v) => v !== null)) as Set<number>;
  expect(run(plan)).toEqual([
    `5|s0,s1,s2,s3,x|${some
      .map((r) => r[2])
      .reverse()
      .join(',')}|${[...distinctN].reduce((a, b) => a + b, 0)}`,
  ]);
});

test('sorts: stable, nulls last or first, several keys', () => {
  const s = world.scan(t);
  const byN = [...rows].sort((a, b) => ((a[1] as number | null) ?? 99) - ((b[1] as number | null) ?? 99));
  expect(world.run(sort(s, sortBy(col(s, 1)))).map((r) => r[0])).toEqual(byN.map((r) => r[0]));
  const two = [...rows].sort((a, b) => (a[2]! < b[2]! ? -1 : a[2]! > b[2]! ? 1 : (b[0] as number) - (a[0] as number)));
  expect(world.run(sort(s, sortBy(col(s, 2)), sortBy(col(s, 0), true))).map((r) => r[0])).toEqual(two.map((r) => r[0]));
  const expression = sort(s, sortBy(op('%', col(s, 0), int(5)), true));
  const five = [...rows].sort((a, b) => ((b[0] as number) % 5) - ((a[0] as number) % 5));
  expect(world.run(project(world, expression, col(s, 0))).flat()).toEqual(five.map((r) => r[0]));
  const first = [...rows].sort((a, b) => ((b[1] as number | null) ?? 99) - ((a[1] as number | null) ?? 99));
  expect(world.run(sort(s, sortBy(col(s, 1), true))).map((r) => r[0])).toEqual(first.map((r) => r[0]));
});

test('only the first rows of a sort', () => {
  const s = world.scan(t);
  const keys = [sortBy(col(s, 1), true, false), sortBy(op('%', col(s, 0), int(7)))];
  const all = world.run(sort(s, ...keys));
  for (const [rowsWanted, offset] of [
    [10, 0],
    [300, 20],
    [5000, 0],
    [0, 3],
  ]) {
    const top: Plan = { op: 'sort', input: s, keys, top: { limit: constant(rowsWanted, INT8), offset: constant(offset, INT8) }, columns: s.columns };
    expect(world.run(limit(top, rowsWanted, offset))).toEqual(all.slice(offset, offset + rowsWanted));
  }
});
