/** PL/pgSQL beside what records of statements can tell: messages, time limits, others meanwhile, worlds, locks. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Served, serve } from '../../wire/open-server.ts';
import { errorOf, type Message, WireClient } from '../../wire/wire-client.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
let served: Served;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE n (id int PRIMARY KEY, v int); INSERT INTO n SELECT g, g FROM generate_series(1, 100) g');
  served = await serve();
}, 60_000);
afterAll(async () => {
  await t.close();
  await served.close();
});

/** Severity, message, detail and hint of each. */
function noticesOf(messages: readonly Message[]): string[] {
  return messages
    .filter(({ type }) => type === 'N')
    .map(({ body }) => {
      const fields = new Map(
        String(body)
          .split('\0')
          .map((field) => [field[0], field.slice(1)]),
      );
      return ['V', 'M', 'D', 'H'].flatMap((name) => fields.get(name) ?? []).join(' ');
    });
}

/** How often another session is answered meanwhile. */
async function answeredUntil(ended: Promise<unknown>, other: WireClient): Promise<number> {
  let answered = 0;
  let over = false;
  void ended.then(() => (over = true));
  while (!over) {
    await other.query('SELECT 1');
    answered++;
  }
  return answered;
}

test('messages come with their level, detail and hint, as the setting allows', async () => {
  const say = `DO $$ BEGIN
    RAISE DEBUG 'quiet'; RAISE NOTICE 'one % two %% %', 1, NULL; RAISE WARNING 'careful' USING HINT = 'stop', DETAIL = 'here';
    RAISE INFO 'always';
  END $$`;
  const client = await WireClient.login(served.port);
  expect(noticesOf(await client.query(say))).toEqual(['NOTICE one 1 two % <NULL>', 'WARNING careful here stop', 'INFO always']);
  await client.query('SET client_min_messages = error');
  expect(noticesOf(await client.query(say))).toEqual(['INFO always']);
  client.quit();
});

test('an endless loop ends with its statement_timeout, and others are answered meanwhile', async () => {
  const looping = await WireClient.login(served.port);
  const other = await WireClient.login(served.port);
  await looping.query("SET statement_timeout = '300ms'");
  const ended = looping.query('DO $$ DECLARE i int := 0; BEGIN LOOP i := (i + 1) % 1000; END LOOP; END $$');
  const answered = await answeredUntil(ended, other);
  expect(errorOf(await ended)).toMatchObject({ C: '57014', M: 'canceling statement due to statement timeout' });
  expect(answered).toBeGreaterThan(1);
  await looping.query('CREATE FUNCTION forever() RETURNS int LANGUAGE plpgsql AS $$ BEGIN LOOP NULL; END LOOP; END $$');
  expect(errorOf(await looping.query('SELECT forever()'))['C']).toBe('57014');
  looping.quit();
  other.quit();
});

test('a long query in a loop yields, resumes where it stopped, and what follows it is right', async () => {
  const looping = await WireClient.login(served.port);
  const other = await WireClient.login(served.port);
  await looping.query('CREATE TABLE sums (turn int, total bigint); CREATE TABLE long AS SELECT g AS v FROM generate_series(1, 200000) g');
  const ended = looping.query(`DO $$ DECLARE s bigint; BEGIN
    FOR i IN 1..3 LOOP
      SELECT sum(a.v) INTO s FROM long a JOIN long b ON a.v = b.v WHERE a.v % 3 <> i - 1;
      INSERT INTO sums VALUES (i, s);
      UPDATE long SET v = v + 0 WHERE v <= 20000;
    END LOOP; END $$`);
  const answered = await answeredUntil(ended, other);
  expect((await ended).some(({ type }) => type === 'E')).toBe(false);
  expect(answered).toBeGreaterThan(3);
  const rows = await other.query('SELECT string_agg(turn || $$=$$ || total, $$ $$ ORDER BY turn) FROM sums');
  expect(String(rows.find(({ type }) => type === 'D')!.body)).toContain('1=13333466667 2=13333400000 3=13333333333');
  looping.quit();
  other.quit();
});

test('a statement in a loop that waits for a row resumes in its loop', async () => {
  const [one, two] = [await WireClient.login(served.port), await WireClient.login(served.port)];
  await one.query('CREATE TABLE steps (id int PRIMARY KEY, v int); INSERT INTO steps SELECT g, 0 FROM generate_series(1, 5) g');
  await one.query('BEGIN; UPDATE steps SET v = 10 WHERE id = 3');
  const waiting = two.query('DO $$ BEGIN FOR i IN 1..5 LOOP UPDATE steps SET v = v + i WHERE id = i; COMMIT; END LOOP; END $$');
  await new Promise((resolve) => setTimeout(resolve, 50));
  const before = await one.query('SELECT string_agg(v::text, $$,$$ ORDER BY id) FROM steps');
  expect(String(before.find(({ type }) => type === 'D')!.body)).toContain('1,2,10,0,0');
  await one.query('COMMIT');
  await waiting;
  const after = await two.query('SELECT string_agg(v::text, $$,$$ ORDER BY id) FROM steps');
  expect(String(after.find(({ type }) => type === 'D')!.body)).toContain('1,2,13,4,5');
  one.quit();
  two.quit();
});

test('a cancelled statement is not caught by WHEN OTHERS', async () => {
  const client = await WireClient.login(served.port);
  await client.query("SET statement_timeout = '100ms'");
  const sql = `DO $$ BEGIN LOOP NULL; END LOOP; EXCEPTION WHEN OTHERS THEN RAISE NOTICE 'caught'; END $$`;
  expect(errorOf(await client.query(sql))['C']).toBe('57014');
  client.quit();
});

test('functions fork and merge with their world, and their writes are the statement’s', async () => {
  await t.run(
    `CREATE FUNCTION bump(k int) RETURNS int LANGUAGE plpgsql AS $$ DECLARE r int; BEGIN UPDATE n SET v = v + 1 WHERE id = k RETURNING v INTO r; RETURN r; END $$`,
  );
  await t.run('CREATE WORLD w');
  await t.run(`CREATE OR REPLACE FUNCTION bump(k int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN UPDATE n SET v = v + 100 WHERE id = k; RETURN -1; END $$`, 'w');
  expect(await t.lines('SELECT bump(1)')).toEqual(['2']);
  expect(await t.lines('SELECT bump(2)', 'w')).toEqual(['-1']);
  await t.run('MERGE WORLD w');
  expect(await t.lines('SELECT bump(3)')).toEqual(['-1']);
  expect(await t.lines('SELECT v FROM n WHERE id IN (1, 2, 3) ORDER BY id')).toEqual(['2', '102', '103']);
  await t.refused('P0001', `DO $$ BEGIN PERFORM bump(4); RAISE EXCEPTION 'all of it'; END $$`);
  expect(await t.lines('SELECT v FROM n WHERE id = 4')).toEqual(['4']);
});

test('a block that has to wait for another transaction’s row waits, and is not an exception', async () => {
  const [one, two] = [await WireClient.login(served.port), await WireClient.login(served.port)];
  await one.query('CREATE TABLE locked (id int PRIMARY KEY, v int); INSERT INTO locked VALUES (1, 1)');
  await one.query('BEGIN; UPDATE locked SET v = 2 WHERE id = 1');
  const waiting = two.query(`DO $$ BEGIN UPDATE locked SET v = v * 10 WHERE id = 1; EXCEPTION WHEN OTHERS THEN INSERT INTO locked VALUES (2, 2); END $$`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await one.query('COMMIT');
  await waiting;
  const rows = await two.query('SELECT id, v FROM locked ORDER BY id');
  expect(rows.filter(({ type }) => type === 'D').length).toBe(1);
  expect(String(rows.find(({ type }) => type === 'D')!.body)).toContain('20');
  one.quit();
  two.quit();
});

test('a cursor that a function opens is fetched by its caller', async () => {
  const { results } = await t.db.sql({
    sql: `CREATE OR REPLACE FUNCTION opens(name text) RETURNS text LANGUAGE plpgsql AS $$ DECLARE c refcursor := name; BEGIN OPEN c FOR SELECT id FROM n ORDER BY id; RETURN c; END $$;
      BEGIN; SELECT opens('mine'); FETCH 2 FROM mine; COMMIT`,
  });
  expect(results.at(-2)!.rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test('nesting ends in 54001, in the text and in calls', async () => {
  const deep = `${'BEGIN '.repeat(200)} NULL; ${'END; '.repeat(200)}`;
  await t.refused('54001', `DO $$ ${deep} $$`);
  await t.run('CREATE FUNCTION calls_itself(i int) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN calls_itself(i + 1); END $$');
  await t.refused('54001', 'SELECT calls_itself(1)');
});

test('nothing inside a function ends its transaction', async () => {
  await t.run('CREATE TABLE whole (id int PRIMARY KEY)');
  for (const [i, ends] of ['CREATE WORLD inside', 'USE WORLD w', 'DISCARD ALL', 'MERGE WORLD w'].entries()) {
    const error = await t.refused('25001', `DO $$ BEGIN INSERT INTO whole VALUES (${i}); EXECUTE '${ends}'; END $$`);
    expect(error.message).toContain('cannot be executed from a function');
  }
  await t.run("DO $$ BEGIN INSERT INTO whole VALUES (9); BEGIN EXECUTE 'CREATE WORLD inside'; EXCEPTION WHEN OTHERS THEN NULL; END; END $$");
  expect(await t.lines('SELECT id FROM whole')).toEqual(['9']);
  expect(await t.lines("SELECT count(*) FROM pg_database WHERE datname = 'inside'")).toEqual(['0']);
});

test('cursors that OPEN names are counted per session', async () => {
  const clients = [await WireClient.login(served.port), await WireClient.login(served.port)];
  const ask = "DO $$ DECLARE c refcursor; BEGIN OPEN c FOR SELECT 1; RAISE NOTICE '%', c; c := NULL; OPEN c FOR SELECT 2; RAISE NOTICE '%', c; END $$";
  for (const client of clients) expect(noticesOf(await client.query(ask))).toEqual(['NOTICE <unnamed portal 1>', 'NOTICE <unnamed portal 2>']);
  for (const client of clients) client.quit();
});
