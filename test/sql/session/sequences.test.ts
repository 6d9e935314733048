/** Sequences across worlds and restarts: no value is given out that rows have already. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LARGE_ROWS } from '../../../src/sql/session/large-commit.ts';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
  await t.run('CREATE TABLE orders (id serial PRIMARY KEY, what text)');
});
afterEach(() => t.close());

const insert = async (count: number, branch?: string): Promise<number[]> =>
  (await t.rows(`INSERT INTO orders (what) SELECT 'x' FROM generate_series(1, ${count}) RETURNING id`, { branch })).map(({ id }) => id as number);

test('after a merge the parent continues after the values of the branch, even after its own', async () => {
  expect(await insert(2)).toEqual([1, 2]);
  await t.run('CREATE WORLD draft');
  expect(await insert(5, 'draft')).toEqual([3, 4, 5, 6, 7]);
  await t.run('MERGE WORLD draft');
  expect(await insert(1)).toEqual([8]);
  expect(await t.lines('SELECT last_value FROM orders_id_seq')).toEqual(['8']);
  await t.reopen();
  expect(await insert(1)).toEqual([9]);
});

test('a parent that is further than the branch stays where it is, also where the value is not committed yet', async () => {
  await insert(1);
  await t.run('CREATE WORLD draft');
  expect(await insert(2, 'draft')).toEqual([2, 3]);
  await t.run("SELECT nextval('orders_id_seq') FROM generate_series(1, 9)");
  await t.run('MERGE WORLD draft');
  expect(await insert(1)).toEqual([11]);
});

test('a branch that restarts or makes a sequence again does not take the parent back', async () => {
  await insert(5);
  await t.run('CREATE WORLD draft');
  await t.run('TRUNCATE orders RESTART IDENTITY', 'draft');
  expect(await insert(2, 'draft')).toEqual([1, 2]);
  await t.run('MERGE WORLD draft');
  expect(await t.lines('SELECT id FROM orders ORDER BY id')).toEqual(['1', '2']);
  expect(await insert(1)).toEqual([6]);
});

test('a transaction that restarts one sequence and draws from another keeps both over a restart', async () => {
  await t.run('CREATE SEQUENCE other');
  await insert(3);
  await t.run(
    "BEGIN; SELECT nextval('other') FROM generate_series(1, 4); ALTER SEQUENCE orders_id_seq RESTART WITH 40; SELECT nextval('orders_id_seq'); COMMIT",
  );
  await t.reopen({ withoutCache: true });
  expect(await t.lines("SELECT nextval('other') AS a, nextval('orders_id_seq') AS b")).toEqual(['5 41']);
});

test('what is made again begins again, also over a restart', async () => {
  await insert(3);
  await t.run('DROP TABLE orders; CREATE TABLE orders (id serial PRIMARY KEY, what text)');
  expect(await insert(2)).toEqual([1, 2]);
  await t.run('DROP TABLE orders; CREATE TABLE orders (id serial PRIMARY KEY, what text)');
  await t.reopen();
  expect(await insert(2)).toEqual([1, 2]);
});

test('undoing a merge does not give values out again', async () => {
  await insert(1);
  await t.run('CREATE WORLD draft');
  await insert(3, 'draft');
  await t.run('MERGE WORLD draft; UNDO MERGE draft');
  expect(await t.lines('SELECT count(*) FROM orders')).toEqual(['1']);
  expect(await insert(1)).toEqual([5]);
});

test('a sequence restored by a restore or an undone merge continues where it was', async () => {
  await insert(3);
  const [before] = await t.lines('SELECT now()::text');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await t.run('DROP TABLE orders');
  await t.run(`RESTORE WORLD main TO '${before}'`);
  expect(await insert(1)).toEqual([4]);
  await t.run('CREATE WORLD draft');
  await t.run('DROP TABLE orders', 'draft');
  await t.run('MERGE WORLD draft');
  await t.run('UNDO MERGE draft');
  expect(await insert(1)).toEqual([5]);
});

test('a restore to before a sequence was made again takes it to where it was then', async () => {
  await insert(5);
  const [before] = await t.lines('SELECT now()::text');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await t.run('DROP TABLE orders; CREATE TABLE orders (id serial PRIMARY KEY, what text)');
  expect(await insert(2)).toEqual([1, 2]);
  await t.run(`RESTORE WORLD main TO '${before}'`);
  expect(await insert(1)).toEqual([6]);
  await t.reopen();
  expect(await insert(1)).toEqual([7]);
});

test('of a sequence that counts down the lower is the further', async () => {
  await t.run('CREATE SEQUENCE down INCREMENT -1');
  expect(await t.lines("SELECT nextval('down')")).toEqual(['-1']);
  await t.run('CREATE WORLD draft');
  await t.run("SELECT nextval('down') FROM generate_series(1, 4)", 'draft');
  await t.run('MERGE WORLD draft');
  expect(await t.lines("SELECT nextval('down')")).toEqual(['-6']);
});

test.each([3, LARGE_ROWS + 1000])('%d rows at once: forks and a restart continue after them', async (count) => {
  await insert(count);
  await t.run('CREATE WORLD draft');
  expect(await insert(1, 'draft')).toEqual([count + 1]);
  expect(await t.lines('SELECT last_value FROM orders_id_seq')).toEqual([String(count)]);
  await t.reopen();
  expect(await insert(1)).toEqual([count + 1]);
  await t.run(`BEGIN; INSERT INTO orders (what) SELECT 'y' FROM generate_series(1, ${count}); COMMIT`);
  await t.reopen({ withoutCache: true });
  expect(await insert(1)).toEqual([2 * count + 2]);
});

test('of a partial merge the sequences of its tables come along, and others do not', async () => {
  await t.run('CREATE TABLE other (id serial PRIMARY KEY); CREATE SCHEMA side; CREATE WORLD draft');
  await t.run('ALTER TABLE orders SET SCHEMA side; CREATE TABLE fresh (id serial PRIMARY KEY); ALTER SEQUENCE other_id_seq INCREMENT 5', 'draft');
  await t.run('MERGE WORLD draft ONLY TABLES (orders, fresh)');
  const names = "SELECT schemaname || '.' || sequencename || ' ' || increment_by FROM pg_sequences ORDER BY 1";
  expect(await t.lines(names)).toEqual(['public.fresh_id_seq 1', 'public.other_id_seq 1', 'side.orders_id_seq 1']);
  expect(await t.lines("INSERT INTO side.orders (what) VALUES ('x') RETURNING id")).toEqual(['1']);
  await t.run('MERGE WORLD draft');
  expect(await t.lines(names)).toEqual(['public.fresh_id_seq 1', 'public.other_id_seq 5', 'side.orders_id_seq 1']);
});
