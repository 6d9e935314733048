import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../wire/open-server.ts';

let served: Served;
let sql: postgres.Sql;
beforeAll(async () => {
  served = await serve();
  sql = postgres({ host: '127.0.0.1', port: served.port, user: 'me', database: 'main', max: 3, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await served.close();
});

test('types described by the server are used for parameters', async () => {
  await sql`CREATE TABLE t (a int PRIMARY KEY, b text, c jsonb, d timestamptz, e int[], f bool)`;
  const given = { a: 1, b: 'x', c: sql.json({ y: [1] }), d: new Date(0), e: [1, 2], f: true };
  await sql`INSERT INTO t ${sql(given)}`;
  expect([...(await sql`SELECT * FROM t WHERE a = ${1}`)]).toEqual([{ a: 1, b: 'x', c: { y: [1] }, d: new Date(0), e: [1, 2], f: true }]);
  expect([...(await sql`SELECT count(*)::int AS n FROM t WHERE a IN ${sql([1, 2])}`)]).toEqual([{ n: 1 }]);
});

test('transactions with savepoints', async () => {
  await sql.begin(async (tx) => {
    await tx`INSERT INTO t (a) VALUES (2)`;
    await tx
      .savepoint(async (inner) => {
        await inner`INSERT INTO t (a) VALUES (3)`;
        await inner`INSERT INTO t (a) VALUES (3)`;
      })
      .catch(() => {});
  });
  expect((await sql`SELECT a FROM t ORDER BY a`).map(({ a }) => a as number)).toEqual([1, 2]);
  await expect(
    sql.begin(async (tx) => {
      await tx`DELETE FROM t`;
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect((await sql`SELECT count(*)::int AS n FROM t`)[0]['n']).toBe(2);
});

test('cursors read in pieces', async () => {
  const sizes: number[] = [];
  for await (const part of sql`SELECT g FROM generate_series(1, 25) g`.cursor(10)) sizes.push(part.length);
  expect(sizes).toEqual([10, 10, 5]);
});

test('COPY by streams', async () => {
  await sql`CREATE TABLE c (a int, b text)`;
  await pipeline(Readable.from(['1\tx\n', '2\t', 'y\n']), await sql`COPY c FROM STDIN`.writable());
  const out: string[] = [];
  for await (const chunk of await sql`COPY c TO STDOUT`.readable()) out.push(String(chunk));
  expect(out.join('')).toBe('1\tx\n2\ty\n');
});

test('notifications and errors', async () => {
  const came: string[] = [];
  await sql.listen('news', (payload) => came.push(payload));
  await sql.notify('news', 'hello');
  await sql`SELECT 1`;
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(came).toEqual(['hello']);
  await expect(sql`SELECT nothing`).rejects.toMatchObject({ code: '42703', severity: 'ERROR', position: '8' });
});

test('pipelined queries', async () => {
  const all = await Promise.all(Array.from({ length: 300 }, (_, i) => sql`SELECT ${i}::int AS i`));
  expect(all.map(([{ i }]) => i as number)).toEqual(Array.from({ length: 300 }, (_, i) => i));
});
