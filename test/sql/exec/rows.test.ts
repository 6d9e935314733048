/** Scans, filters, projections, limits and the small sources, against rows worked out by hand. */
import { expect, test } from 'vitest';
import { KIND } from '../../../src/tree/datum.ts';
import { applyChanges, emptyTree } from '../../../src/tree/write.ts';
import { compile } from '../../../src/sql/exec/compile.ts';
import type { SetFunction } from '../../../src/sql/functions/define.ts';
import type { Bound } from '../../../src/sql/plan/bound.ts';
import type { Plan } from '../../../src/sql/plan/logical.ts';
import { ArrayValue } from '../../../src/sql/types/array-value.ts';
import { Numeric } from '../../../src/sql/types/numeric.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import {
  and,
  BOOL,
  call,
  cast,
  col,
  column,
  constant,
  drain,
  ENV,
  filter,
  FLOAT8,
  formatNumeric,
  int,
  INT4,
  INT4_ARRAY,
  INT8,
  isNull,
  limit,
  not,
  NUMERIC,
  op,
  operator,
  or,
  out,
  parameter,
  project,
  sortBy,
  TEXT,
  text,
  World,
} from './world.ts';

void ENV;
const world = new World();
const rows: Value[][] = [];
for (let i = 0; i < 1000; i++)
  rows.push([i, i % 7 === 0 ? null : i % 10, i / 4, `t${i % 5}`, new Numeric(i * 125, 2), i % 3 === 0, i === 500 ? 9007199254740993n : i]);
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'n', type: INT4 },
    { name: 'f', type: FLOAT8 },
    { name: 's', type: TEXT },
    { name: 'd', type: NUMERIC, scale: 2 },
    { name: 'b', type: BOOL },
    { name: 'w', type: INT8 },
  ],
  rows,
  true,
  [
    { name: 't_n', columns: [1] },
    { name: 't_s_n', columns: [3, 1] },
  ],
);
const values = (plan: Plan): string[] =>
  world.run(plan).map((row) => row.map((value) => (value instanceof Numeric ? formatNumeric(value) : String(value))).join('|'));
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

test('a full scan gives all rows in key order', () => {
  expect(world.run(world.scan(t)).map((row) => row[0])).toEqual(range(0, 1000));
  expect(world.run(world.scan(t)).map((row) => row[6])).toEqual(rows.map((row) => row[6]));
});

test('filters and projections', () => {
  const s = world.scan(t);
  expect(values(project(world, filter(s, and(op('=', col(s, 1), int(3)), op('<', col(s, 0), int(40)))), col(s, 0), op('+', col(s, 1), int(1))))).toEqual([
    '3|4',
    '13|4',
    '23|4',
    '33|4',
  ]);
  expect(world.run(filter(s, isNull(col(s, 1)))).length).toBe(143);
  expect(world.run(filter(s, not(op('=', col(s, 1), int(3))))).length).toBe(rows.filter((r) => r[1] !== null && r[1] !== 3).length);
  expect(world.run(filter(s, op('~~', col(s, 3), text('t3%')))).length).toBe(200);
  expect(world.run(filter(s, op('=', col(s, 6), constant(9007199254740993n, INT8)))).length).toBe(1);
});

test('numerics keep their scale', () => {
  const s = world.scan(t);
  const one = filter(s, op('=', col(s, 0), int(7)));
  const half = constant(new Numeric(5, 1), NUMERIC);
  expect(
    values(
      project(
        world,
        one,
        op('+', col(s, 4), half),
        op('*', col(s, 4), half),
        op(
          '+',
          cast(col(s, 0), NUMERIC, (v: number) => new Numeric(v, 0)),
          half,
        ),
      ),
    ),
  ).toEqual(['9.25|4.375|7.5']);
  expect(world.run(filter(s, op('<', col(s, 4), constant(new Numeric(125, 1), NUMERIC)))).length).toBe(10);
});

test('errors carry their SQLSTATE', () => {
  const s = world.scan(t);
  for (const [e, code] of [
    [op('+', col(s, 0), int(2147483647)), '22003'],
    [op('/', int(1), col(s, 0)), '22012'],
    [op('/', int(1), int(0)), '22012'],
    [op('*', constant(9223372036854775807n, INT8), col(s, 6)), '22003'],
    [op('*', op('*', col(s, 2), constant(1e300, FLOAT8)), op('*', col(s, 2), constant(1e300, FLOAT8))), '22003'],
  ] as [Bound, string][]) {
    expect(() => world.run(project(world, s, e))).toThrowError(expect.objectContaining({ code }));
  }
});

test('three-valued logic', () => {
  const u = constant(null, BOOL);
  const three = [constant(true, BOOL), constant(false, BOOL), u];
  const input = world.scan(t);
  const one = filter(input, op('=', col(input, 0), int(0)));
  // oxlint-disable-next-line no-thenable
  const hidden = (b: Bound): Bound => ({ kind: 'case', branches: [{ when: op('=', col(input, 0), int(0)), then: b }], otherwise: b, type: BOOL, typmod: -1 });
  const show = (v: Value): string => (v === null ? 'n' : v === true ? 't' : 'f');
  const ands = three.flatMap((a) => three.map((b) => and(hidden(a), hidden(b))));
  const ors = three.flatMap((a) => three.map((b) => or(hidden(a), hidden(b))));
  expect(
    world
      .run(project(world, one, ...ands))[0]
      .map(show)
      .join(''),
  ).toBe('tfnfffnfn');
  expect(
    world
      .run(project(world, one, ...ors))[0]
      .map(show)
      .join(''),
  ).toBe('ttttfntnn');
  const boolean = (value: boolean | null, negated: boolean): Bound[] =>
    three.map((arg) => ({ kind: 'isBoolean', arg: hidden(arg), value, negated, type: BOOL, typmod: -1 }));
  expect(
    world
      .run(project(world, one, ...boolean(true, false), ...boolean(false, false), ...boolean(null, false), ...boolean(true, true)))[0]
      .map(show)
      .join(''),
  ).toBe('tffftffft' + 'ftt');
});

test('lists, sets and arrays', () => {
  const s = world.scan(t);
  const inList = (arg: Bound, list: Bound[], negated = false): Bound => ({
    kind: 'in',
    arg,
    list,
    equal: operator('=', arg.type),
    negated,
    type: BOOL,
    typmod: -1,
  });
  expect(world.run(filter(s, inList(col(s, 0), [int(1), int(5), int(null)]))).length).toBe(2);
  expect(world.run(filter(s, inList(col(s, 0), [int(1), int(null)], true))).length).toBe(0);
  expect(world.run(filter(s, inList(col(s, 3), [text('t1'), text('t2')]))).length).toBe(400);
  expect(world.run(filter(s, inList(col(s, 1), range(0, 10).map(int), true))).length).toBe(0);
  expect(world.run(filter(s, inList(col(s, 0), [col(s, 1), int(999)]))).length).toBe(9);
  expect(world.run(filter(s, inList(col(s, 4), [constant(new Numeric(1250, 3), NUMERIC)]))).length).toBe(1);
  const any = (array: Bound, quantifier: 'any' | 'all', name: string): Bound => ({
    kind: 'quantified',
    quantifier,
    operator: operator(name, INT4),
    left: col(s, 0),
    array,
    type: BOOL,
    typmod: -1,
  });
  const array = constant(new ArrayValue([3, 4, null]), INT4_ARRAY);
  expect(world.run(filter(s, any(array, 'any', '='))).length).toBe(2);
  expect(world.run(filter(s, any(array, 'all', '<>'))).length).toBe(0);
  expect(world.run(filter(s, any(parameter(1, INT4_ARRAY), 'all', '>')), { params: [new ArrayValue([990, 995])] }).length).toBe(4);
  const listed = any(parameter(1, INT4_ARRAY), 'any', '=');
  for (const [param, found, unknown] of [
    [new ArrayValue([3, 4, 3000]), 2, 0],
    [new ArrayValue([3, null]), 1, 999],
    [new ArrayValue([]), 0, 0],
    [null, 0, 1000],
  ] as [Value, number, number][]) {
    expect(world.run(filter(s, listed), { params: [param] }).length).toBe(found);
    expect(world.run(filter(s, isNull(listed)), { params: [param] }).length).toBe(unknown);
    expect(world.run(world.scan(t, { index: null, equal: [], oneOf: [parameter(1, INT4_ARRAY)], backward: false }), { params: [param] }).length).toBe(found);
  }
  const subscript: Bound = { kind: 'subscript', arg: array, subscripts: [{ slice: false, lower: null, upper: int(2) }], type: INT4, typmod: -1 };
  expect(world.run(project(world, limit(s, 1), subscript))).toEqual([[4]]);
});

test('case, coalesce, let, greatest, nullif, rows', () => {
  const s = world.scan(t);
  const first = limit(s, 3);
  const kase: Bound = {
    kind: 'case',
    branches: [
      // oxlint-disable-next-line no-thenable
      { when: op('=', col(s, 0), int(0)), then: text('zero') },
      // oxlint-disable-next-line no-thenable
      { when: op('=', op('/', int(2), col(s, 0)), int(2)), then: text('one') },
    ],
    otherwise: text(null),
    type: TEXT,
    typmod: -1,
  };
  expect(world.run(project(world, first, kase)).flat()).toEqual(['zero', 'one', null]);
  const coalesce: Bound = { kind: 'coalesce', args: [col(s, 1), col(s, 0)], type: INT4, typmod: -1 };
  expect(world.run(project(world, first, coalesce)).flat()).toEqual([0, 1, 2]);
  const id = world.id();
  const bound: Bound = { kind: 'let', id, value: op('+', col(s, 0), int(1)), body: op('*', column(id, INT4), column(id, INT4)), type: INT4, typmod: -1 };
  expect(world.run(project(world, first, bound)).flat()).toEqual([1, 4, 9]);
  const greatest: Bound = { kind: 'greatest', args: [col(s, 1), int(1), int(null)], type: INT4, typmod: -1 };
  expect(world.run(project(world, first, greatest)).flat()).toEqual([1, 1, 2]);
  const nullIf: Bound = { kind: 'nullIf', left: col(s, 0), right: int(1), equal: operator('=', INT4), type: INT4, typmod: -1 };
  expect(world.run(project(world, first, nullIf)).flat()).toEqual([0, null, 2]);
  const compare: Bound = {
    kind: 'rowCompare',
    op: '<',
    left: [col(s, 5), col(s, 0)],
    right: [constant(false, BOOL), int(2)],
    equal: [operator('=', BOOL), operator('=', INT4)],
    less: [operator('<', BOOL), operator('<', INT4)],
    type: BOOL,
    typmod: -1,
  };
  expect(world.run(project(world, first, compare)).flat()).toEqual([false, true, false]);
  const distinct: Bound = { kind: 'isDistinct', left: col(s, 1), right: int(null), equal: operator('=', INT4), negated: false, type: BOOL, typmod: -1 };
  expect(world.run(project(world, first, distinct)).flat()).toEqual([false, true, true]);
});

test('long chains compile', () => {
  const s = world.scan(t);
  let sum: Bound = col(s, 0);
  for (let i = 0; i < 5000; i++) sum = op('+', sum, int(1));
  let any: Bound = op('=', col(s, 0), int(-1));
  for (let i = 0; i < 5000; i++) any = or(any, op('=', col(s, 0), int(i * 2)));
  expect(world.run(project(world, filter(limit(s, 3), any), sum)).flat()).toEqual([5000, 5002]);
});

test('access by key and by index, both ways', () => {
  const ids = (access: Plan extends never ? never : NonNullable<Parameters<World['scan']>[1]>): Value[] =>
    world.run(world.scan(t, access)).map((row) => row[0]);
  expect(ids({ index: null, equal: [int(5)], backward: false })).toEqual([5]);
  expect(ids({ index: null, equal: [], oneOf: [int(7), int(3), int(7), int(5000)], backward: false })).toEqual([3, 7]);
  expect(ids({ index: null, equal: [], lower: { value: int(995), inclusive: false }, backward: false })).toEqual([996, 997, 998, 999]);
  expect(ids({ index: null, equal: [], lower: { value: int(300), inclusive: true }, upper: { value: int(700), inclusive: false }, backward: true })).toEqual(
    range(300, 700).reverse(),
  );
  const [byN, bySN] = t.indexes;
  expect(ids({ index: byN, equal: [int(3)], backward: false })).toEqual(rows.filter((r) => r[1] === 3).map((r) => r[0]));
  expect(ids({ index: byN, equal: [int(3)], backward: true })).toEqual(
    rows
      .filter((r) => r[1] === 3)
      .map((r) => r[0])
      .reverse(),
  );
  expect(
    ids({ index: bySN, equal: [text('t2')], lower: { value: int(2), inclusive: false }, upper: { value: int(7), inclusive: true }, backward: false }).length,
  ).toBe(rows.filter((r) => r[3] === 't2' && r[1] === 7).length);
  expect(ids({ index: byN, equal: [int(null)], backward: false })).toEqual([]);
});

test('limit, offset and ties', () => {
  const s = world.scan(t);
  expect(world.run(limit(s, 2, 997)).map((r) => r[0])).toEqual([997, 998]);
  expect(world.run(limit(s, 0))).toEqual([]);
  expect(world.run(limit(s, null, 998)).length).toBe(2);
  expect(world.run(limit(project(world, s, op('/', col(s, 0), int(100)), col(s, 0)), 5, 98, null)).map((r) => r[1])).toEqual([98, 99, 100, 101, 102]);
  const p = project(world, s, op('/', col(s, 0), int(100)));
  expect(world.run(limit(p, 101, null, [sortBy(col(p, 0))])).length).toBe(200);
  expect(() => world.run({ ...(limit(s, 1) as Plan & { op: 'limit' }), limit: constant(-1, INT8) })).toThrowError(expect.objectContaining({ code: '2201W' }));
});

test('values, functions, sets', () => {
  const a = world.id();
  const b = world.id();
  expect(
    world.run({
      op: 'values',
      rows: [
        [int(1), text('x')],
        [op('+', int(1), int(1)), text(null)],
      ],
      columns: [out(a, INT4), out(b, TEXT)],
    }),
  ).toEqual([
    [1, 'x'],
    [2, null],
  ]);
  const series: SetFunction = {
    kind: 'set',
    name: 'generate_series',
    args: ['int4', 'int4'],
    returns: 'int4',
    doc: '',
    *impl(from: number, to: number): Generator<Value> {
      for (let i = from; i <= to; i++) yield i;
    },
  };
  const use = (from: Bound, to: Bound): { fn: SetFunction; type: typeof INT4; args: Bound[] } => ({ fn: series, type: INT4, args: [from, to] });
  const c = world.id();
  const scan: Plan = {
    op: 'functionScan',
    functions: [
      { call: use(int(1), int(3)), columns: [out(a, INT4)] },
      { call: use(int(1), int(2)), columns: [out(b, INT4)] },
    ],
    ordinality: out(c, INT8),
    columns: [out(a, INT4), out(b, INT4), out(c, INT8)],
  };
  expect(world.run(scan)).toEqual([
    [1, 1, 1],
    [2, 2, 2],
    [3, null, 3],
  ]);
  const s = world.scan(t);
  const set: Plan = { op: 'projectSet', input: limit(s, 3), functions: [{ id: a, call: use(int(1), col(s, 0)) }], columns: [...s.columns, out(a, INT4)] };
  expect(world.run(project(world, set, col(s, 0), column(a, INT4)))).toEqual([
    [1, 1],
    [2, 1],
    [2, 2],
  ]);
  expect(
    world.run(
      limit(
        { op: 'functionScan', functions: [{ call: use(int(1), int(2_000_000_000)), columns: [out(a, INT4)] }], ordinality: null, columns: [out(a, INT4)] },
        2,
      ),
    ),
  ).toEqual([[1], [2]]);
});

test('distinct', () => {
  const s = world.scan(t);
  const p = project(world, s, col(s, 1), col(s, 3));
  expect(world.run({ op: 'distinct', input: p, on: null, columns: p.columns }).length).toBe(new Set(rows.map((r) => `${String(r[1])}|${String(r[3])}`)).size);
  const q = project(world, s, op('/', col(s, 0), int(300)), col(s, 0));
  expect(world.run({ op: 'distinct', input: q, on: [col(q, 0)], columns: q.columns })).toEqual([
    [0, 0],
    [1, 300],
    [2, 600],
    [3, 900],
  ]);
});

test('NaN equals itself', () => {
  const x = world.id();
  const plan: Plan = { op: 'values', rows: [NaN, NaN, 1, 1, -0, 0].map((v) => [constant(v, FLOAT8)]), columns: [out(x, FLOAT8)] };
  expect(world.run({ op: 'distinct', input: plan, on: [column(x, FLOAT8)], columns: plan.columns }).length).toBe(3);
  expect(world.run({ op: 'distinct', input: plan, on: null, columns: plan.columns }).length).toBe(3);
  expect(world.run(limit(plan, 1, null, [sortBy(column(x, FLOAT8))])).length).toBe(2);
});

test('a plan runs again with other parameters, volatile functions once a row', () => {
  const s = world.scan(t);
  const executable = compile(project(world, filter(s, op('=', col(s, 0), parameter(1, INT4))), col(s, 0)));
  expect(drain(executable, world.context({ params: [5] }))).toEqual([[5]]);
  expect(drain(executable, world.context({ params: [6] }))).toEqual([[6]]);
  expect(drain(executable, world.context({ params: [null] }))).toEqual([]);
  let calls = 0;
  const next = call({ kind: 'scalar', name: 'nextval', args: [], returns: 'int4', doc: '', volatility: 'volatile', impl: () => ++calls }, INT4);
  const p = project(world, limit(s, 3), next);
  expect(world.run(project(world, p, op('+', col(p, 0), col(p, 0)))).flat()).toEqual([2, 4, 6]);
});

test('the id of a document is its key', () => {
  const made = world.table(
    'doc',
    [
      { name: 'id', type: TEXT },
      { name: 'n', type: INT4 },
    ],
    [],
  );
  const table = { ...made, document: true, key: { numeric: false, columns: [0] } };
  const utf8 = (id: string): string => Buffer.from(id, 'utf8').latin1Slice();
  const changes = ['a', 'b', 'é'].map((id, i) => ({ key: utf8(id), shape: { ids: [table.columns[1].number], kinds: [KIND.I32] }, before: null, after: [i] }));
  world.put(table.number, applyChanges(world.pager, emptyTree(false, 1), changes, 1));
  expect(world.run(world.scan(table))).toEqual([
    ['a', 0],
    ['b', 1],
    ['é', 2],
  ]);
});
