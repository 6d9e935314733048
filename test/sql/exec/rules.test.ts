/** The optimizer's plans give the rows of the plans as written, and have the shape that is hoped for. */
import { expect, test } from 'vitest';
import { treeStatistics } from '../../../src/sql/exec/statistics.ts';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import type { Plan, ScanPlan } from '../../../src/sql/plan/logical.ts';
import { optimize } from '../../../src/sql/plan/rules/optimize.ts';
import { inputsOf } from '../../../src/sql/plan/rules/walk.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import {
  aggregate,
  aggregateOf,
  and,
  BOOL,
  col,
  constant,
  COUNT_ALL,
  filter,
  int,
  INT4,
  INT8,
  limit,
  MAX_INT4,
  not,
  op,
  operator,
  out,
  parameter,
  project,
  sort,
  sortBy,
  TEXT,
  text,
  World,
} from './world.ts';

const world = new World();
const big: Value[][] = [];
const mid: Value[][] = [];
const small: Value[][] = [];
for (let i = 0; i < 6000; i++) big.push([i, i % 300, `name${i % 50}`]);
for (let i = 0; i < 300; i++) mid.push([i, i % 10, `m${i}`]);
for (let i = 0; i < 10; i++) small.push([i, i, `s${i}`]);
const columns = [
  { name: 'id', type: INT4, notNull: true },
  { name: 'n', type: INT4 },
  { name: 's', type: TEXT },
];
const b = world.table('big', columns, big, true, [
  { name: 'big_n', columns: [1] },
  { name: 'big_s', columns: [2] },
]);
const m = world.table('mid', columns, mid, true);
const s = world.table('small', columns, small, true);
const statistics = treeStatistics(world.pager, () => world.root, world.context().keys);

function all(plan: Plan): Plan[] {
  return [plan, ...inputsOf(plan).flatMap(all)];
}
const scans = (plan: Plan): ScanPlan[] => all(plan).filter((p): p is ScanPlan => p.op === 'scan');
const sorted = (rows: Value[][]): string[] => rows.map((row) => row.map(String).join('|')).sort();

/** Optimizes, checks that the rows stay the same, and gives the new plan. */
function better(plan: Plan, ordered = false, params: Value[] = []): Plan {
  const made = optimize(plan, statistics);
  const before = world.run(plan, { params });
  const after = world.run(made, { params });
  expect(ordered ? after.map((r) => r.join('|')) : sorted(after)).toEqual(ordered ? before.map((r) => r.join('|')) : sorted(before));
  return made;
}
const join = (kind: 'inner' | 'left' | 'right' | 'full', x: Plan, y: Plan, on: Bound | null): Plan => ({
  op: 'join',
  kind,
  left: x,
  right: y,
  on,
  lateral: false,
  columns: [...x.columns, ...y.columns],
});

test('scans use key and index', () => {
  const x = world.scan(b);
  expect(scans(better(filter(x, op('=', col(x, 0), int(7)))))[0].access?.equal.length).toBe(1);
  expect(
    scans(better(filter(x, and(op('>', col(x, 0), int(100)), op('<=', int(200), col(x, 0)), op('<', col(x, 0), int(300))))))[0].access?.lower,
  ).toBeDefined();
  expect(scans(better(filter(x, op('=', col(x, 1), int(7)))))[0].access?.index?.name).toBe('big_n');
  expect(scans(better(filter(x, op('=', col(x, 1), parameter(1, INT4))), false, [9]))[0].access?.index?.name).toBe('big_n');
  expect(scans(better(filter(x, op('>', col(x, 1), int(7)))))[0].access).toBeUndefined();
  expect(
    scans(
      better(filter(x, { kind: 'in', arg: col(x, 0), list: [int(3), int(9), int(null)], equal: operator('=', INT4), negated: false, type: BOOL, typmod: -1 })),
    )[0].access?.oneOf?.length,
  ).toBe(3);
  expect(scans(better(filter(x, op('~~', col(x, 2), text('name4%')))))[0].access).toBeUndefined();
  expect(scans(better(filter(x, op('~~', col(x, 2), text('name49%')))))[0].access?.index?.name).toBe('big_s');
});

test('predicates go down through joins, projections, groups and unions', () => {
  const x = world.scan(b);
  const y = world.scan(m);
  const joined = join('left', x, y, op('=', col(x, 1), col(y, 0)));
  const plan = better(filter(joined, and(op('<', col(x, 0), int(40)), op('=', col(y, 1), int(3)))));
  expect(all(plan).find((p) => p.op === 'join')).toMatchObject({ kind: 'inner' });
  expect(plan.op).toBe('join');
  const p = project(world, x, op('+', col(x, 0), int(1)), col(x, 1));
  better(filter(p, op('=', col(p, 0), int(8))));
  const a = aggregate(world, x, [col(x, 1)], [aggregateOf(world, COUNT_ALL, INT8, [])]);
  expect(scans(better(filter(a, and(op('=', col(a, 0), int(5)), op('>', col(a, 1), constant(3, INT8))))))[0].access?.index?.name).toBe('big_n');
  const u: Plan = {
    op: 'setOperation',
    operator: 'union',
    all: true,
    left: project(world, x, col(x, 0)),
    right: project(world, y, col(y, 0)),
    columns: [out(world.id(), INT4)],
  };
  expect(scans(better(filter(u, op('=', col(u, 0), int(5))))).every((scan) => scan.access !== undefined)).toBe(true);
  const z = world.scan(s);
  better(filter(join('full', y, z, op('=', col(y, 1), col(z, 0))), op('=', col(y, 0), int(5))));
});

test('joins are ordered by their rows', () => {
  const x = world.scan(b);
  const y = world.scan(m);
  const z = world.scan(s);
  const plan = better(
    filter(
      join('inner', join('inner', x, z, null), y, null),
      and(op('=', col(x, 1), col(y, 0)), op('=', col(y, 1), col(z, 0)), op('=', col(z, 2), text('s3'))),
    ),
  );
  expect(plan.columns.length).toBe(9);
  expect(all(plan).filter((p) => p.op === 'join').length).toBe(2);
  const few = better(filter(join('inner', x, z, op('=', col(x, 0), col(z, 0))), op('=', col(z, 1), int(3))));
  expect(scans(few).find((scan) => scan.table === b)?.access).toBeDefined();
});

test('subqueries become joins', () => {
  const x = world.scan(m);
  const y = world.scan(b);
  const inner = filter(y, and(op('=', col(y, 1), col(x, 0)), op('<', col(y, 0), int(150))));
  const exists: Bound = { kind: 'exists', plan: project(world, inner, int(1)), type: BOOL, typmod: -1 };
  expect(all(better(filter(x, exists))).find((p) => p.op === 'join')).toMatchObject({ kind: 'semi' });
  expect(all(better(filter(x, not(exists)))).find((p) => p.op === 'join')).toMatchObject({ kind: 'anti' });
  const list = project(world, filter(y, op('<', col(y, 0), int(20))), col(y, 1));
  const inQuery: Bound = { kind: 'quantifiedQuery', quantifier: 'any', plan: list, compare: op('=', col(x, 0), col(list, 0)), type: BOOL, typmod: -1 };
  expect(all(better(filter(x, inQuery))).find((p) => p.op === 'join')).toMatchObject({ kind: 'semi' });
  const max = aggregate(
    world,
    filter(y, op('=', col(y, 1), col(x, 0))),
    [],
    [aggregateOf(world, MAX_INT4, INT4, [col(y, 0)]), aggregateOf(world, COUNT_ALL, INT8, [])],
  );
  const scalar = (i: number, of: typeof INT4): Bound => ({ kind: 'subquery', plan: project(world, max, col(max, i)), type: of, typmod: -1 });
  expect(all(better(project(world, x, col(x, 0), scalar(0, INT4)))).find((p) => p.op === 'join')).toMatchObject({ kind: 'left' });
  better(filter(x, op('>', scalar(0, INT4), int(5980))));
  const none = aggregate(world, filter(y, and(op('=', col(y, 1), col(x, 0)), op('<', col(y, 0), int(5)))), [], [aggregateOf(world, COUNT_ALL, INT8, [])]);
  better(project(world, x, col(x, 0), { kind: 'subquery', plan: none, type: INT8, typmod: -1 }));
});

test('sorts by the key are left out, others cut short', () => {
  const x = world.scan(b);
  expect(all(better(sort(x, sortBy(col(x, 0))), true)).some((p) => p.op === 'sort')).toBe(false);
  const back = better(limit(sort(x, sortBy(col(x, 0), true), sortBy(col(x, 1))), 5), true);
  expect(scans(back)[0].access?.backward).toBe(true);
  const top = better(limit(project(world, sort(x, sortBy(col(x, 2)), sortBy(col(x, 1))), col(x, 2), col(x, 1)), 5, 3), true);
  expect(all(top).find((p) => p.op === 'sort')).toMatchObject({ top: { offset: { value: 3 } } });
  const byIndex = better(limit(sort(x, sortBy(col(x, 1))), 3), true);
  expect(scans(byIndex)[0].access?.index?.name).toBe('big_n');
  expect(all(better(limit(sort(filter(x, op('=', col(x, 1), int(7))), sortBy(col(x, 1)), sortBy(col(x, 2))), 3))).some((p) => p.op === 'sort')).toBe(true);
});

test('unions of many queries', () => {
  const one = (i: number): Plan => ({ op: 'values', rows: [[int(i)]], columns: [out(world.id(), INT4)] });
  const chain = (count: number): Plan => {
    let plan = one(0);
    for (let i = 1; i < count; i++) plan = { op: 'setOperation', operator: 'union', all: true, left: plan, right: one(i), columns: [out(world.id(), INT4)] };
    return plan;
  };
  expect(world.run(optimize(chain(800), statistics)).length).toBe(800);
  expect(() => world.run(optimize(chain(30_000), statistics))).toThrowError(expect.objectContaining({ code: '54001' }));
});
