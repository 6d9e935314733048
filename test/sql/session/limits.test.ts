/** Statements at and past every limit: a typed error or an answer, and a server that lives. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { TestDatabase } from './open-database.ts';

let t: TestDatabase;
beforeAll(async () => {
  t = await TestDatabase.open();
  await t.run(`CREATE TABLE n (a int PRIMARY KEY, b text); INSERT INTO n SELECT g, g::text FROM generate_series(1, 20000) g`);
});
afterEach(async () => {
  expect(await t.rows('SELECT 1 AS alive')).toEqual([{ alive: 1 }]);
});
afterAll(() => t.close());

const numbers = Array.from({ length: 10_000 }, (_, i) => i);
const around = (open: string, middle: string, close: string, count: number): string => `${open.repeat(count)}${middle}${close.repeat(count)}`;

// contract: fixed.15, error.54001
describe('too deep is 54001', () => {
  test.each<[string, string]>([
    ['100,000 parentheses', `SELECT ${around('(', '1', ')', 100_000)}`],
    ['100,000 additions', `SELECT 1${'+1'.repeat(100_000)}`],
    ['100,000 concatenations', `SELECT 'a'${`||'b'`.repeat(100_000)}`],
    ['100,000 minus signs', `SELECT ${'- '.repeat(100_000)}1`],
    ['100,000 NOT', `SELECT ${'NOT '.repeat(100_000)}true`],
    ['100,000 casts', `SELECT 1${'::int'.repeat(100_000)}`],
    ['100,000 CASE', `SELECT ${around('CASE WHEN true THEN ', '1', ' END', 100_000)}`],
    ['100,000 calls', `SELECT ${around('abs(', '1', ')', 100_000)}`],
    ['100,000 arrays', `SELECT ${around('ARRAY[', '1', ']', 100_000)}`],
    ['100,000 subqueries', `SELECT ${around('(SELECT ', '1', ')', 100_000)}`],
    ['100,000 subqueries in FROM', `SELECT * FROM ${around('(SELECT * FROM ', 'n', ') x', 100_000)}`],
    ['100,000 unions', `SELECT 1${' UNION ALL SELECT 1'.repeat(100_000)}`],
    ['100,000 joins', `SELECT 1 FROM n${' CROSS JOIN n'.repeat(100_000)}`],
    ['100,000 comparisons', `SELECT 1${' = 1'.repeat(100_000)}`],
  ])('%s', async (_what, sql) => {
    const begun = performance.now();
    const error = await t.refused('54001', sql);
    expect(error.message).toBe('stack depth limit exceeded');
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  test('deep JSON', async () => {
    for (const type of ['json', 'jsonb']) {
      await t.refused('54001', `SELECT '${around('[', '', ']', 100_000)}'::${type}`);
      await t.refused('54001', `SELECT $1::${type}`, { params: [around('{"a":', '1', '}', 100_000)] });
      expect(await t.lines(`SELECT ('${around('[', '1', ']', 900)}'::${type})::text`)).toEqual([around('[', '1', ']', 900)]);
    }
  });
});

describe('long but flat is answered', () => {
  test.each<[string, string, unknown]>([
    ['100,000 AND', `SELECT true${' AND true'.repeat(100_000)} AS v`, true],
    ['1,500 OR', `SELECT count(*) AS v FROM n WHERE a = 0${' OR a = 7'.repeat(1_500)}`, 1],
    ['1,900 concatenations', `SELECT length('a'${`||'b'`.repeat(1_900)}) AS v`, 1901],
    ['400 calls', `SELECT ${around('abs(', '-1', ')', 400)} AS v`, 1],
    ['200 subqueries', `SELECT ${around('(SELECT ', '1', ')', 200)} AS v`, 1],
    ['1,000 unions', `SELECT count(*) AS v FROM (SELECT 1${' UNION ALL SELECT 1'.repeat(1_000)}) x`, 1001],
    ['100 joins', `SELECT count(*) AS v FROM n x0${numbers.slice(1, 100).map((i) => ` JOIN n x${i} ON x${i}.a = x${i - 1}.a`).join('')} WHERE x0.a = 5`, 1], // prettier-ignore
    ['10,000 in a list of numbers', `SELECT count(*) AS v FROM n WHERE a IN (${numbers.join()})`, 9999],
    ['10,000 in a list of texts', `SELECT count(*) AS v FROM n WHERE b NOT IN (${numbers.map((i) => `'${i}'`).join()})`, 10001],
    ['10,000 in a list that holds a null', `SELECT count(*) AS v FROM n WHERE a NOT IN (NULL, ${numbers.join()})`, 0],
    ['10,000 rows of VALUES', `SELECT sum(column1) AS v FROM (VALUES ${numbers.map((i) => `(${i})`).join()}) x`, 49995000],
    ['1,600 columns', `SELECT ${numbers.slice(0, 1600).map((i) => `${i} AS c${i}`).join()}, 7 AS v`, 7], // prettier-ignore
  ])('%s', async (_what, sql, value) => {
    expect((await t.rows(sql))[0]['v']).toBe(value);
  });

  test('10,000 parameters in a list, and one array of them', async () => {
    const listed = `SELECT count(*) AS v FROM n WHERE a IN (${numbers.map((i) => `$${i + 1}`).join()})`;
    expect(await t.rows(listed, { params: numbers })).toEqual([{ v: 9999 }]);
    expect(await t.rows('SELECT count(*) AS v FROM n WHERE a = ANY($1)', { params: [numbers] })).toEqual([{ v: 9999 }]);
  });

  test('2,000 statements of one text', async () => {
    expect(await t.run('SELECT 1;'.repeat(2_000))).toHaveLength(2_000);
  });
});

// contract: error.54000
test.each<[string, string]>([
  ['42P02', 'SELECT $65536'],
  ['42601', 'SELECT $99999999999999999999'],
  ['42P02', 'SELECT $0'],
  ['22003', `SELECT ${'9'.repeat(200_000)}`],
  ['22003', 'SELECT 1e131072'],
  ['22003', `SELECT 10::numeric ^ 200000`],
  ['22003', 'SELECT 9223372036854775807 + 1'],
  ['22003', 'SELECT (-9223372036854775808) * -1'],
  ['22003', `SELECT '1e400'::float8`],
  ['22003', `SELECT exp(100000.0)`],
  ['54000', `SELECT repeat('x', 2000000000)`],
  ['54000', `SELECT lpad('x', 2000000000)`],
  ['22021', `SELECT 'a\0b'`],
  ['22021', `SELECT 1 AS "a\0b"`],
  ['22021', `SELECT E'a\\0b'`],
  ['42601', `SELECT E'\\u0000'`],
  ['22P05', `SELECT '"\\u0000"'::jsonb`],
  ['22P02', `SELECT ''::int`],
  ['22P02', `SELECT ''::json`],
  ['22007', `SELECT ''::date`],
  ['42601', `SELECT ""`],
])('%s: %s', async (code, sql) => {
  await t.refused(code, sql);
});

test('empty texts are values', async () => {
  expect(await t.rows(`SELECT '' AS a, ''::bytea AS b, length('') AS c, '' IS NULL AS d, $1 || '' AS e`, { params: [''] })).toEqual([
    { a: '', b: '\\x', c: 0, d: false, e: '' },
  ]);
});

test('large numbers come whole', async () => {
  const nines = '9'.repeat(100_000);
  expect(await t.rows(`SELECT ${nines} AS v`)).toEqual([{ v: nines }]);
  expect((await t.rows('SELECT 1e131071 AS v'))[0]['v']).toHaveLength(131_072);
  expect(await t.rows('SELECT 9223372036854775807 AS a, -9223372036854775808 AS b, 9223372036854775808 AS c')).toEqual([
    { a: '9223372036854775807', b: '-9223372036854775808', c: '9223372036854775808' },
  ]);
});

test('names end at 63 bytes, between characters', async () => {
  const long = 'x'.repeat(70);
  await t.run(`CREATE TABLE ${long} (${'c'.repeat(64)} int); INSERT INTO ${'x'.repeat(63)} VALUES (1)`);
  expect(await t.rows(`SELECT * FROM ${long}`)).toEqual([{ ['c'.repeat(63)]: 1 }]);
  await t.refused('42P07', `CREATE TABLE ${'x'.repeat(64)} (a int)`);
  await t.refused('42701', `CREATE TABLE y (${long} int, ${long}y int)`);
  expect(Object.keys((await t.rows(`SELECT 1 AS "${'é'.repeat(40)}"`))[0])).toEqual(['é'.repeat(31)]);
  await t.run(`CREATE SCHEMA "${'ß'.repeat(32)}"`);
  expect(await t.lines(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'ß%'`)).toEqual(['ß'.repeat(31)]);
  await t.run(`DROP TABLE ${long}`);
});

test('names that JavaScript knows are columns like others', async () => {
  await t.run(`CREATE TABLE js ("__proto__" int, "constructor" int, "toString" int, "hasOwnProperty" int); INSERT INTO js VALUES (1, 2, 3, 4)`);
  const [row] = await t.rows('SELECT * FROM js');
  expect(Object.entries(row)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['toString', 3],
    ['hasOwnProperty', 4],
  ]);
  expect((await t.db.find({ table: 'js' })).hits[0].row).toEqual(row);
  await t.refused('42P01', 'SELECT * FROM "__proto__"');
  await t.refused('42883', 'SELECT "constructor"(1)');
});

// contract: fixed.15, error.54001
describe('regular expressions that go back and forth', () => {
  test.each<[string, string]>([
    ['nested repeats', `SELECT repeat('a', 30000) ~ '(a*)*b'`],
    ['nested alternatives', `SELECT repeat('a', 5000) ~ '(a|aa)+$b'`],
    ['many repeats', `SELECT repeat('a', 30000) ~ 'a*a*a*b'`],
    ['replacing', `SELECT regexp_replace(repeat('a', 30000), '(a*)*b', 'x', 'g')`],
    ['splitting', `SELECT regexp_split_to_array(repeat('a', 30000), '(a+)+b')`],
    ['SIMILAR TO', `SELECT repeat('a', 30000) SIMILAR TO '(a*)*b'`],
  ])('%s end soon', async (_what, sql) => {
    const begun = performance.now();
    await t.db.sql({ sql }).catch((error: { code: string; message: string }) => expect(error.code, error.message).toBe('54001'));
    expect(performance.now() - begun).toBeLessThan(3000);
  });

  test('LIKE is no such thing', async () => {
    expect(await t.lines(`SELECT repeat('a', 30000) LIKE '%a%a%a%a%b'`)).toEqual(['false']);
  });
});
