/** Base types of a world in its branches: differences as statements, merges, rows without SQL, binary values. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeEach(async () => {
  t = await TestDatabase.open();
});
afterEach(() => t.close());

const CELSIUS = `
  create type celsius;
  create function celsius_in(cstring) returns celsius language internal immutable strict as 'float8in';
  create function celsius_out(celsius) returns cstring language internal immutable strict as 'float8out';
  create type celsius (input = celsius_in, output = celsius_out, like = float8, default = '20', category = 'N', delimiter = ';');
  create function warmer(celsius, celsius) returns bool language internal immutable strict as 'float8gt';
  create operator > (leftarg = celsius, rightarg = celsius, function = warmer);
  create cast (celsius as float8) without function;
`;
const ROOMS = `
  create table rooms (id int primary key, now celsius, past celsius[], check (now > '-50'));
  insert into rooms (id, past) values (1, '{1;2.5}');
`;

test('a difference makes the type with its functions, and takes it back', async () => {
  await t.run('create world branch');
  await t.run(CELSIUS + ROOMS, 'branch');
  const there = (await t.lines('DIFF WORLD main TO branch AS SQL')).join('\n');
  expect(there.match(/create type celsius\b/gi)).toHaveLength(2);
  await t.run('create world copy');
  await t.run(there, 'copy');
  expect(await t.lines('select now, past from rooms', 'copy')).toEqual(await t.lines('select now, past from rooms', 'branch'));
  expect(await t.lines('DIFF WORLD copy TO branch AS SQL')).toEqual([]);
  await t.run((await t.lines('DIFF WORLD branch TO main AS SQL')).join('\n'), 'branch');
  expect(await t.lines(`select proname from pg_proc where pronamespace = 'public'::regnamespace`, 'branch')).toEqual([]);
  expect(await t.lines(`select typname from pg_type where typname like '%celsius'`, 'branch')).toEqual([]);
});

test('a branch that has the type is merged', async () => {
  await t.run('create world branch');
  await t.run(CELSIUS + ROOMS, 'branch');
  await t.run('MERGE WORLD branch INTO main');
  expect(await t.lines(`select now, past::text, now > '19' from rooms`)).toEqual(['20 {1;2.5} true']);
});

test('a row that comes without SQL is read by the type', async () => {
  await t.run(`${CELSIUS} create table plain (id int primary key, now celsius)`);
  await t.db.put({ table: 'plain', id: '1', record: { now: '21.5' } });
  await t.db.put({ table: 'plain', id: '2', record: {} });
  expect(await t.lines('select now::float8 + 1 from plain order by id')).toEqual(['22.5', '21']);
});

test('what stands behind a type calls what it called when the type was made', async () => {
  await t.run(CELSIUS);
  await t.refused('0A000', `create or replace function celsius_in(cstring) returns celsius language internal immutable strict as 'int4in'`);
  await t.run(`create or replace function celsius_in(cstring) returns celsius language internal stable strict as 'float8in'`);
  expect(await t.lines(`select '3'::celsius`)).toEqual(['3']);
});

test('functions that are not of one type of the system are refused', async () => {
  const made = (input: string, output: string): string => `
    create type odd;
    create function odd_in(cstring) returns odd language internal immutable strict as '${input}';
    create function odd_out(odd) returns cstring language internal immutable strict as '${output}';
    create type odd (input = odd_in, output = odd_out)`;
  for (const [input, output] of [
    ['int4in', 'textout'],
    ['array_in', 'array_out'],
    ['int4in', 'int4abs'],
    ['boolsend', 'boolout'],
  ]) {
    await t.refused('0A000', `begin; ${made(input, output)}`);
  }
  for (const attribute of ['element = int4', 'typmod_in = numerictypmodin', 'subscript = raw_array_subscript_handler']) {
    await t.refused('0A000', `begin; ${made('int4in', 'int4out').replace(/\)$/, `, ${attribute})`)}`);
  }
});

test('values have a binary form where there are functions for it', async () => {
  await t.run(CELSIUS);
  await t.refused('42883', `select record_send(row('1'::celsius))`);
  await t.run(`
    create type short;
    create function short_in(cstring) returns short language internal immutable strict as 'int2in';
    create function short_out(short) returns cstring language internal immutable strict as 'int2out';
    create function short_recv(internal) returns short language internal immutable strict as 'int2recv';
    create function short_send(short) returns bytea language internal immutable strict as 'int2send';
    create type short (input = short_in, output = short_out, receive = short_recv, send = short_send, like = int2)`);
  expect(await t.lines(`select array_send('{1,2}'::short[]) = array_send('{1,2}'::int2[]), short_send('258')`)).toEqual(['false \\x0102']);
});
