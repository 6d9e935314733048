/** What pg_stat_database counts of a world: transactions, written rows, deadlocks and temporary files. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';
import { type Served, serve } from '../../wire/open-server.ts';
import pg from 'pg';

let served: Served;
let client: pg.Client;
beforeAll(async () => {
  served = await serve();
  client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'svc', database: 'main' });
  await client.connect();
  await client.query('CREATE TABLE t (id int PRIMARY KEY, v int)');
});
afterAll(async () => {
  await client.end();
  await served.close();
});

const COLUMNS = ['xact_commit', 'xact_rollback', 'tup_inserted', 'tup_updated', 'tup_deleted', 'deadlocks', 'temp_files'];

async function counted(database = 'main'): Promise<number[]> {
  const { rows } = await client.query<unknown[]>({
    text: `SELECT ${COLUMNS.join(', ')} FROM pg_stat_database WHERE datname = '${database}'`,
    rowMode: 'array',
  });
  return rows[0].map(Number);
}

/** What the statements add, without the transaction of the first reading, which ends after it. */
async function added(run: () => Promise<unknown>): Promise<number[]> {
  const before = await counted();
  await run();
  const after = await counted();
  return after.map((value, i) => value - before[i] - (i === 0 ? 1 : 0));
}

const all =
  (...texts: string[]) =>
  async (): Promise<void> => {
    for (const text of texts) await client.query(text).catch(() => undefined);
  };

test.each([
  [
    'statements without BEGIN',
    all('SELECT 1', 'INSERT INTO t SELECT i, i FROM generate_series(1, 10) i', 'UPDATE t SET v = 0 WHERE id <= 4', 'DELETE FROM t WHERE id = 1'),
    [4, 0, 10, 4, 1, 0, 0],
  ],
  [
    'a block, and one that is rolled back',
    all('BEGIN', 'INSERT INTO t VALUES (20, 1), (21, 1)', 'COMMIT', 'BEGIN', 'SELECT 1', 'ROLLBACK'),
    [1, 1, 2, 0, 0, 0, 0],
  ],
  ['an error', all('SELECT 1 / 0'), [0, 1, 0, 0, 0, 0, 0]],
  ['parameters', async () => void (await client.query('UPDATE t SET v = $1 WHERE id = ANY ($2)', [5, [2, 3]])), [1, 0, 0, 2, 0, 0, 0]],
])('%s', async (_title, run, expected) => {
  expect(await added(run)).toEqual(expected);
});

test('a deadlock is one, and its transaction is rolled back', async () => {
  const sessions: SqlSession[] = [served.database.session({ branch: 'main' }), served.database.session({ branch: 'main' })];
  const [one, two] = sessions;
  const gained = await added(async () => {
    await one.run('BEGIN; UPDATE t SET v = 1 WHERE id = 2');
    await two.run('BEGIN; UPDATE t SET v = 2 WHERE id = 3');
    const waiting = one.run('UPDATE t SET v = 1 WHERE id = 3');
    await two.run('UPDATE t SET v = 2 WHERE id = 2').catch(() => two.run('ROLLBACK'));
    await waiting;
    await one.run('COMMIT');
  });
  for (const each of sessions) each.close();
  expect(gained).toEqual([1, 1, 0, 3, 0, 1, 0]);
});

test('each world has its own, functions give them, and a reset sets them to 0', async () => {
  await client.query('CREATE WORLD fork');
  expect(await counted('fork')).toEqual([0, 0, 0, 0, 0, 0, 0]);
  const { rows } = await client.query<{ same: boolean }>(
    'SELECT pg_stat_get_db_tuples_inserted(datid) = tup_inserted AND tup_inserted > 0 AS same FROM pg_stat_database WHERE datname = current_database()',
  );
  expect(rows).toEqual([{ same: true }]);
  await client.query('CREATE ROLE plain');
  await client.query('SET ROLE plain');
  await expect(client.query('SELECT pg_stat_reset()')).rejects.toMatchObject({ code: '42501', message: 'permission denied for function pg_stat_reset' });
  await client.query('RESET ROLE');
  await client.query('SELECT pg_stat_reset()');
  expect((await counted()).slice(1)).toEqual([0, 0, 0, 0, 0, 0]);
  const since = await client.query<{ recent: boolean }>("SELECT now() - stats_reset < '1 minute' AS recent FROM pg_stat_database WHERE datname = 'main'");
  expect(since.rows).toEqual([{ recent: true }]);
});
