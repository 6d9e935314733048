/** Joins of every kind, subqueries, set operations and WITH, against nested loops over plain arrays. */
import { expect, test } from 'vitest';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import type { JoinPlan, Plan } from '../../../src/sql/plan/logical.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import {
  aggregate,
  aggregateOf,
  and,
  BOOL,
  col,
  column,
  COUNT_ALL,
  filter,
  int,
  INT4,
  INT4_ARRAY,
  INT8,
  limit,
  MAX_INT4,
  not,
  op,
  out,
  project,
  sort,
  sortBy,
  TEXT,
  World,
} from './world.ts';

const world = new World();
const left: Value[][] = [];
const right: Value[][] = [];
for (let i = 0; i < 300; i++) left.push([i, i % 17 === 0 ? null : i % 40, `k${i % 9}`]);
for (let i = 0; i < 60; i++) right.push([i, i % 13 === 0 ? null : (i * 3) % 50, `k${i % 11}`]);
const columns = [
  { name: 'id', type: INT4, notNull: true },
  { name: 'n', type: INT4 },
  { name: 's', type: TEXT },
];
const l = world.table('l', columns, left, true);
const r = world.table('r', columns, right, true, [{ name: 'r_n', columns: [1] }]);

const sorted = (rows: Value[][]): string[] => rows.map((row) => row.map(String).join('|')).sort();

function expected(kind: JoinPlan['kind'], on: (a: Value[], b: Value[]) => boolean): string[] {
  const rows: Value[][] = [];
  const met = new Set<Value[]>();
  for (const a of left) {
    const matches = right.filter((b) => on(a, b));
    for (const b of matches) met.add(b);
    if (kind === 'semi' || kind === 'anti') {
      if (matches.length > 0 === (kind === 'semi')) rows.push(a);
      continue;
    }
    for (const b of matches) rows.push([...a, ...b]);
    if (matches.length === 0 && (kind === 'left' || kind === 'full')) rows.push([...a, null, null, null]);
  }
  if (kind === 'right' || kind === 'full') for (const b of right) if (!met.has(b)) rows.push([null, null, null, ...b]);
  return sorted(rows);
}
const join = (kind: JoinPlan['kind'], a: Plan, b: Plan, on: Bound | null, lateral = false): Plan => ({
  op: 'join',
  kind,
  left: a,
  right: b,
  on,
  lateral,
  columns: kind === 'semi' || kind === 'anti' ? a.columns : [...a.columns, ...b.columns],
});

const less = (x: Value, y: Value): boolean => x !== null && y !== null && x < y;
const equal = (x: Value, y: Value): boolean => x !== null && y !== null && x === y;
const CONDITIONS: [string, (a: Plan, b: Plan) => Bound | null, (a: Value[], b: Value[]) => boolean, boolean][] = [
  ['one key', (a, b) => op('=', col(a, 1), col(b, 1)), (a, b) => equal(a[1], b[1]), true],
  ['text key', (a, b) => op('=', col(b, 2), col(a, 2)), (a, b) => equal(a[2], b[2]), true],
  ['two keys', (a, b) => and(op('=', col(a, 1), col(b, 1)), op('=', col(a, 2), col(b, 2))), (a, b) => equal(a[1], b[1]) && equal(a[2], b[2]), true],
  ['key and rest', (a, b) => and(op('=', col(a, 2), col(b, 2)), op('<', col(a, 1), col(b, 1))), (a, b) => equal(a[2], b[2]) && less(a[1], b[1]), true],
  ['no key', (a, b) => op('<', col(a, 1), col(b, 0)), (a, b) => less(a[1], b[0]), false],
  ['all', () => null, () => true, true],
];
for (const [name, on, check, full] of CONDITIONS) {
  for (const kind of ['inner', 'left', 'right', 'full', 'semi', 'anti'] as const) {
    if (kind === 'full' && !full) continue;
    test(`${kind} join: ${name}`, () => {
      const a = world.scan(l);
      const b = world.scan(r);
      expect(sorted(world.run(join(kind, a, b, on(a, b))))).toEqual(expected(kind, check));
    });
  }
}

test('a full join needs equalities', () => {
  const a = world.scan(l);
  const b = world.scan(r);
  expect(() => world.run(join('full', a, b, op('<', col(a, 1), col(b, 0))))).toThrowError(expect.objectContaining({ code: '0A000' }));
});

test('single joins refuse a second match', () => {
  const a = world.scan(l);
  const b = world.scan(r);
  expect(world.run(join('single', a, b, op('=', col(a, 0), col(b, 0)))).length).toBe(300);
  expect(() => world.run(join('single', a, b, op('=', col(a, 2), col(b, 2))))).toThrowError(expect.objectContaining({ code: '21000' }));
});

test('lateral joins, by index too', () => {
  const a = world.scan(l);
  const b = world.scan(r, { index: r.indexes[0], equal: [col(a, 1)], backward: false });
  expect(sorted(world.run(join('inner', a, b, null, true)))).toEqual(expected('inner', (x, y) => equal(x[1], y[1])));
  expect(sorted(world.run(join('left', a, world.scan(r, { index: null, equal: [col(a, 1)], backward: false }), null, true)))).toEqual(
    expected('left', (x, y) => equal(x[1], y[0])),
  );
  const c = world.scan(r);
  const top = limit(sort(filter(c, op('<', col(c, 0), col(a, 1))), sortBy(col(c, 0), true)), 1);
  const rows = world.run(join('left', a, top, null, true));
  expect(rows.length).toBe(300);
  expect(rows.every((row) => (row[1] === null || row[1] === 0 ? row[3] === null : row[3] === (row[1] as number) - 1))).toBe(true);
});

test('chains of left joins', () => {
  const a = world.scan(l);
  let plan: Plan = a;
  for (let i = 0; i < 8; i++) {
    const b = world.scan(r);
    plan = join('left', plan, b, and(op('=', col(a, 0), col(b, 0)), op('<', col(b, 0), int(i * 5))));
  }
  expect(world.run(plan).length).toBe(300);
});

test('subqueries: exists, scalar, array, correlated and not', () => {
  const a = world.scan(l);
  const b = world.scan(r);
  const inner = filter(b, op('=', col(b, 1), col(a, 1)));
  const exists: Bound = { kind: 'exists', plan: inner, type: BOOL, typmod: -1 };
  expect(sorted(world.run(filter(a, exists)))).toEqual(expected('semi', (x, y) => equal(x[1], y[1])));
  expect(sorted(world.run(filter(a, not(exists))))).toEqual(expected('anti', (x, y) => equal(x[1], y[1])));
  const max = aggregate(world, inner, [], [aggregateOf(world, MAX_INT4, INT4, [col(b, 0)])]);
  const scalar: Bound = { kind: 'subquery', plan: max, type: INT4, typmod: -1 };
  const rows = world.run(project(world, a, col(a, 0), col(a, 1), scalar));
  for (const [, n, value] of rows) {
    const found = right.filter((y) => equal(n, y[1])).map((y) => y[0] as number);
    expect(value).toBe(found.length === 0 ? null : Math.max(...found));
  }
  const many: Bound = { kind: 'subquery', plan: project(world, b, col(b, 0)), type: INT4, typmod: -1 };
  expect(() => world.run(project(world, a, many))).toThrowError(expect.objectContaining({ code: '21000' }));
  const array: Bound = { kind: 'arrayQuery', plan: limit(project(world, b, col(b, 0)), 3), type: INT4_ARRAY, typmod: -1 };
  expect(world.run(project(world, limit(a, 1), array))[0][0]).toEqual(new ArrayValue([0, 1, 2]));
});

test('IN, NOT IN and comparisons with subqueries are three-valued', () => {
  const a = world.scan(l);
  const b = world.scan(r);
  const withNulls = project(world, b, col(b, 1));
  const without = filter(withNulls, { kind: 'isNull', arg: col(b, 1), negated: true, type: BOOL, typmod: -1 });
  const values = right.map((y) => y[1]);
  const query = (plan: Plan, name = '=', quantifier: 'any' | 'all' = 'any'): Bound => ({
    kind: 'quantifiedQuery',
    quantifier,
    plan,
    compare: op(name, col(a, 1), col(plan, 0)),
    type: BOOL,
    typmod: -1,
  });
  const show = (plan: Bound): Value[] => world.run(project(world, a, plan)).flat();
  expect(show(query(withNulls))).toEqual(left.map((x) => (x[1] === null ? null : values.includes(x[1]) ? true : null)));
  expect(show(query(without))).toEqual(left.map((x) => (x[1] === null ? null : values.includes(x[1]))));
  expect(show(query(filter(without, op('<', col(b, 1), int(-1)))))).toEqual(left.map(() => false));
  expect(show(query(without, '<', 'all'))).toEqual(left.map((x) => (x[1] === null ? null : (x[1] as number) < 0)));
  expect(show(query(withNulls, '>', 'any'))).toEqual(left.map((x) => (x[1] === null ? null : (x[1] as number) > 0 ? true : null)));
  const correlated = query(filter(b, op('=', col(b, 0), col(a, 0))), '<>');
  expect(show({ ...correlated, compare: op('<>', col(a, 1), col(b, 1)) } as Bound)).toEqual(
    left.map((x) => {
      const match = right.find((y) => y[0] === x[0]);
      return match === undefined ? false : x[1] === null || match[1] === null ? null : x[1] !== match[1];
    }),
  );
});

test('set operations', () => {
  const a = world.scan(l);
  const b = world.scan(r);
  const x = project(world, a, col(a, 1));
  const y = project(world, b, col(b, 1));
  const operation = (operator: 'union' | 'intersect' | 'except', all: boolean): Value[] =>
    world.run({ op: 'setOperation', operator, all, left: x, right: y, columns: [out(world.id(), INT4)] }).flat();
  const xs = left.map((row) => row[1]);
  const ys = right.map((row) => row[1]);
  const counts = (list: Value[]): Map<Value, number> => list.reduce((m, v) => m.set(v, (m.get(v) ?? 0) + 1), new Map<Value, number>());
  const of = (f: (a: number, b: number) => number): string[] =>
    [...new Set([...xs, ...ys])].flatMap((v) => Array<string>(Math.max(0, f(counts(xs).get(v) ?? 0, counts(ys).get(v) ?? 0))).fill(String(v))).sort();
  const got = (values: Value[]): string[] => values.map(String).sort();
  expect(got(operation('union', true))).toEqual(of((m, n) => m + n));
  expect(got(operation('union', false))).toEqual(of(() => 1));
  expect(got(operation('intersect', true))).toEqual(of(Math.min));
  expect(got(operation('intersect', false))).toEqual(of((m, n) => (m > 0 && n > 0 ? 1 : 0)));
  expect(got(operation('except', true))).toEqual(of((m, n) => m - n));
  expect(got(operation('except', false))).toEqual(of((m, n) => (m > 0 && n === 0 ? 1 : 0)));
});

test('with, shared and recursive', () => {
  const a = world.scan(l);
  const definition = project(world, filter(a, op('<', col(a, 0), int(10))), col(a, 0));
  const one = { op: 'cteScan' as const, number: 1, source: [0], columns: [out(world.id(), INT4)] };
  const two = { op: 'cteScan' as const, number: 1, source: [0], columns: [out(world.id(), INT4)] };
  const body = aggregate(world, join('inner', one, two, op('<', col(one, 0), col(two, 0))), [], [aggregateOf(world, COUNT_ALL, INT8, [])]);
  expect(world.run({ op: 'with', definitions: [{ number: 1, name: 'w', plan: definition, modifies: false }], body, columns: body.columns })).toEqual([[45]]);
  const id = world.id();
  const start: Plan = { op: 'values', rows: [[int(1)]], columns: [out(world.id(), INT4)] };
  const work: Plan = { op: 'cteScan', number: 2, source: [0], columns: [out(world.id(), INT4)] };
  const step = project(world, filter(work, op('<', col(work, 0), int(100))), op('+', col(work, 0), int(1)));
  const recursive: Plan = { op: 'recursive', number: 2, start, step, all: true, columns: [out(id, INT4)] };
  expect(world.run(recursive).flat()).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
  const loop: Plan = { ...recursive, all: false, step: project(world, work, op('%', op('+', col(work, 0), int(1)), int(5))) } as Plan;
  expect(world.run(loop).flat()).toEqual([1, 2, 3, 4, 0]);
  const endless: Plan = { ...recursive, step: project(world, work, op('%', op('+', col(work, 0), int(1)), int(5))) } as Plan;
  expect(world.run(limit(endless, 7)).flat()).toEqual([1, 2, 3, 4, 0, 1, 2]);
  void column;
});
