/** The runner itself: what it reads, what counts as equal, and that it notices what is wrong. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compareResult } from './compare-result.ts';
import { classicValue, sameValue } from './format-value.ts';
import { type Dialect, meantFor, parseSlt, type QueryRecord } from './parse-slt.ts';
import { PGliteTarget } from './pglite-target.ts';
import { runSlt } from './run-slt.ts';
import { type Outcome, SqlFailure, type Target } from './target.ts';
import { updateSlt } from './update-slt.ts';

let target: Target;
beforeAll(async () => {
  target = await PGliteTarget.open();
}, 60_000);
afterAll(() => target.close());

function records(text: string, dialect: Dialect = 'classic'): unknown[] {
  return parseSlt(text, dialect).records.map((record) => ({ ...record }));
}

test('conditions, halt and loops decide what applies', () => {
  expect(
    records(
      'onlyif mysql\nstatement ok\nSELECT 1\n\nskipif mysql\nstatement ok\nSELECT 2\n\nforeach x a b\n\nstatement error\nSELECT ${x}\n\nendloop\n\nhalt\n\nstatement ok\nSELECT 3\n',
    ),
  ).toMatchObject([
    { sql: 'SELECT 1', applies: false, line: 2, firstLine: 1 },
    { sql: 'SELECT 2', applies: true },
    { sql: 'SELECT a', expect: 'error', line: 11 },
    { sql: 'SELECT b', expect: 'error', line: 11 },
  ]);
});

test('our own files name SQLSTATE and message; a line of SQL may begin with #', () => {
  expect(
    records('statement error 22012 division by zero\nSELECT 1/0;\n\nquery I rowsort columns\nSELECT 5\n# 3;\n----\n?column?:int4\n6\n', 'own'),
  ).toMatchObject([
    { expect: 'error', code: '22012', message: 'division by zero' },
    { types: 'I', sort: 'rowsort', columns: true, sql: 'SELECT 5\n# 3;', expected: ['?column?:int4', '6'] },
  ]);
});

test('a record may be meant for one release of Postgres', () => {
  const [older, newer, any] = parseSlt(
    'onlyif postgresql-15\nstatement ok\nSELECT 1\n\nonlyif postgresql-18\nstatement ok\nSELECT 2\n\nstatement ok\nSELECT 3\n',
    'own',
  ).records;
  expect([older, newer, any].map((record) => [meantFor(record, 15), meantFor(record, 18)])).toEqual([
    [true, false],
    [false, true],
    [true, true],
  ]);
});

test.each([
  ['I', null, 'NULL'],
  ['I', '-0', '0'],
  ['I', '3.9', '3'],
  ['I', 't', '1'],
  ['R', '0.0625', '0.062'],
  ['R', '2', '2.000'],
  ['T', '', '(empty)'],
  ['T', 'a\tb\u00e9', 'a@b@'],
])('classic %s of %s is %s', (letter, text, expected) => expect(classicValue(letter, text)).toBe(expected));

test.each([
  ['true', 't', '', true],
  ['1', '1.0', '', true],
  ['1e3', '1000', '', true],
  ['0.1', '0.10000000000001', '', true],
  ['0.1', '0.1001', '', false],
  ['33', '33.42', '', false],
  ['33', '33.42', 'I', true],
  ['inf', `2${'0'.repeat(400)}`, '', true],
  ['a', 'A', '', false],
  ['NULL', '(empty)', '', false],
])('%s and %s with letter %s count as equal: %s', (expected, got, letter, same) => expect(sameValue(expected, got, letter)).toBe(same));

const outcome = (rows: Outcome['rows']): Outcome => ({ command: '', columns: rows[0].map(() => ({ name: 'c', type: 'int4' })), rows });
const query = (text: string, dialect: Dialect): QueryRecord => parseSlt(text, dialect).records[0] as QueryRecord;

test('sort modes and hashes', () => {
  const rows = outcome([
    ['2', '1'],
    ['1', '3'],
  ]);
  expect(compareResult(query('query II nosort\nq\n----\n2\n1\n1\n3\n', 'classic'), rows, 'classic')).toBeNull();
  expect(compareResult(query('query II rowsort\nq\n----\n1\n3\n2\n1\n', 'classic'), rows, 'classic')).toBeNull();
  expect(compareResult(query('query II valuesort\nq\n----\n1\n1\n2\n3\n', 'classic'), rows, 'classic')).toBeNull();
  expect(compareResult(query('query II nosort\nq\n----\n1\n3\n2\n1\n', 'classic'), rows, 'classic')).not.toBeNull();
  const hash = createHash('md5').update('2\n1\n1\n3\n').digest('hex');
  expect(compareResult(query(`query II nosort\nq\n----\n4 values hashing to ${hash}\n`, 'classic'), rows, 'classic')).toBeNull();
  expect(compareResult(query(`query II nosort\nq\n----\n3 values hashing to ${hash}\n`, 'classic'), rows, 'classic')).not.toBeNull();
  expect(compareResult(query('query II rowsort\nq\n----\n1\t3\n2\t1\n', 'duckdb'), rows, 'duckdb')).toBeNull();
  expect(compareResult(query('query II rowsort\nq\n----\n1\t3\n2\t2\n', 'duckdb'), rows, 'duckdb')).not.toBeNull();
});

test('an update writes records that then pass, twice the same, and each corruption of them is noticed', async () => {
  const draft = `# Comment stays.\n\nCREATE TABLE t (a int PRIMARY KEY, b text);\nINSERT INTO t VALUES (1, 'x'), (2, NULL);\n\nSELECT * FROM t;\ncolumns SELECT a, b FROM t ORDER BY a;\nSELECT 1/0;\nDO $$\nBEGIN\nNULL;\nEND $$;\nINSERT INTO t VALUES (1, '');\n`;
  const text = await updateSlt(draft, target);
  expect(text).toContain('# Comment stays.');
  expect(text).toContain('query IT nosort columns\n');
  expect(text).toContain('statement error 23505 duplicate key value violates unique constraint "t_pkey"');
  expect(await updateSlt(text, target)).toBe(text);
  expect(await runSlt(parseSlt(text, 'own'), target)).toMatchObject({ passed: 7, failed: 0, otherMessages: [] });
  const corruptions: [string, string][] = [
    ['1\tx', '1\ty'],
    ['query IT rowsort', 'query II rowsort'],
    ['22012', '22013'],
    ['a:int4', 'a:int8'],
    ['statement error 22012 division by zero', 'statement ok'],
    ['statement ok\nCREATE', 'statement error\nCREATE'],
  ];
  for (const [from, to] of corruptions) {
    expect(text).toContain(from);
    expect((await runSlt(parseSlt(text.replace(from, to), 'own'), target)).failed, `${from} → ${to}`).toBeGreaterThan(0);
  }
});

test('each file starts from an empty schema, regardless of the previous one', async () => {
  await runSlt(
    parseSlt('statement ok\nCREATE SCHEMA other; CREATE TABLE left_over(a int); SET timezone = "Asia/Tokyo"\n\nstatement ok\nBEGIN\n', 'own'),
    target,
  );
  await target.reset();
  const [tables, zone] = await target.run(`SELECT count(*) FROM pg_class WHERE relname = 'left_over'; SHOW timezone`);
  expect(tables.rows).toEqual([['0']]);
  expect(zone.rows).not.toEqual([['Asia/Tokyo']]);
});

test('parameters arrive as text, a refusal with its SQLSTATE', async () => {
  const [found] = await target.run('SELECT $1::int + 1 AS a, $2::text AS b', ['41', null]);
  expect(found).toMatchObject({
    command: 'SELECT 1',
    columns: [
      { name: 'a', type: 'int4' },
      { name: 'b', type: 'text' },
    ],
    rows: [['42', null]],
  });
  const refused = await target.run('SELECT 1; SELECT 1/0').catch((cause: unknown) => cause as SqlFailure);
  expect(refused).toBeInstanceOf(SqlFailure);
  expect(refused).toMatchObject({ code: '22012', outcomes: [{ rows: [['1']] }] });
});
