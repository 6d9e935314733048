/** pg_stat_statements: what it counts of each statement, by which texts are one, and who sees them. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Served, serve } from '../../wire/open-server.ts';
import { STATEMENTS_MAX, StatementStatistics } from '../../../src/sql/session/statement-statistics.ts';

let served: Served;
let client: pg.Client;
beforeAll(async () => {
  served = await serve();
  client = await connected();
  await client.query('CREATE TABLE t (id int PRIMARY KEY, v text); CREATE EXTENSION pg_stat_statements; CREATE ROLE ann LOGIN; GRANT SELECT ON t TO ann');
});
afterAll(async () => {
  await client.end();
  await served.close();
});
beforeEach(async () => {
  await client.query('TRUNCATE t; SELECT pg_stat_statements_reset()');
});

async function connected(database = 'main'): Promise<pg.Client> {
  const made = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'svc', database });
  await made.connect();
  return made;
}

async function counted(by = client): Promise<string[]> {
  const { rows } = await by.query<unknown[]>({
    text: `SELECT query, calls, rows FROM pg_stat_statements WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY query COLLATE "C", calls`,
    rowMode: 'array',
  });
  return rows.map((row) => row.join(' | '));
}

test('texts that differ in constants, blanks and letter case are one', async () => {
  await client.query("INSERT INTO t VALUES (1, 'a')");
  await client.query("insert  INTO t\nVALUES (2, E'it\\'s') -- with a comment");
  await client.query('SELECT * FROM t WHERE id = -1');
  await client.query('SELECT * FROM t WHERE id = 2');
  await client.query('SELECT * FROM t WHERE id = $1', [1]);
  // As in Postgres, a parameter is another statement than a constant.
  expect(await counted()).toEqual(['INSERT INTO t VALUES ($1, $2) | 2 | 2', 'SELECT * FROM t WHERE id = $1 | 1 | 1', 'SELECT * FROM t WHERE id = $1 | 2 | 1']);
});

test.each([
  ['SELECT id FROM t WHERE v IN (NULL, $$x$$) AND true ORDER BY 1 LIMIT 3', 'SELECT id FROM t WHERE v IN ($1, $2) AND $3 ORDER BY 1 LIMIT $4 | 1 | 0'],
  ["SELECT v::varchar(10), date '2020-01-01' FROM t GROUP BY v, 2", 'SELECT v::varchar(10), date $1 FROM t GROUP BY v, 2 | 1 | 0'],
  ["SET application_name = 'a'", "SET application_name = 'a' | 1 | 0"],
  ['UPDATE t SET v = 5 - -3', 'UPDATE t SET v = $1 - $2 | 1 | 0'],
])('%s', async (sql, shown) => {
  await client.query(sql);
  expect(await counted()).toEqual([shown]);
});

test('each statement of a text is one, and a failed one is none', async () => {
  await client.query("INSERT INTO t SELECT i, 'x' FROM generate_series(1, 5) i; DELETE FROM t WHERE id > 3");
  await client.query('SELECT 1 / 0').catch(() => undefined);
  expect(await counted()).toEqual(['DELETE FROM t WHERE id > $1 | 1 | 2', 'INSERT INTO t SELECT i, $1 FROM generate_series($2, $3) i | 1 | 5']);
});

test('EXECUTE counts as its PREPARE', async () => {
  await client.query('PREPARE q AS SELECT $1::int');
  await client.query('EXECUTE q(1)');
  await client.query('EXECUTE q(2)');
  expect(await counted()).toEqual(['PREPARE q AS SELECT $1::int | 2 | 2']);
});

test('times add up', async () => {
  for (let i = 0; i < 4; i++) await client.query(`SELECT count(*) FROM generate_series(1, ${1000 * i})`);
  const { rows } = await client.query<{ ok: boolean }>(
    `SELECT min_exec_time <= mean_exec_time AND mean_exec_time <= max_exec_time AND abs(mean_exec_time * calls - total_exec_time) < 0.001 AND stddev_exec_time >= 0
       AND total_exec_time > 0 AND toplevel AS ok FROM pg_stat_statements WHERE calls = 4`,
  );
  expect(rows).toEqual([{ ok: true }]);
});

test('another role sees neither texts nor ids, and may not reset', async () => {
  await client.query('SELECT v FROM t');
  const ann = await connected();
  await ann.query('SET ROLE ann');
  await ann.query('SELECT id FROM t');
  const [seen, refused] = [await counted(ann), await ann.query('SELECT pg_stat_statements_reset()').catch((error: unknown) => error)];
  await ann.end();
  expect(seen.filter((line) => !line.includes('SET ROLE') && !line.startsWith('<insufficient privilege> | '))).toEqual(['SELECT id FROM t | 1 | 0']);
  expect(seen.length).toBeGreaterThan(2);
  expect(refused).toMatchObject({ code: '42501' });
  expect(await counted()).toContain('SELECT v FROM t | 1 | 0');
});

test('it counts in worlds that have the extension, and one statement or all are forgotten', async () => {
  await client.query('CREATE WORLD tracked');
  await client.query('CREATE DATABASE untracked');
  const [tracked, untracked] = [await connected('tracked'), await connected('untracked')];
  await tracked.query('SELECT 7');
  await untracked.query('SELECT 8');
  const seen = `SELECT d.datname, s.query FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE query LIKE 'SELECT _1'`;
  expect((await client.query<object>(seen)).rows).toEqual([{ datname: 'tracked', query: 'SELECT $1' }]);
  await client.query("SELECT pg_stat_statements_reset(0, 0, queryid) FROM pg_stat_statements WHERE query = 'SELECT $1'");
  expect((await client.query<object>(seen)).rows).toEqual([]);
  await expect(untracked.query('TABLE pg_stat_statements')).rejects.toMatchObject({ code: '42P01' });
  await Promise.all([tracked.end(), untracked.end()]);
});

test('the catalogs show it in the schema of the extension', async () => {
  const { rows } = await client.query<object>(
    "SELECT n.nspname, c.relkind, to_regclass('public.pg_stat_statements') = c.oid AS found FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE relname = 'pg_stat_statements'",
  );
  expect(rows).toEqual([{ nspname: 'public', relkind: 'v', found: true }]);
});

test('a view over it names its schema, and keeps the extension from being dropped', async () => {
  await client.query('CREATE VIEW mine AS SELECT query FROM pg_stat_statements');
  const own = await connected();
  await own.query("SET search_path = ''");
  const { rows } = await own.query<object>("SELECT pg_get_viewdef('public.mine') AS text, (SELECT count(*) > 0 FROM public.mine) AS read");
  await own.end();
  expect(rows).toEqual([{ text: ' SELECT pg_stat_statements.query\n   FROM public.pg_stat_statements;', read: true }]);
  await expect(client.query('DROP EXTENSION pg_stat_statements')).rejects.toMatchObject({
    code: '2BP01',
    detail: 'view mine depends on view pg_stat_statements',
  });
  await client.query('DROP VIEW mine');
});

test('the least recently used are dropped', () => {
  const statistics = new StatementStatistics();
  for (let i = 0; i <= STATEMENTS_MAX; i++) {
    statistics.record(10, 1, { text: '', id: BigInt(i) }, 1, 1);
    statistics.record(10, 1, { text: '', id: 0n }, 1, 1);
  }
  const left = [...statistics.entries()];
  expect(left.length).toBe(STATEMENTS_MAX * 0.95 + 1);
  expect(left.at(-1)).toMatchObject({ calls: STATEMENTS_MAX + 2, query: { id: 0n } });
  expect(statistics.info()[0][0]).toBe(1);
});
