/** Messages of RAISE leave as they come, once each, and wait for a client that does not read them. */
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from './open-server.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

interface Heard {
  readonly client: pg.Client;
  readonly heard: { readonly text: string; readonly at: number }[];
}

async function connect(): Promise<Heard> {
  const client = new pg.Client({ host: '127.0.0.1', port: served.port, user: 'svc', database: 'main' });
  const heard: Heard['heard'] = [];
  client.on('notice', ({ severity, message }) => heard.push({ text: `${severity} ${message}`, at: performance.now() }));
  await client.connect();
  return { client, heard };
}

test.each([
  ['a block', "DO $$ BEGIN RAISE NOTICE 'one'; PERFORM pg_sleep(0.3); RAISE WARNING 'two'; PERFORM pg_sleep(0.3); END $$"],
  ['a function', 'SELECT slow()'],
  ['a procedure', 'CALL slowly()'],
])('a message of %s is there before its statement ends, and once', async (_, sql) => {
  const { client, heard } = await connect();
  const body = "BEGIN RAISE NOTICE 'one'; PERFORM pg_sleep(0.3); RAISE WARNING 'two'; PERFORM pg_sleep(0.3); END";
  await client.query(`CREATE OR REPLACE FUNCTION slow() RETURNS void LANGUAGE plpgsql AS $$ ${body} $$`);
  await client.query(`CREATE OR REPLACE PROCEDURE slowly() LANGUAGE plpgsql AS $$ ${body} $$`);
  await client.query(sql);
  const end = performance.now();
  await client.end();
  expect(heard.map(({ text }) => text)).toEqual(['NOTICE one', 'WARNING two']);
  expect(end - heard[0].at).toBeGreaterThan(450);
  expect(end - heard[1].at).toBeGreaterThan(200);
});

test('rows of a statement that runs again after a wait are described once, behind its messages', async () => {
  const { client, heard } = await connect();
  await client.query("CREATE FUNCTION said(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'row %', i; PERFORM pg_sleep(0.02); RETURN i; END $$");
  for (const values of [undefined, []]) {
    heard.length = 0;
    const { rows } = await client.query({ text: 'SELECT said(i) AS s FROM generate_series(1, 3) i', ...(values === undefined ? {} : { values }) });
    expect(rows).toEqual([{ s: 1 }, { s: 2 }, { s: 3 }]);
    expect(heard.map(({ text }) => text)).toEqual(['NOTICE row 1', 'NOTICE row 2', 'NOTICE row 3']);
  }
  await client.end();
});

test.each([
  ['debug5', 'DEBUG d;LOG l;INFO i;NOTICE n;WARNING w'],
  ['debug', 'DEBUG d;LOG l;INFO i;NOTICE n;WARNING w'],
  ['debug1', 'DEBUG d;LOG l;INFO i;NOTICE n;WARNING w'],
  ['log', 'LOG l;INFO i;NOTICE n;WARNING w'],
  ['notice', 'INFO i;NOTICE n;WARNING w'],
  ['warning', 'INFO i;WARNING w'],
  ['error', 'INFO i'],
])('client_min_messages = %s', async (level, expected) => {
  const { client, heard } = await connect();
  await client.query(`SET client_min_messages = ${level}`);
  await client.query("DO $$ BEGIN RAISE DEBUG 'd'; RAISE LOG 'l'; RAISE INFO 'i'; RAISE NOTICE 'n'; RAISE WARNING 'w'; END $$");
  await client.end();
  expect(heard.map(({ text }) => text).join(';')).toBe(expected);
});

test('messages of definitions follow the setting, inside blocks too', async () => {
  const { client, heard } = await connect();
  await client.query('DROP TABLE IF EXISTS absent');
  await client.query('DO $$ BEGIN DROP TABLE IF EXISTS gone; END $$');
  await client.query('SET client_min_messages = warning');
  await client.query('DROP TABLE IF EXISTS absent');
  await client.end();
  expect(heard.map(({ text }) => text)).toEqual(['NOTICE table "absent" does not exist, skipping', 'NOTICE table "gone" does not exist, skipping']);
});

test('a block waits for a client that does not read its messages', async () => {
  const { client, heard } = await connect();
  const other = await connect();
  await client.query('CREATE SEQUENCE turns');
  const { stream } = (client as unknown as { connection: { stream: { pause(): void; resume(): void } } }).connection;
  const run = client.query("DO $$ BEGIN FOR i IN 1..25000 LOOP PERFORM nextval('turns'); RAISE NOTICE '%', repeat('x', 1000); END LOOP; END $$");
  setTimeout(() => stream.pause(), 1);
  const turns = async (): Promise<number> => Number((await other.client.query('SELECT last_value FROM turns')).rows[0].last_value);
  let before = -1;
  let now = await turns();
  while (now !== before || now < 2) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    before = now;
    now = await turns();
  }
  expect(now).toBeLessThan(25_000);
  stream.resume();
  await run;
  expect(heard.length).toBe(25_000);
  await Promise.all([client.end(), other.client.end()]);
});
