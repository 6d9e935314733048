/** Which partitions a query reads, as EXPLAIN ANALYZE tells: those that its conditions, its joins and its order need. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE h (k int, id int, v numeric) PARTITION BY RANGE (k)');
  await t.run(Array.from({ length: 20 }, (_, i) => `CREATE TABLE h${i} PARTITION OF h FOR VALUES FROM (${i * 10}) TO (${i * 10 + 10})`).join(';'));
  await t.run('INSERT INTO h SELECT i % 200, i, i FROM generate_series(0, 3999) i');
  // One with its parts in two levels, and one of another form, so that no code is shared between them.
  await t.run(`
    CREATE TABLE w (k int, id int) PARTITION BY RANGE (k);
    CREATE TABLE w0 PARTITION OF w FOR VALUES FROM (0) TO (10) PARTITION BY HASH (id);
    CREATE TABLE w00 PARTITION OF w0 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
    CREATE TABLE w01 PARTITION OF w0 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
    CREATE TABLE w1 (id int, k int NOT NULL); ALTER TABLE w ATTACH PARTITION w1 FOR VALUES FROM (10) TO (20);
    CREATE TABLE w2 PARTITION OF w FOR VALUES FROM (20) TO (30);
    CREATE INDEX ON w2 (k);
    INSERT INTO w SELECT i % 30, i FROM generate_series(0, 2999) i;
    CREATE TABLE d (k int, n int); INSERT INTO d VALUES (33, 1), (38, 2), (111, 3); CREATE TABLE e (k int, n int); INSERT INTO e VALUES (12, 1)`);
});
afterAll(() => t.close());

async function read(sql: string, table = 'h', before = ''): Promise<string[]> {
  const session = t.db.session();
  try {
    if (before !== '') await session.run(before);
    const lines = (await session.run(`EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${sql}`)).at(-1)!.rows.map(([line]) => String(line));
    const scans = lines.map((line) => new RegExp(` on (${table}\\d+) .*\\(actual`).exec(line)).filter((found) => found !== null);
    return scans.map(([, name]) => name);
  } finally {
    session.close();
  }
}

test.each([
  ['a join', 'SELECT count(*) FROM h JOIN d ON h.k = d.k', ['h3', 'h11']],
  ['a join of a join', 'SELECT count(*) FROM h JOIN d ON h.k = d.k JOIN e ON e.n = d.n', ['h3']],
  ['IN with a query', 'SELECT count(*) FROM h WHERE k IN (SELECT k FROM d WHERE n < 3)', ['h3']],
  ['a join that finds nothing', 'SELECT count(*) FROM h JOIN d ON h.k = d.k WHERE d.n > 5', []],
  ['a subquery', 'SELECT count(*) FROM h WHERE k = (SELECT max(k) FROM d)', ['h11']],
  ['a range between subqueries', 'SELECT count(*) FROM h WHERE k >= (SELECT max(k) FROM d) AND k < (SELECT 125)', ['h11', 'h12']],
  ['a subquery and a constant', 'SELECT count(*) FROM h WHERE k >= (SELECT max(k) FROM d) AND k < 130', ['h11', 'h12']],
  ['a row of an outer query', 'SELECT (SELECT sum(v) FROM h WHERE h.k = d.k AND h.id > d.n) FROM d WHERE n = 2', ['h3']],
  ['a lateral row', 'SELECT x.id FROM d CROSS JOIN LATERAL (SELECT id FROM h WHERE h.k = d.k ORDER BY v LIMIT 1) x', ['h3', 'h11']],
  ['an update by a subquery', 'UPDATE h SET v = v + 1 WHERE k = (SELECT min(k) FROM d)', ['h3']],
  ['a delete by a join', 'DELETE FROM h USING d WHERE h.k = d.k AND d.n = 3 AND h.id < 0', ['h11']],
])('%s reads the partitions that its keys are in', async (_name, sql, expected) => {
  expect(await read(sql)).toEqual(expected);
});

test('a parameter of a prepared statement', async () => {
  const before = 'SET plan_cache_mode = force_generic_plan; PREPARE q(int, int) AS SELECT count(*) FROM h WHERE k >= $1 AND k < $2';
  expect(await read('EXECUTE q(95, 110)', 'h', before)).toEqual(['h9', 'h10']);
  expect(await read('EXECUTE q(NULL, 110)', 'h', before)).toEqual([]);
});

test.each([
  ['up', 'SELECT * FROM h ORDER BY k LIMIT 5', ['h0']],
  ['down', 'SELECT * FROM h ORDER BY k DESC, v LIMIT 5', ['h19']],
  ['as many as there are in two', 'SELECT * FROM h ORDER BY k, id LIMIT 210', ['h0', 'h1']],
  ['behind an offset', 'SELECT id FROM h ORDER BY k, id LIMIT 1 OFFSET 399', ['h0', 'h1']],
  ['under a condition', 'SELECT * FROM h WHERE id > 3995 ORDER BY k LIMIT 1', Array.from({ length: 20 }, (_, i) => `h${i}`)],
  ['under a condition over the key', 'SELECT k + 1 AS x FROM h WHERE k > 41 ORDER BY k LIMIT 1', ['h4']],
])('the first rows by the key, %s', async (_name, sql, expected) => {
  expect((await read(sql)).sort()).toEqual([...expected].sort());
});

test('partitions of several levels and forms', async () => {
  expect(await read('SELECT * FROM w ORDER BY k LIMIT 5', 'w')).toEqual(['w00', 'w01']);
  expect(await read('SELECT * FROM w ORDER BY k DESC LIMIT 5', 'w')).toEqual(['w2']);
  expect(await read('SELECT count(*) FROM w JOIN e ON w.k = e.k', 'w')).toEqual(['w1']);
  expect(await read('SELECT count(*) FROM w JOIN e ON w.id = e.k AND w.k < 10', 'w')).toHaveLength(1);
  expect(await read('SELECT count(*) FROM w WHERE k = (SELECT k FROM e)', 'w')).toEqual(['w1']);
});

test('a subquery that decides what is read is computed once', async () => {
  await t.run("CREATE SEQUENCE calls; CREATE FUNCTION called() RETURNS int VOLATILE LANGUAGE sql AS $$ SELECT nextval('calls')::int * 0 + 33 $$");
  expect(await t.lines('SELECT count(*) FROM h WHERE k = (SELECT called())')).toEqual(['20']);
  expect(await t.lines("SELECT nextval('calls')")).toEqual(['2']);
});
