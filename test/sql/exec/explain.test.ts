/** Plans as text, and sorts of many rows by radix against the plain order. */
import { expect, test } from 'vitest';
import { compile } from '../../../src/sql/exec/compile.ts';
import { type ExplainOptions, explainTree } from '../../../src/sql/exec/explain.ts';
import { textLines } from '../../../src/sql/exec/explain-formats.ts';
import { finished, sorter } from '../../../src/sql/exec/sort.ts';
import { treeStatistics } from '../../../src/sql/exec/statistics.ts';
import { optimize } from '../../../src/sql/plan/rules/optimize.ts';
import type { Plan } from '../../../src/sql/plan/logical.ts';
import type { Value } from '../../../src/sql/types/value.ts';
import { aggregate, aggregateOf, and, col, COUNT_ALL, ENV, filter, FLOAT8, int, INT4, INT8, limit, op, sort, sortBy, TEXT, text, World } from './world.ts';

const explain = (plan: Plan, options: ExplainOptions): string[] =>
  textLines(explainTree(plan, options), { verbose: false, planningMs: null, executionMs: null, timing: false });

const world = new World();
const t = world.table(
  't',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 'n', type: INT4 },
    { name: 's', type: TEXT },
  ],
  Array.from({ length: 2000 }, (_, i) => [i, i % 50, `x${i}`]),
  true,
);
const u = world.table(
  'u',
  [
    { name: 'id', type: INT4, notNull: true },
    { name: 's', type: TEXT },
  ],
  Array.from({ length: 50 }, (_, i) => [i, `u${i}`]),
  true,
);

test('plans print as Postgres prints them', () => {
  const a = world.scan(t);
  const b = world.scan(u);
  const join: Plan = { op: 'join', kind: 'inner', left: a, right: b, on: op('=', col(a, 1), col(b, 0)), lateral: false, columns: [...a.columns, ...b.columns] };
  const grouped = aggregate(world, filter(join, op('<>', col(a, 2), text('x7'))), [col(b, 1)], [aggregateOf(world, COUNT_ALL, INT8, [])]);
  const plan = optimize(
    limit(sort(grouped, sortBy(col(grouped, 1), true)), 3),
    treeStatistics(world.pager, () => world.root, world.context().keys),
  );
  const executable = compile(plan, { analyze: true });
  const cursor = executable.run(world.context());
  while (cursor.next() !== null);
  expect(explain(plan, { env: ENV, actualRows: (p) => cursor.rowsOf(p) }).map((line) => line.replace(/^ +/, (s) => '.'.repeat(s.length)))).toEqual([
    'Limit (actual rows=3 loops=1)',
    '..->  Sort (actual rows=3 loops=1)',
    '........Sort Key: c DESC',
    '........->  HashAggregate (actual rows=50 loops=1)',
    '..............Group Key: u.s',
    '..............->  Hash Join (actual rows=1999 loops=1)',
    '....................Hash Cond: (t.n = u.id)',
    '....................->  Seq Scan on t (actual rows=1999 loops=1)',
    "..........................Filter: (t.s <> 'x7'::text)",
    '..........................Rows Removed by Filter: 1',
    '....................->  Hash (actual rows=50 loops=1)',
    '..........................->  Seq Scan on u (actual rows=50 loops=1)',
  ]);
  const one = optimize(
    filter(a, and(op('>', col(a, 0), int(5)), op('<', col(a, 0), int(9)))),
    treeStatistics(world.pager, () => world.root, world.context().keys),
  );
  expect(explain(one, { env: ENV })).toEqual(['Index Scan using t_pkey on t', '  Index Cond: ((id > 5) AND (id < 9))']);
});

test('sorts of many rows', () => {
  let seed = 7;
  const random = (): number => (seed = (seed * 1664525 + 1013904223) >>> 0) / 2 ** 32;
  const count = 9000;
  const numbers: Value[] = Array.from({ length: count }, () =>
    random() < 0.05 ? null : random() < 0.02 ? NaN : random() < 0.3 ? Math.floor(random() * 100) - 50 : (random() - 0.5) * 1e9,
  );
  const texts: Value[] = Array.from({ length: count }, () => (random() < 0.05 ? null : `t${Math.floor(random() * 300)}`));
  const unique: Value[] = Array.from({ length: count }, () => `t${Math.floor(random() * 1e9)}`);
  const compare = (a: Value, b: Value, descending: boolean, nullsFirst: boolean, of: typeof TEXT): number => {
    if (a === null || b === null) return a === b ? 0 : (a === null) === nullsFirst ? -1 : 1;
    return (descending ? -1 : 1) * of.compare(a, b);
  };
  for (const descending of [false, true]) {
    for (const nullsFirst of [false, true]) {
      for (const [columns, types] of [
        [[numbers], [FLOAT8]],
        [
          [texts, numbers],
          [TEXT, FLOAT8],
        ],
        [
          [unique, numbers],
          [TEXT, FLOAT8],
        ],
      ] as [Value[][], (typeof TEXT)[]][]) {
        const got = [...finished(sorter(types.map((type) => ({ type, descending, nullsFirst })))(columns, count))];
        const expected = Array.from({ length: count }, (_, i) => i).sort((x, y) => {
          for (let k = 0; k < columns.length; k++) {
            const d = compare(columns[k][x], columns[k][y], descending, nullsFirst, types[k]);
            if (d !== 0) return d;
          }
          return x - y;
        });
        expect(got).toEqual(expected);
      }
    }
  }
});
