/** The `sql` operation over HTTP: results, encodings, errors, parameters, versions, past branches. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createHttpServer, type HttpServer } from '../../../src/http/server.ts';
import { TestDatabase } from './open-database.ts';

let database: TestDatabase;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  database = await TestDatabase.open();
  server = createHttpServer({ commandsOf: (principal) => database.db.commandsOf(principal), version: 'test' });
  base = await server.listen('127.0.0.1', 0);
  await sql('CREATE TABLE items (id int PRIMARY KEY, name text NOT NULL, price numeric(10,2) CHECK (price >= 0))');
  await sql(`INSERT INTO items VALUES (1, 'tea', 1.5), (2, 'rum', 22.25)`);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

interface Answer {
  status: number;
  body: {
    results: { command: string; columns: string[]; types: string[]; rows: Record<string, unknown>[] }[];
    version: number;
    error?: { message: string; code: string; position?: number; hint?: string; detail?: string };
  };
}

async function call(op: string, body: object): Promise<Answer> {
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}
function sql(text: string, more: { branch?: string; params?: unknown } = {}): Promise<Answer> {
  return call('sql', { sql: text, ...more });
}

// contract: value.1, value.7, sql.2
test('a result has its command, columns, types and rows', async () => {
  const { status, body } = await sql('SELECT id, name, price FROM items ORDER BY id');
  expect(status).toBe(200);
  expect(body).toEqual({
    results: [
      {
        command: 'SELECT 2',
        columns: ['id', 'name', 'price'],
        types: ['integer', 'text', 'numeric'],
        rows: [
          { id: 1, name: 'tea', price: '1.50' },
          { id: 2, name: 'rum', price: '22.25' },
        ],
      },
    ],
    version: 2,
  });
});

// contract: value.1, value.2, value.3, value.4, value.5, value.7
test.each<[string, string, unknown]>([
  ['1::smallint', 'smallint', 1],
  ['-7', 'integer', -7],
  ['9007199254740991::bigint', 'bigint', 9007199254740991],
  ['9007199254740993::bigint', 'bigint', '9007199254740993'],
  ['1.50::numeric(6,2)', 'numeric', '1.50'],
  ['1.000', 'numeric', '1.000'],
  [`'NaN'::numeric`, 'numeric', 'NaN'],
  [`'-Infinity'::numeric`, 'numeric', '-Infinity'],
  ['0.1::real', 'real', 0.1],
  ['16777216::real', 'real', 16777216],
  ['(1.0/3)::real', 'real', 0.33333334],
  ['0.1::float8 + 0.2::float8', 'double precision', 0.30000000000000004],
  [`'NaN'::float8`, 'double precision', 'NaN'],
  [`'-Infinity'::real`, 'real', '-Infinity'],
  ['true', 'boolean', true],
  [`''`, 'text', ''],
  [`'ü 🐘'`, 'text', 'ü 🐘'],
  [`'ab'::varchar(5)`, 'character varying', 'ab'],
  [`'ab'::char(4)`, 'character', 'ab  '],
  [`'ab'::name`, 'name', 'ab'],
  [`'{"b": [1, null], "a": "x"}'::json`, 'json', { b: [1, null], a: 'x' }],
  [`'{"b": [1, null], "a": "x"}'::jsonb`, 'jsonb', { b: [1, null], a: 'x' }],
  [`'"x"'::jsonb`, 'jsonb', 'x'],
  [`'null'::jsonb`, 'jsonb', null],
  [`'\\x00ff'::bytea`, 'bytea', '\\x00ff'],
  [`''::bytea`, 'bytea', '\\x'],
  [`date '2026-02-03'`, 'date', '2026-02-03'],
  [`time '04:05:06.7'`, 'time without time zone', '04:05:06.7'],
  [`timestamp '2026-02-03 04:05:06.000007'`, 'timestamp without time zone', '2026-02-03T04:05:06.000007'],
  [`timestamptz '2026-02-03 04:05:06+02'`, 'timestamp with time zone', '2026-02-03T02:05:06+00:00'],
  [`interval '1 year 2 mons 3 days 04:05:06.5'`, 'interval', 'P1Y2M3DT4H5M6.5S'],
  [`interval '-1 day'`, 'interval', 'P-1D'],
  [`interval '0'`, 'interval', 'PT0S'],
  [`uuid 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'`, 'uuid', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
  ['ARRAY[1, NULL, 3]', 'integer[]', [1, null, 3]],
  ['ARRAY[[1.5, 2], [3, 4]]', 'numeric[]', [['1.5', '2'], ['3', '4']]], // prettier-ignore
  [`ARRAY[]::text[]`, 'text[]', []],
  [`ARRAY[date '2026-02-03']`, 'date[]', ['2026-02-03']],
  [`ROW(1, 'x', 2.50)`, 'record', { f1: 1, f2: 'x', f3: '2.50' }],
  ['NULL', 'text', null],
])('%s comes as %s', async (expression, type, value) => {
  const { results } = (await sql(`SELECT ${expression} AS v`)).body;
  expect(results[0]).toEqual({ command: 'SELECT 1', columns: ['v'], types: [type], rows: [{ v: value }] });
});

describe('parameters', () => {
  // contract: sql.1
  test.each<[string, unknown, unknown]>([
    ['$1', null, null],
    ['$1', 'text', 'text'],
    ['$1', '', ''],
    ['$1', 1.5, '1.5'],
    ['$1::int', 5, 5],
    ['$1::int', '5', 5],
    ['$1::bigint', '9007199254740993', '9007199254740993'],
    ['$1::numeric', '12345678901234567890.50', '12345678901234567890.50'],
    ['$1::boolean', true, true],
    ['$1::boolean', 'f', false],
    ['$1::jsonb', { a: [1, { b: null }] }, { a: [1, { b: null }] }],
    ['$1::jsonb', [1, 'two'], [1, 'two']],
    ['$1::jsonb', true, true],
    ['$1::text', { a: 1 }, '{"a":1}'],
    ['$1::text[]', ['x', 'y,"\\', null, ''], ['x', 'y,"\\', null, '']],
    ['$1::int[]', [[1, 2], [3, 4]], [[1, 2], [3, 4]]], // prettier-ignore
    ['$1::date', '2026-02-03', '2026-02-03'],
    ['$1::bytea', '\\x00ff', '\\x00ff'],
    ['$1::float8', 1e300, 1e300],
  ])('%s of %j', async (expression, given, value) => {
    const { status, body } = await sql(`SELECT ${expression} AS v`, { params: [given] });
    expect([status, body.results?.[0].rows]).toEqual([200, [{ v: value }]]);
  });

  test.each<[string, unknown[], string]>([
    ['SELECT $1::int', ['x'], '22P02'],
    ['SELECT $1::int', [{ a: 1 }], '22023'],
    ['SELECT $1::int', [1.5], '22P02'],
    ['SELECT $1::smallint', [40000], '22003'],
    ['SELECT $1, $2', [1], '08P01'],
    ['SELECT $1::int', [1, 2], '08P01'],
    ['SELECT 1', [1], '08P01'],
    ['SELECT $1; SELECT 2', [1, 2], '08P01'],
    ['SELECT $65536', [1], '42P02'],
    ['SELECT $0', [1], '42P02'],
    ['SELECT $1::text', ['a\0b'], '22021'],
    ['SELECT $1::text[]', [['a\0b']], '22021'],
    ['SELECT $1::jsonb', [{ a: 'x\0' }], '22P05'],
  ])('%s with %j is refused', async (text, params, code) => {
    const { status, body } = await sql(text, { params });
    expect([status, body.error?.code]).toEqual([400, code]);
  });

  test('params must be an array', async () => {
    expect((await sql('SELECT 1', { params: { a: 1 } })).status).toBe(400);
  });
});

// contract: sql.1, sql.2
test('several statements give several results and are one transaction', async () => {
  const { body } = await sql(`INSERT INTO items VALUES (3, 'ale', 3); SELECT count(*) FROM items; ; DELETE FROM items WHERE id = 3 RETURNING name`);
  expect(body.results.map(({ command, rows }) => [command, rows])).toEqual([
    ['INSERT 0 1', []],
    ['SELECT 1', [{ count: 3 }]],
    ['DELETE 1', [{ name: 'ale' }]],
  ]);
  const refused = await sql(`INSERT INTO items VALUES (4, 'gin', 4); INSERT INTO items VALUES (1, 'tea', 1)`);
  expect([refused.status, refused.body.error?.code]).toEqual([400, '23505']);
  expect((await sql('SELECT id FROM items ORDER BY id')).body.results[0].rows).toEqual([{ id: 1 }, { id: 2 }]);
});

test('nothing to run has no results', async () => {
  for (const text of [';', ' ', '-- nothing', '/* nothing */ ;;']) expect((await sql(text)).body.results).toEqual([]);
  expect((await sql('')).status).toBe(400);
});

// contract: sql.2, state.2, version.2
test('a write of any size increases the version by one; a read does not', async () => {
  const before = (await sql('SELECT 1')).body.version;
  expect((await sql(`UPDATE items SET price = price; CREATE TABLE v (a int); DROP TABLE v; INSERT INTO items VALUES (5, 'x', 1)`)).body.version).toBe(
    before + 1,
  );
  expect((await sql('SELECT 1')).body.version).toBe(before + 1);
  expect((await sql(`BEGIN; DELETE FROM items WHERE id = 5; COMMIT; DELETE FROM items WHERE id = 5`)).body.version).toBe(before + 2);
});

test('what BEGIN opens and nothing ends is rolled back with the call', async () => {
  await sql('BEGIN; DELETE FROM items');
  expect((await sql('SELECT count(*) FROM items')).body.results[0].rows).toEqual([{ count: 2 }]);
});

// contract: sql.3, error.body
describe('errors have a message, a SQLSTATE and the right status', () => {
  test.each<[string, number, string, number | undefined]>([
    ['SELEC 1', 400, '42601', 1],
    ['SELECT 1; SELECT FROM WHERE', 400, '42601', 23],
    ['SELECT nope FROM items', 400, '42703', 8],
    ['SELECT * FROM nope', 400, '42P01', 15],
    ['SELECT no_such(1)', 400, '42883', 8],
    [`SELECT 1 + 'x'`, 400, '22P02', 12],
    ['SELECT 1/0', 400, '22012', undefined],
    ['SELECT 2147483647 + 1', 400, '22003', undefined],
    [`INSERT INTO items VALUES (9, NULL, 1)`, 400, '23502', undefined],
    [`INSERT INTO items VALUES (9, 'x', -1)`, 400, '23514', undefined],
    [`INSERT INTO items VALUES (1, 'x', 1)`, 400, '23505', undefined],
    ['CREATE TABLE items (a int)', 400, '42P07', undefined],
    ['SELECT id, count(*) FROM items', 400, '42803', 8],
    ['COMMIT; SELECT 1/0', 400, '22012', undefined],
    ['USE WORLD nowhere', 404, '3D000', undefined],
    ['CREATE WORLD main', 409, '42P04', undefined],
    ['BEGIN; SELECT 1/0; SELECT 1', 400, '22012', undefined],
  ])('%s', async (text, status, code, position) => {
    const answer = await sql(text);
    expect([answer.status, answer.body.error?.code, answer.body.error?.position]).toEqual([status, code, position]);
    expect(answer.body.error?.message).toMatch(/\S/);
  });

  test('a missing branch is 404, with a hint', async () => {
    const { status, body } = await sql('SELECT 1', { branch: 'nowhere' });
    expect([status, body.error?.code]).toEqual([404, '3D000']);
    expect(body.error?.hint).toMatch(/branches/);
    expect((await sql('SELECT count(*) FROM item')).body.error?.message).toBe('relation "item" does not exist');
    expect((await sql('SELECT nam FROM items')).body.error?.hint).toBe('Perhaps you meant to reference the column "items.name".');
  });
});

// contract: http.6
test('a past branch is read, and not written', async () => {
  await call('put', { table: 'beat', id: 'a', record: {} });
  const moment = database.db.stats()['log_sequence'];
  await sql('UPDATE items SET price = 99');
  const branch = `main@#${moment}`;
  expect((await sql('SELECT price FROM items WHERE id = 1', { branch })).body.results[0].rows).toEqual([{ price: '1.50' }]);
  for (const text of ['DELETE FROM items', 'CREATE TABLE x (a int)', 'DROP TABLE items', `SELECT 1; INSERT INTO items VALUES (9, 'x', 1)`]) {
    const { status, body } = await sql(text, { branch });
    expect([status, body.error?.code]).toEqual([400, '25006']);
  }
  expect((await sql('SELECT 1', { branch: 'main@-1d' })).body.error?.code).toBe('22023');
  expect((await sql('SELECT 1', { branch: 'main@nonsense' })).body.error?.code).toBe('22007');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  await sql('UPDATE items SET price = 7');
  expect((await sql('SELECT DISTINCT price FROM items', { branch: 'main@-1s' })).body.results[0].rows).toEqual([{ price: '99.00' }]);
  expect((await sql('DELETE FROM items', { branch: 'main@-1s' })).body.error?.code).toBe('25006');
});

test('a branch may be named by its id', async () => {
  const { body } = await call('fork', { name: 'by-id' });
  const { id } = (body as unknown as { world: { id: string } }).world;
  await sql('DELETE FROM items', { branch: id });
  expect((await sql('SELECT count(*) FROM items', { branch: 'by-id' })).body.results[0].rows).toEqual([{ count: 0 }]);
  await call('discard', { branch: 'by-id' });
});
