/** Numbers of json and jsonb in response bodies, digit for digit. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ExactNumber, exactJsonText, parseExactJson } from '../../src/base/exact-json.ts';
import { type Database, open } from '../../src/database.ts';
import { createHttpServer, type HttpServer } from '../../src/http/server.ts';

let folder: string;
let db: Database;
let server: HttpServer;
let base: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-exact-'));
  db = await open(folder);
  server = createHttpServer({ commandsOf: (principal) => db.commandsOf(principal), version: 'test', metrics: db.metrics });
  base = await server.listen('127.0.0.1', 0);
});
afterAll(async () => {
  await server.close();
  await db.close();
  rmSync(folder, { recursive: true });
});

async function body(op: string, input: object): Promise<string> {
  const response = await fetch(`${base}/v1/${op}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(input) });
  return response.text();
}

test.each([
  '12345678901234567890',
  '{"a":[-9007199254740993,1.50],"b":"12345678901234567890"}',
  '12345678.123456789012',
  '[1234567890.1234567,{"a":-99999999.99999999}]',
  '[0.1000,1e400,-0,123456789.123456789123456789]',
  '"a \\" 12345678901234567890 \\\\"',
  '{"12345678901234567890":1}',
  '[1,2.5,1e5,"x",null,true,{}]',
  '"\\u0000x"',
])('%s comes out as it went in', (text) => {
  expect(exactJsonText(parseExactJson(text))).toBe(text);
});

test('plain values have no wrapper, and a wrapper counts as its number', () => {
  expect(parseExactJson('[1,2.5,"12345678901234567890"]')).toEqual([1, 2.5, '12345678901234567890']);
  const exact = parseExactJson('12345678901234567890') as ExactNumber;
  expect(exact).toBeInstanceOf(ExactNumber);
  expect(Number(exact)).toBe(1.2345678901234567e19);
  expect(JSON.stringify([exact])).toBe('[12345678901234567000]');
});

// contract: value.6
test('sql, get, find and diff write numbers out exactly', async () => {
  await body('sql', {
    sql: `CREATE TABLE t (id int PRIMARY KEY, j json, b jsonb); INSERT INTO t VALUES (1, '{"n": 12345678901234567890}', '{"n": 12345678901234567890, "s": 1.50}')`,
  });
  expect(await body('sql', { sql: 'SELECT j, b, ARRAY[b] AS l FROM t' })).toContain(
    '"rows":[{"j":{"n":12345678901234567890},"b":{"n":12345678901234567890,"s":1.50},"l":[{"n":12345678901234567890,"s":1.50}]}]',
  );
  expect(await body('get', { table: 't', id: '1' })).toContain('"b":{"n":12345678901234567890,"s":1.50}');
  expect(await body('find', { table: 't' })).toContain('"b":{"n":12345678901234567890,"s":1.50}');
  await body('fork', { name: 'w' });
  await body('sql', { branch: 'w', sql: `UPDATE t SET b = '12345678901234567891'` });
  expect(await body('diff', { branch: 'w' })).toContain('"b":12345678901234567891');
  expect(await body('diff', { branch: 'w', sql: true })).toContain("'12345678901234567891'");
  expect(await body('sql', { branch: 'w', sql: 'DIFF WORLD w' })).toContain('"b":12345678901234567891');
  expect(await body('merge', { branch: 'w', dry_run: true })).toContain('"b":12345678901234567891');
});

test("SQL writes a document's json as put does: the same value is the same cell", async () => {
  await db.put({ table: 'docs', id: 'a', record: { j: { bb: [1, { x: 'é' }], a: 2 } } });
  await db.fork({ name: 'd' });
  await db.sql({ branch: 'd', sql: `UPDATE docs SET j = '{"a": 2, "bb": [1, {"x": "é"}]}' WHERE id = 'a'` });
  expect((await db.diff({ branch: 'd' })).changes).toEqual([]);
  await db.sql({ branch: 'd', sql: `UPDATE docs SET j = '{"a": 12345678901234567890}' WHERE id = 'a'` });
  expect(await body('get', { branch: 'd', table: 'docs', id: 'a' })).toContain('"row":{"j":{"a":12345678901234567890}}');
});
