/**
 * Groups of leaves that zones answer for are not read: each question has the answer that it has where nothing can be skipped,
 * however often it was asked, whatever was written in between, in a transaction, on a fork and in the past.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import type { Value } from '../../../src/sql/types/value.ts';

let folder: string;
let database: Database;
let session: SqlSession;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-zones-'));
  database = await open(folder);
  session = database.session();
});

afterAll(async () => {
  session.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

async function lines(own: SqlSession, sql: string, params: Value[] = []): Promise<string[]> {
  const [{ rows, columns }] = await own.run(sql, params);
  return rows.map((row) => row.map((value, i) => (value === null ? '∅' : columns![i].type.format(value, own.env))).join('|'));
}

/** `lo` ascends with the key, `rnd` does not; `opt` has values in a part of the table; `odd` has what no zone orders. */
const COLUMNS = `id integer PRIMARY KEY, lo integer NOT NULL, rnd integer, at timestamptz NOT NULL, day date, price numeric(10,2),
  free numeric, f double precision, s text, v varchar(20), c char(8), u uuid, flag boolean, opt bigint, odd double precision, ts timestamp`;

const ROWS = (from: number, to: number, step = 1): string => `SELECT i, i / 10, CASE WHEN i % 17 <> 0 THEN (i * 7919) % 20011 END,
  timestamptz '2024-01-01 00:00:00+00' + i * interval '1 minute', date '2020-01-01' + (i / 100)::integer, CASE WHEN i % 5 <> 0 THEN i / 100.0 END,
  round(i / 7.0, 3), CASE WHEN i % 1000 = 0 THEN '-0'::float8 ELSE i * 0.5 END, 'k' || lpad((i / 500)::text, 4, '0') || CASE WHEN i > 30000 THEN U&'\\+01F600' ELSE U&'\\FF5E' END,
  'v' || i % 10, 'c' || i / 4000, ('00000000-0000-0000-0000-' || lpad(i::text, 12, '0'))::uuid, i > 20000,
  CASE WHEN i > 25000 THEN CASE WHEN i > 38000 THEN 9007199254740993 + i ELSE i END END, CASE WHEN i BETWEEN 10000 AND 12000 THEN 'NaN'::float8 ELSE i END,
  CASE WHEN i > 39000 THEN 'infinity' ELSE timestamp '2024-01-01' + i * interval '1 hour' END
  FROM generate_series(${from}::bigint, ${to}, ${step}) AS g (i)`;

const PREDICATES = [
  'lo < 100',
  'lo >= 3990',
  'lo BETWEEN 1000 AND 1010',
  'lo = 1500',
  'lo = -1',
  'lo IN (5, 2000, 3999)',
  'lo = ANY (ARRAY[7, NULL, 2100])',
  'lo IN (NULL)',
  'lo = NULL',
  'lo > 100 AND lo < 120 OR lo > 3900',
  '(lo < 50 OR rnd = 77) AND flag IS NOT TRUE',
  'rnd < 3',
  'rnd IS NULL AND lo < 300',
  "at >= '2024-01-20 00:00+00' AND at < '2024-01-20 01:00+00'",
  "at > '2024-01-01 00:00+00'",
  "day = '2020-06-01'",
  'price > 399.95',
  'price <= 0.07',
  'price = 150.5',
  'price = 150.505',
  'price > 1e30',
  "price < 'NaN'",
  'free > 5700',
  'f < 3',
  'f = 0',
  "f > 'NaN'",
  "f < 'Infinity'",
  "s < 'k0001'",
  "s LIKE 'k007%'",
  `s = U&'k0061\\+01F600'`,
  `s > U&'k0059\\+01F600'`,
  `s >= U&'k0059\\FF5E' AND s < 'k0062'`,
  "v = 'v3' AND lo > 3950",
  "c = 'c3'",
  "c = 'c3   '",
  "u = '00000000-0000-0000-0000-000000012345'",
  "u > '00000000-0000-0000-0000-000000039990'",
  'flag',
  'NOT flag AND lo > 1990',
  'flag AND lo < 2010',
  'opt IS NULL',
  'opt IS NOT NULL',
  'opt > 26000',
  'opt > 9007199254740993',
  'opt < 25010',
  "odd = 'NaN'",
  'odd > 39990',
  'odd < 5',
  "ts = 'infinity'",
  "ts < '2024-01-02'",
  "ts < 'infinity' AND ts > '2028-06-01'",
  'extra = 7',
  'extra > 7',
  'extra IS NULL',
  'late IS NULL',
  'late IS NOT NULL',
  'late > 0',
  '1 = 1 AND lo < 10',
  'lo + 0 < 10 AND lo < 5',
  'lo < (SELECT 20)',
];

const ORDERS = [
  'lo',
  'lo DESC',
  'rnd',
  'rnd DESC',
  'rnd NULLS FIRST',
  'rnd DESC NULLS LAST',
  'at DESC',
  'price',
  'price DESC NULLS LAST',
  'f DESC',
  'f',
  'odd',
  'odd DESC',
  'opt',
  'opt DESC NULLS LAST',
  'ts DESC',
  'extra DESC',
  'late DESC',
  'flag',
  's DESC',
  'free DESC',
  'day, rnd DESC',
  'extra, lo DESC',
];

/** A question, and one that no zone can answer with the same answer. */
async function check(own: SqlSession, orders: readonly string[]): Promise<void> {
  for (const p of PREDICATES) {
    const both = await lines(own, `SELECT count(*), count(opt), min(rnd), max(at), min(price), max(f), sum(id) FROM t WHERE (${p}) IS TRUE`);
    // The sum needs rows, the others may be taken from zones.
    expect(
      [
        (await lines(own, `SELECT count(*), count(opt), min(rnd), max(at), min(price), max(f) FROM t WHERE ${p}`))[0],
        (await lines(own, `SELECT sum(id) FROM t WHERE ${p}`))[0],
      ].join('|'),
      p,
    ).toEqual(both[0]);
  }
  for (const order of orders) {
    const column = order.split(/[ ,]/)[0];
    // Places by a window function are of all rows.
    const all = (where: string): string =>
      `SELECT id, v FROM (SELECT id, ${column} AS v, row_number() OVER (ORDER BY ${order}, id) AS place FROM t ${where}) AS x WHERE place <= 150 ORDER BY place`;
    const first = await lines(own, all(''));
    for (const limit of [1, 150])
      expect(await lines(own, `SELECT id, ${column} FROM t ORDER BY ${order}, id LIMIT ${limit}`), order).toEqual(first.slice(0, limit));
    const passing = await lines(own, all('WHERE (lo % 3 = 0) IS TRUE'));
    expect(await lines(own, `SELECT id, ${column} FROM t WHERE lo % 3 = 0 ORDER BY ${order}, id LIMIT 7 OFFSET 2`), order).toEqual(passing.slice(2, 9));
  }
  const extremes = ['lo', 'rnd', 'at', 'day', 'price', 'free', 'f', 's', 'opt', 'odd', 'ts', 'extra', 'late']
    .map((name) => `min(${name}), max(${name}), count(${name})`)
    .join(', ');
  expect(await lines(own, `SELECT count(*), ${extremes} FROM t`)).toEqual(await lines(own, `SELECT count(*), ${extremes} FROM t GROUP BY id > -1000000`));
  const joined = (on: string): string => `SELECT count(*), sum(t.id) FROM t JOIN k ON k.lo = ${on} WHERE k.n < 3`;
  expect(await lines(own, joined('t.lo'))).toEqual(await lines(own, joined('t.lo + 0')));
  const found = (key: string): string => `SELECT count(*) FROM t WHERE ${key} IN (SELECT lo FROM k WHERE n > 5)`;
  expect(await lines(own, found('lo'))).toEqual(await lines(own, found('lo + 0')));
  expect(await lines(own, 'SELECT count(*) FROM t JOIN k ON k.lo = t.lo WHERE k.n > 100')).toEqual(['0']);
  expect(await lines(own, 'SELECT count(*), count(k.n) FROM t LEFT JOIN k ON k.lo = t.lo AND k.n > 100')).toEqual(
    await lines(own, 'SELECT count(*), 0 FROM t'),
  );
}

async function settled(own = session, orders: readonly string[] = []): Promise<void> {
  // Zones are there the third time.
  for (let again = 0; again < 3; again++) await lines(own, `SELECT sum(id) FROM t WHERE lo > -1`);
  await check(own, orders);
}

test('zone tests agree with the rows', async () => {
  await session.run(`CREATE TABLE t (${COLUMNS})`);
  await session.run('CREATE TABLE k (n integer PRIMARY KEY, lo integer)');
  await session.run('INSERT INTO k VALUES (1, 5), (2, 3999), (3, 800), (6, 1500), (7, NULL), (8, -4)');
  await session.run(`INSERT INTO t ${ROWS(1, 30000)}`);
  // Leaves before this have no cells of these.
  await session.run('ALTER TABLE t ADD COLUMN extra integer NOT NULL DEFAULT 7');
  await session.run('ALTER TABLE t ADD COLUMN late integer');
  await session.run(`INSERT INTO t SELECT *, 8, 1 FROM (${ROWS(30001, 40000)}) AS x`);
  await settled(session, ORDERS);
  // One row in the midst of each of some groups.
  await session.run('UPDATE t SET lo = 99999, rnd = NULL, price = -1, extra = 3 WHERE id IN (5000, 21000)');
  await session.run('DELETE FROM t WHERE id BETWEEN 12000 AND 13000');
  await settled(session, ['lo DESC', 'rnd', 'price', 'extra, lo DESC']);
}, 120_000);

test('a transaction, a fork and the past each have their own', async () => {
  const other = database.session();
  await session.run('BEGIN');
  await session.run("UPDATE t SET lo = lo - 5000, at = at - interval '1 year' WHERE id > 35000");
  await session.run(`INSERT INTO t (id, lo, at) SELECT i, -7, 'epoch' FROM generate_series(50001, 50100) AS g (i)`);
  for (let again = 0; again < 3; again++) {
    expect(await lines(session, 'SELECT count(*) FROM t WHERE lo = -7')).toEqual(['100']);
    expect(await lines(session, 'SELECT count(*) FROM t WHERE lo < -1000')).toEqual(['4999']);
    expect(await lines(other, 'SELECT count(*) FROM t WHERE lo < 0')).toEqual(['0']);
    expect(await lines(session, 'SELECT lo FROM t ORDER BY lo LIMIT 1')).toEqual(['-1500']);
    expect(await lines(other, 'SELECT lo, id FROM t ORDER BY lo, id LIMIT 1')).toEqual(['0|1']);
  }
  await session.run('ROLLBACK');
  expect(await lines(session, 'SELECT count(*) FROM t WHERE lo < 0')).toEqual(['0']);
  await session.run('CREATE WORLD w');
  await other.run('USE WORLD w');
  await other.run('UPDATE t SET lo = -lo - 1 WHERE id > 39000');
  for (let again = 0; again < 3; again++) {
    expect(await lines(other, 'SELECT count(*), max(lo) FROM t WHERE lo < 0')).toEqual(['1000|-3901']);
    expect(await lines(session, 'SELECT count(*), max(lo) FROM t WHERE lo < 0')).toEqual(['0|∅']);
    expect(await lines(session, "SELECT count(*), max(lo) FROM t AS OF WORLD 'w' WHERE lo < 0")).toEqual(['1000|-3901']);
    expect(await lines(session, "SELECT lo FROM t AS OF WORLD 'w' ORDER BY lo LIMIT 1")).toEqual(['-4001']);
  }
  await settled(other);
  await other.run('USE WORLD main');
  other.close();
}, 120_000);

test('EXPLAIN ANALYZE reports skipped groups', async () => {
  for (let again = 0; again < 3; again++) await lines(session, 'SELECT sum(id) FROM t WHERE lo < 10');
  const plan = await lines(session, 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT sum(id) FROM t WHERE lo < 10');
  const all = Number((await lines(session, 'SELECT count(*) FROM t'))[0]);
  expect(plan.join('\n')).toContain(`Rows Removed by Filter: ${all - 99}`);
  const skipped = /Rows Skipped by Zones: (\d+)/.exec(plan.join('\n'));
  expect(Number(skipped?.[1])).toBeGreaterThan(all / 3);
});
