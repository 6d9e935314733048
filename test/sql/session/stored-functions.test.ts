/** Defaults, checks and generated columns that call functions, the world's own among them, when a row comes without SQL. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`
    CREATE FUNCTION twice(x int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
    CREATE FUNCTION fourfold(x int) RETURNS numeric LANGUAGE sql AS 'SELECT twice(twice(x))';
    CREATE FUNCTION is_large(x int) RETURNS bool LANGUAGE sql STRICT AS 'SELECT count(*) > 0 FROM generate_series(1, x)';
    CREATE TABLE p (
      id int PRIMARY KEY,
      a int DEFAULT fourfold(2),
      word text DEFAULT upper('x') || lpad('1', 3, '0'),
      made timestamptz DEFAULT now(),
      CHECK (is_large(a)),
      CHECK (length(word) < 9)
    );
  `);
});
afterAll(() => t.close());

test('defaults and checks call functions of the world', async () => {
  await t.db.put({ table: 'p', id: '1', record: {} });
  await t.db.put({ table: 'p', id: '2', record: { a: 5, word: 'w' } });
  expect(await t.lines('SELECT id, a, word, made IS NOT NULL FROM p ORDER BY id')).toEqual(['1 8 X001 true', '2 5 w true']);
  await refused('23514', t.db.put({ table: 'p', id: '3', record: { a: -1 } }));
  await refused('23514', t.db.put({ table: 'p', id: '3', record: { word: 'much too long' } }));
});

test('a function that is replaced counts from then on, in its own world', async () => {
  await t.run('CREATE WORLD other');
  await t.run(`CREATE OR REPLACE FUNCTION twice(x int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 10'`, 'other');
  await t.db.put({ branch: 'other', table: 'p', id: '9', record: {} });
  await t.db.put({ table: 'p', id: '9', record: {} });
  expect(await t.lines('SELECT a FROM p WHERE id = 9', 'other')).toEqual(['200']);
  expect(await t.lines('SELECT a FROM p WHERE id = 9')).toEqual(['8']);
});

test('a function that reads a table is refused, with its name', async () => {
  await t.run(
    `CREATE FUNCTION rows_of_p() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM p'; CREATE TABLE r (id int PRIMARY KEY, n bigint DEFAULT rows_of_p())`,
  );
  const error = await refused('0A000', t.db.put({ table: 'r', id: '1', record: {} }));
  expect(error.message).toContain('rows_of_p');
  await t.run('INSERT INTO r VALUES (2)');
});
