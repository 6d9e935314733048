import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';

let served: Served;
let pool: pg.Pool;
beforeAll(async () => {
  served = await serve();
  pool = new pg.Pool({ host: '127.0.0.1', port: served.port, user: 'me', database: 'main', max: 4 });
});
afterAll(async () => {
  await pool.end();
  // Its goodbyes are still on their way; a connection that is ended by the server would be an error.
  while (served.server.connections > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await served.close();
});

test('types of values', async () => {
  const { rows, fields } = await pool.query(
    `SELECT 1 AS a, 2::bigint AS b, 1.50 AS c, 'x' AS d, true AS e, NULL AS f, '{"a": [1]}'::jsonb AS g, ARRAY[1, 2] AS h,
            '2020-01-02 03:04:05+00'::timestamptz AS i, '\\x00ff'::bytea AS j`,
  );
  expect(rows).toEqual([
    { a: 1, b: '2', c: '1.50', d: 'x', e: true, f: null, g: { a: [1] }, h: [1, 2], i: new Date('2020-01-02T03:04:05Z'), j: Buffer.from([0, 255]) },
  ]);
  expect(fields.map(({ dataTypeID }) => dataTypeID)).toEqual([23, 20, 1700, 25, 16, 25, 3802, 1007, 1184, 17]);
});

test('parameters, named statements, counts', async () => {
  await pool.query('CREATE TABLE t (a int PRIMARY KEY, b text, c jsonb, d timestamptz, e int[])');
  const inserted = await pool.query('INSERT INTO t VALUES ($1, $2, $3, $4, $5) RETURNING *', [1, 'x', { y: 1 }, new Date(0), [1, 2]]);
  expect(inserted.rows).toEqual([{ a: 1, b: 'x', c: { y: 1 }, d: new Date(0), e: [1, 2] }]);
  expect(inserted.rowCount).toBe(1);
  for (let i = 0; i < 3; i++) {
    const { rows } = await pool.query({ name: 'one', text: 'SELECT b FROM t WHERE a = $1', values: [1] });
    expect(rows).toEqual([{ b: 'x' }]);
  }
  expect((await pool.query('SELECT a FROM t WHERE a = ANY($1)', [[1, 2]])).rows).toEqual([{ a: 1 }]);
});

test('errors carry their fields', async () => {
  await expect(pool.query('INSERT INTO t VALUES (1)')).rejects.toMatchObject({
    code: '23505',
    constraint: 't_pkey',
    table: 't',
    schema: 'public',
    severity: 'ERROR',
  });
  await expect(pool.query('SELECT nothing')).rejects.toMatchObject({ code: '42703', position: '8' });
});

test('transactions and several statements', async () => {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('DELETE FROM t');
  await client.query('ROLLBACK');
  const results = (await client.query('SELECT 1 AS a; SELECT count(*)::int AS b FROM t')) as unknown as pg.QueryResult[];
  expect(results.map(({ rows }) => rows)).toEqual([[{ a: 1 }], [{ b: 1 }]]);
  client.release();
});

test('notifications', async () => {
  const client = await pool.connect();
  await client.query('LISTEN news');
  const came = new Promise((resolve) => client.once('notification', resolve));
  await pool.query("SELECT pg_notify('news', 'hello')");
  expect(await came).toMatchObject({ channel: 'news', payload: 'hello' });
  client.release(true);
});

test('many at once', async () => {
  const all = await Promise.all(Array.from({ length: 200 }, (_, i) => pool.query('SELECT $1::int AS i', [i])));
  expect(all.map(({ rows }) => (rows[0] as { i: number }).i)).toEqual(Array.from({ length: 200 }, (_, i) => i));
});
