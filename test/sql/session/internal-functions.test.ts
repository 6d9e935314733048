/** What Postgres would read as whatever bytes are there: a function of the system that is declared with types that it does not have. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refused, TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
});
afterAll(() => t.close());

test.each([
  ['too few arguments', '(int) returns int', 'int4pl', '(1)'],
  ['a text where a number is wanted', '(text, text) returns int', 'int4pl', `('1', '2')`],
  ['a text where cstring is wanted', '(text) returns int', 'int4in', `('1')`],
  ['a number where a text is wanted', '(int) returns text', 'lower', '(1)'],
  ['a result of another type', '(int, int) returns text', 'int4pl', '(1, 2)'],
  ['an element of another type', '(int[], text) returns int[]', 'array_append', `('{1}', 'x')`],
  ['an array where a result is one element', '(int[], int) returns int', 'array_append', `('{1}', 2)`],
  ['no array', '(int, int) returns int', 'array_append', '(1, 2)'],
  ['no enum', '(int, int) returns bool', 'enum_lt', '(1, 2)'],
  ['a set where one row is wanted', '(int, int) returns int', 'generate_series_int4', '(1, 2)'],
  ['a window function without a window', '() returns bigint', 'window_row_number', '()'],
  ['no window function', '(int, int) returns int window', 'int4pl', '(1, 2) over ()'],
  ['other columns', '(json, out key text) returns setof text', 'json_each', `('{"a": 1}')`],
  ['a column of another type', '(json, out key text, out value int) returns setof record', 'json_each', `('{"a": 1}')`],
  ['a function that is not there', '(regclass) returns int', 'heap_tableam_handler', `('pg_class')`],
])('%s is refused when it is called', async (_what, signature, symbol, call) => {
  await t.run(`create or replace function wrong${signature} language internal as '${symbol}'`);
  const error = await refused('0A000', t.run(`select wrong${call}`));
  expect(error.message).toMatch(/built-in function|set-valued/);
  await t.run('drop function wrong');
});

test('values of one form are taken as they are', async () => {
  await t.run(`create function micros(timestamp) returns int8 language internal as 'int8up'`);
  expect(await t.lines(`select micros('2000-01-01 00:00:01')`)).toEqual(['1000000']);
  await t.run(`create function twice(timestamp, timestamp) returns timestamp language internal as 'int8pl'`);
  await refused('0A000', t.run(`select twice('infinity', '9999-12-31')`));
});

test('a row that comes without SQL can be checked by one', async () => {
  await t.run(`
    create function larger(int, int) returns bool language internal immutable as 'int4gt';
    create table p (id int primary key, a int check (larger(a, 5)));
  `);
  await t.db.put({ table: 'p', id: '1', record: { a: 6 } });
  await refused('23514', t.db.put({ table: 'p', id: '2', record: { a: 5 } }));
});
