/** Long statements: they end at their timeout or when cancelled, and others are answered meanwhile. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE n (a int PRIMARY KEY, b text); INSERT INTO n SELECT g, g::text FROM generate_series(1, 20000) g`);
});
afterAll(() => t.close());

const LONG: [string, string][] = [
  ['a series', 'SELECT count(*) FROM generate_series(1, 1000000000) g'],
  ['a join by loops', 'SELECT count(*) FROM n x, n y, n z WHERE x.a + y.a + z.a < 0'],
  ['a join by hash', 'SELECT count(*) FROM n x JOIN n y ON x.a % 2 = y.a % 2'],
  ['a full join', 'SELECT count(*) FROM n x FULL JOIN n y ON x.a % 2 = y.a % 2'],
  ['recursion', 'WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r'],
  ['a sort', 'SELECT x.a FROM n x, n y, n z ORDER BY x.b, y.b'],
  ['recursion of slow rows', `WITH RECURSIVE r(n, t) AS (SELECT 1, '' UNION ALL SELECT n + 1, md5(repeat(n::text, 300000)) FROM r) SELECT count(t) FROM r`],
  ['slow rows of an index', `SELECT max((SELECT max(md5(repeat(m.b, 100000))) FROM n m WHERE m.a BETWEEN n.a AND n.a + 10)) FROM n`],
  ['slow rows beside a row', `SELECT max(h) FROM n, LATERAL (SELECT md5(repeat(m.b, 100000)) h FROM n m WHERE m.a > n.a ORDER BY m.a LIMIT 12) x`],
  ['lists', 'SELECT count(*) FROM (SELECT array_agg(a) l FROM n) s, unnest(l) u, unnest(l) v WHERE u + v < 0'],
  ['a list of slow elements', `SELECT max(md5(repeat(u::text, 100000))) FROM (SELECT array_agg(a) l FROM n) s, unnest(l) u`],
  ['first rows of keys', 'SELECT DISTINCT ON (x.b, y.b) z.a FROM n x, n y, n z ORDER BY x.b, y.b'],
  ['groups', 'SELECT x.b, y.b, count(*) FROM n x, n y, n z GROUP BY x.b, y.b'],
  ['distinct rows', 'SELECT DISTINCT x.a * y.a FROM n x, n y, n z'],
  ['a window', 'SELECT sum(x.a) OVER (ORDER BY y.a) FROM n x, n y, n z'],
  ['subqueries', `SELECT (SELECT count(*) FROM n y WHERE y.b || 'x' > n.b) FROM n`],
  ['an insert', `INSERT INTO n SELECT g, 'x' FROM generate_series(100000, 1000000000) g`],
  ['an update', 'UPDATE n SET b = (SELECT count(*) FROM n x, n y WHERE x.a + y.a + n.a < 0)::text'],
  ['a delete', 'DELETE FROM n USING n x, n y WHERE x.a + y.a + n.a < 0'],
  ['a table made', 'CREATE TABLE z AS SELECT g FROM generate_series(1, 1000000000) g'],
  ['one large value', `SELECT string_agg(g::text, ',') FROM generate_series(1, 1000000000) g`],
];

describe('statement_timeout ends', () => {
  test.each(LONG)('%s', async (_what, sql) => {
    const begun = performance.now();
    const error = await t.refused('57014', `SET statement_timeout = 60; ${sql}`);
    expect(error.message).toBe('canceling statement due to statement timeout');
    expect(performance.now() - begun).toBeLessThan(1500);
  });

  test('and leaves the rows as they were', async () => {
    expect(await t.lines('SELECT count(*), sum(a) FROM n')).toEqual(['20000 200010000']);
    await t.refused('42P01', 'SELECT * FROM z');
  });
});

test('cancel ends a statement, the session lives on', async () => {
  const session = t.db.session();
  for (const [, sql] of LONG.slice(0, 4)) {
    setTimeout(() => session.cancel(), 40);
    expect((await refused('57014', session.run(sql))).message).toBe('canceling statement due to user request');
    expect((await session.run('SELECT 1'))[0].rows).toEqual([[1]]);
  }
  session.cancel();
  expect((await session.run('SELECT 1'))[0].rows).toEqual([[1]]);
  session.close();
});

test('others are answered while a long statement runs, on what was before it', async () => {
  const session = t.db.session();
  const slowest: number[] = [];
  for (const [what, sql] of [LONG[0], LONG[1], LONG[12], LONG[16]]) {
    const long = refused('57014', session.run(`SET statement_timeout = 400; ${sql}`));
    const waits: number[] = [];
    for (let i = 0; i < 20; i++) {
      const begun = performance.now();
      await t.rows('SELECT b FROM n WHERE a = 77');
      waits.push(performance.now() - begun);
      await t.db.get({ table: 'n', id: '5' });
    }
    await long;
    waits.sort((x, y) => x - y);
    // The machine may stop us for longer than our own turn: all but the worst two.
    expect(waits[17], `${what}: ${waits.map(Math.round).join(' ')}`).toBeLessThan(50);
    slowest.push(waits[17]);
  }
  session.close();
  expect(slowest).toHaveLength(4);
});

test('a write while a long read runs is not seen by it', async () => {
  const session = t.db.session();
  const reading = session.run('SELECT count(*), sum(x.a - 20001) FROM n x, generate_series(1, 40) g');
  await t.run('INSERT INTO n VALUES (20001, $$new$$); CREATE INDEX n_b ON n (b)');
  expect((await reading)[0].rows[0][0]).toBe(800_000);
  expect((await session.run('SELECT count(*) FROM n'))[0].rows).toEqual([[20001]]);
  session.close();
  await t.run('DELETE FROM n WHERE a = 20001');
});
