/** Long calls give what short ones do, wherever they stand: in lists, conditions, writes, functions and checks; errors are the function's own. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longFunctions } from '../../../src/sql/library/long-functions.ts';
import { LONG_RULES } from '../../../src/sql/library/long-rules.ts';
import { type Served, serve } from '../../wire/open-server.ts';
import { errorOf, rows, WireClient } from '../../wire/wire-client.ts';

let served: Served;
let client: WireClient;
beforeAll(async () => {
  served = await serve();
  client = await WireClient.login(served.port);
  client.patience = 60_000;
  await client.query('CREATE EXTENSION pgcrypto');
  await client.query('CREATE TABLE t (id int PRIMARY KEY, s text)');
});
afterAll(async () => {
  client.quit();
  expect(served.faults).toEqual([]);
  await served.close();
});

async function one(sql: string): Promise<readonly (string | null)[]> {
  const reply = await client.query(sql);
  if (reply.some(({ type }) => type === 'E')) throw new Error(JSON.stringify(errorOf(reply)));
  return rows(reply)[0];
}

const LONG = `repeat('a,', 150000)`;

test.each([
  ['in a select list', `SELECT length(regexp_replace(${LONG}, 'a', 'bb', 'g'))`, ['450000']],
  ['in a condition', `SELECT count(*) FROM generate_series(1, 3) WHERE regexp_count(${LONG}, 'a') = 150000`, ['3']],
  ['as a source of rows', `SELECT count(*), max(x) FROM regexp_split_to_table(${LONG}, ',') x`, ['150001', 'a']],
  ['beside each row', `SELECT count(*) FROM generate_series(1, 3) g, string_to_table(${LONG}, ',') x`, ['450003']],
  ['in a select list that gives rows', `SELECT count(*) FROM (SELECT regexp_split_to_table(${LONG}, ',')) q`, ['150001']],
  ['as an array', `SELECT array_length(string_to_array(${LONG}, ','), 1)`, ['150001']],
  ['of a null', `SELECT crypt(NULL, '$2a$10$abcdefghijklmnopqrstuu') IS NULL`, ['t']],
  ['of a text beyond a byte a character', `SELECT length(upper(repeat('äж😀', 1500000))), right(upper(repeat('äж😀', 1500000)), 4)`, ['4500000', '😀ÄЖ😀']],
  [
    'of arrays',
    `SELECT array_length(array_cat(a, a), 1), a @> a, (array_reverse(a))[1] FROM (SELECT array_agg(i) a FROM generate_series(1, 250000) i) q`,
    ['500000', 't', '250000'],
  ],
  [
    'of an array from another bound',
    `SELECT array_position(('[5:250004]=' || a::text)::int[], 7) FROM (SELECT array_agg(i) a FROM generate_series(1, 250000) i) q`,
    ['11'],
  ],
  [
    'of an array of a type',
    `SELECT left(array_to_json(a)::text, 14) FROM (SELECT array_agg(date '2024-01-01') a FROM generate_series(1, 250000)) q`,
    ['["2024-01-01",'],
  ],
  ['of an expression that tries many ways', `SELECT (repeat('a', 20) || 'b') ~ '^(a|a)*$'`, ['f']],
  ['of a document', `SELECT jsonb_array_length(('[' || ${LONG.replace('a,', '1,')} || '1]')::jsonb)`, ['150001']],
  ['in an aggregate', `SELECT sum(length(translate(repeat('ab', 600000), 'a', ''))) FROM generate_series(1, 2)`, ['1200000']],
  ['with the session’s configuration', `SELECT length(to_tsvector(repeat('cats dogs ', 5000)))`, ['2']],
])('%s', async (_, sql, expected) => {
  expect(await one(sql)).toEqual(expected);
});

test('what is random is computed once for each row', async () => {
  await client.query(`INSERT INTO t SELECT i, crypt('word' || i, gen_salt('bf', 8)) FROM generate_series(1, 3) i`);
  await client.query(`INSERT INTO t VALUES (4, crypt('word4', gen_salt('bf', 8)))`);
  expect(await one(`SELECT count(*), count(DISTINCT s) FROM t WHERE crypt('word' || id, s) = s`)).toEqual(['4', '4']);
});

test('in functions, checks and defaults', async () => {
  await client.query(`CREATE FUNCTION hashed (p text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RETURN crypt(p, '$2a$08$abcdefghijklmnopqrstuu'); END $$`);
  expect(await one(`SELECT hashed('a') = crypt('a', '$2a$08$abcdefghijklmnopqrstuu')`)).toEqual(['t']);
  await client.query(`CREATE TABLE c (s text CHECK (regexp_count(s, 'a') < 200000), h text DEFAULT crypt('a', '$2a$08$abcdefghijklmnopqrstuu'))`);
  await client.query(`INSERT INTO c (s) VALUES (${LONG})`);
  expect(await one('SELECT length(s), left(h, 7) FROM c')).toEqual(['300000', '$2a$08$']);
  expect(errorOf(await client.query(`INSERT INTO c (s) VALUES (repeat('a', 300000))`))['C']).toBe('23514');
});

test('errors are those of the function', async () => {
  expect(errorOf(await client.query(`SELECT regexp_count(${LONG}, '(')`))['C']).toBe('2201B');
  expect(errorOf(await client.query(`SELECT ('[' || ${LONG} || ']')::jsonb`))['C']).toBe('22P02');
  expect(errorOf(await client.query('SELECT array_fill(1, array[100000000])'))['C']).toBe('53200');
});

test('long texts are the statements that they are, and their errors have the place', async () => {
  const list = Array.from({ length: 20_000 }, (_, i) => i).join(',');
  expect(await one(`SELECT count(*) FROM generate_series(1, 100) g WHERE g IN (${list})`)).toEqual(['100']);
  expect(await one(`SELECT count(*), max(column1) FROM (VALUES ${Array.from({ length: 10_000 }, (_, i) => `(${i}, 'x''y')`).join(',')}) v`)).toEqual([
    '10000',
    '9999',
  ]);
  expect(errorOf(await client.query(`SELECT ${' '.repeat(50_000)} FROM FROM`))).toMatchObject({
    C: '42601',
    P: String('SELECT '.length + 50_000 + ' FROM '.length + 1),
  });
  const queries = (count: number): string =>
    Array.from({ length: count }, (_, i) => (i === 0 ? 'c0 AS (SELECT 1 AS x)' : `c${i} AS (SELECT x + 1 AS x FROM c${i - 1})`)).join(',');
  expect(await one(`WITH ${queries(1500)} SELECT * FROM c1499`)).toEqual(['1500']);
  expect(errorOf(await client.query(`WITH ${queries(5001)} SELECT * FROM c5000`))['C']).toBe('54001');
});

test('many grouping sets give what few do', async () => {
  const columns = Array.from({ length: 7 }, (_, i) => `a${i}`).join(',');
  const made = Array.from({ length: 7 }, (_, i) => `(i >> ${i}) % 2 AS a${i}`).join(',');
  // Each column is 0, 1 or all of them.
  expect(
    await one(`SELECT count(*), sum(n) FROM (SELECT count(*) AS n FROM (SELECT ${made} FROM generate_series(0, 127) i) t GROUP BY CUBE (${columns})) q`),
  ).toEqual([String(3 ** 7), String(128 * 2 ** 7)]);
});

test('every rule is of something that exists', () => {
  const names = new Set([...longFunctions().keys()].map((key) => key.slice(0, key.indexOf('('))));
  // Names of operators' functions and of extensions that are not there are left out.
  expect([...LONG_RULES.keys()].filter((name) => !names.has(name))).toEqual([]);
});
