/**
 * The executor's hot loops over a million rows, in nanoseconds a row. By hand:
 *   node --experimental-strip-types test/bench/exec.ts   (or after a build: node dist/test/bench/exec.js)
 */
import { compile } from '../../src/sql/exec/compile.ts';
import type { Plan } from '../../src/sql/plan/logical.ts';
import { Numeric } from '../../src/sql/types/numeric.ts';
import type { Value } from '../../src/sql/types/value.ts';
import {
  aggregate,
  aggregateOf,
  col,
  constant,
  COUNT_ALL,
  filter,
  FLOAT8,
  int,
  INT4,
  INT8,
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
} from '../sql/exec/world.ts';

const ROWS = 1_000_000;
const world = new World();
const rows: Value[][] = [];
for (let i = 0; i < ROWS; i++) rows.push([i, i % 1000, (i * 7) % 10007, i / 3, `city ${i % 20}`, new Numeric(i * 25, 2)]);
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'n', type: INT4 },
    { name: 'w', type: INT8 },
    { name: 'f', type: FLOAT8 },
    { name: 's', type: TEXT },
    { name: 'd', type: NUMERIC, scale: 2 },
  ],
  rows,
  true,
);
const small = world.table(
  'small',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'v', type: INT4 },
  ],
  Array.from({ length: 1000 }, (_, i) => [i, i % 10]),
  true,
);
rows.length = 0;

function measure(name: string, plan: Plan, count = ROWS): void {
  const executable = compile(plan);
  const context = world.context();
  let best = Infinity;
  let first = 0;
  /** Time between two returns to the caller. */
  let longest = 0;
  for (let i = 0; i < 7; i++) {
    const start = performance.now();
    const cursor = executable.run(context);
    for (let before = start; cursor.next() !== null;) {
      const now = performance.now();
      if (i > 0) longest = Math.max(longest, now - before);
      before = now;
    }
    const took = performance.now() - start;
    if (i === 0) first = took;
    best = Math.min(best, took);
  }
  process.stdout.write(
    `${name.padEnd(44)} ${best.toFixed(2).padStart(9)} ms  ${((best * 1e6) / count).toFixed(1).padStart(7)} ns a row   first ${first.toFixed(1)} ms   longest slice ${longest.toFixed(1)} ms\n`,
  );
}

const only = process.argv[2];
const cases: [string, () => Plan, number?][] = [
  ['filter n < 500, sum(n) int4', () => one((s) => [filter(s, op('<', col(s, 1), int(500))), [aggregateOf(world, SUM_INT4, INT8, [col(s, 1)])]])],
  [
    'filter f < 1e5, sum(f) float8',
    () => one((s) => [filter(s, op('<', col(s, 3), constant(1e5, FLOAT8))), [aggregateOf(world, SUM_FLOAT8, FLOAT8, [col(s, 3)])]]),
  ],
  ['filter w < 5000, sum(n) int8', () => one((s) => [filter(s, op('<', col(s, 2), constant(5000, INT8))), [aggregateOf(world, SUM_INT4, INT8, [col(s, 1)])]])],
  ['sum(d * d + d) numeric(.,2)', () => one((s) => [s, [aggregateOf(world, SUM_NUMERIC, NUMERIC, [op('+', op('*', col(s, 5), col(s, 5)), col(s, 5))])]])],
  ['sum(d) numeric(.,2)', () => one((s) => [s, [aggregateOf(world, SUM_NUMERIC, NUMERIC, [col(s, 5)])]])],
  ['filter s = text, count', () => one((s) => [filter(s, op('=', col(s, 4), constant('city 7', TEXT))), [aggregateOf(world, COUNT_ALL, INT8, [])]])],
  ['group by text (20), count, sum', () => grouped(4)],
  ['group by int4 (1000), count, sum', () => grouped(1)],
  ['group by int8 (10007), count, sum', () => grouped(2)],
  ['group by id (1 M), count, sum', () => grouped(0)],
  ['group by two columns (20 x 1000)', () => grouped(4, 1)],
  [
    'sort by f desc',
    () => {
      const s = world.scan(t);
      return project(world, sort(s, sortBy(col(s, 3), true)), col(s, 0));
    },
  ],
  [
    'sort by text',
    () => {
      const s = world.scan(t);
      return project(world, sort(s, sortBy(col(s, 4))), col(s, 0));
    },
  ],
  [
    'all rows out, two columns',
    () => {
      const s = world.scan(t);
      return project(world, s, col(s, 0), col(s, 3));
    },
  ],
  ['hash join with 1000 rows, count', () => joined()],
];
function one(make: (s: ReturnType<World['scan']>) => [Plan, ReturnType<typeof aggregateOf>[]]): Plan {
  const [input, aggregates] = make(world.scan(t));
  return aggregate(world, input, [], aggregates);
}
function grouped(...columns: number[]): Plan {
  const s = world.scan(t);
  return aggregate(
    world,
    s,
    columns.map((c) => col(s, c)),
    [aggregateOf(world, COUNT_ALL, INT8, []), aggregateOf(world, SUM_INT4, INT8, [col(s, 1)])],
  );
}
function joined(): Plan {
  const s = world.scan(t);
  const r = world.scan(small);
  const join: Plan = { op: 'join', kind: 'inner', left: s, right: r, on: op('=', col(s, 1), col(r, 0)), lateral: false, columns: [...s.columns, ...r.columns] };
  return aggregate(world, join, [], [aggregateOf(world, SUM_INT4, INT8, [col(r, 1)])]);
}
for (const [name, make, count] of cases)
  if (only === undefined || name.includes(only)) {
    try {
      measure(name, make(), count);
    } catch (error) {
      process.stdout.write(`${name}: ${String(error)}\n`);
    }
  }
