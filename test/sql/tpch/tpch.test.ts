/** TPC-H at scale 0.01: the generated rows, and the 22 queries on Postgres and on svc. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TPCH_TABLES, tpchRows } from '../../bench/tpch-data.ts';
import { tpchQueries } from '../../bench/tpch-queries.ts';
import { TPCH_DDL, tpchInserts } from '../../bench/tpch-schema.ts';
import { PGliteTarget } from '../../slt/pglite-target.ts';
import { openSvc } from '../../slt/svc-target.ts';
import type { Target } from '../../slt/target.ts';
import { compareOutcomes } from '../differential/compare-targets.ts';

const SCALE = 0.01;

const svc = await openSvc();

let postgres: Target;
beforeAll(async () => {
  postgres = await PGliteTarget.open();
  await load(postgres);
}, 120_000);
afterAll(async () => {
  await postgres.close();
  await svc?.close();
});

async function load(target: Target): Promise<void> {
  for (const sql of TPCH_DDL) await target.run(sql);
  for (const sql of tpchInserts(SCALE)) await target.run(sql);
}

test('row counts are those of the scale, and the rows are the same on every run', () => {
  const count = (table: (typeof TPCH_TABLES)[number]): number => [...tpchRows(table, SCALE)].length;
  expect(TPCH_TABLES.filter((table) => table !== 'lineitem').map(count)).toEqual([5, 25, 100, 2000, 8000, 1500, 15000]);
  expect(Math.abs(count('lineitem') - 60_000)).toBeLessThan(1000);
  const hash = createHash('md5');
  for (const table of TPCH_TABLES) for (const row of tpchRows(table, 0.001)) hash.update(row.join('|'));
  expect(hash.digest('hex')).toBe('9d238c48fed4331f45b72591ee180b66');
});

describe.each(tpchQueries(SCALE).map((sql, index) => [index + 1, sql] as const))('query %i', (_number, sql) => {
  test('gives rows with values on Postgres', async () => {
    const [outcome] = await postgres.run(sql);
    expect(outcome.rows.length).toBeGreaterThan(0);
    expect(outcome.rows.some((row) => row.some((value) => value !== null))).toBe(true);
  });
});

describe.skipIf(svc === null)('on svc', () => {
  beforeAll(() => load(svc as Target), 120_000);
  test.each(tpchQueries(SCALE).map((sql, index) => [index + 1, sql] as const))('query %i answers as Postgres does', async (_number, sql) => {
    const [expected] = await postgres.run(sql);
    const [got] = await (svc as Target).run(sql);
    expect(compareOutcomes(expected, got, { ordered: true, representative: false })).toBeNull();
  });
});
