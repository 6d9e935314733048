/** SVC_MAX_DISK_BYTES as statements meet it: adding is refused at its commit, taking away and reading work. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-ceiling-sql-'));
let db: Database;

beforeAll(async () => {
  const before = await open(folder);
  await before.sql({ sql: "CREATE TABLE t (a int PRIMARY KEY, b text); INSERT INTO t SELECT n, 'x' FROM generate_series(1, 10) n; CREATE TABLE u (a int)" });
  await before.sql({ sql: 'CREATE TABLE wide (a int, b text); INSERT INTO wide SELECT n, repeat(md5(n::text), 8) FROM generate_series(1, 20000) n' });
  await before.fork({ name: 'w' });
  await before.sql({ branch: 'w', sql: "INSERT INTO t VALUES (11, 'merged')" });
  await before.close();
  process.env['SVC_WORK_MEM'] = '1';
  db = await open(folder, { maxDiskBytes: 1 });
  delete process.env['SVC_WORK_MEM'];
});
afterAll(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

async function outcome(sql: string, branch = 'main'): Promise<string> {
  try {
    return (await db.sql({ sql, branch })).results.at(-1)!.command;
  } catch (error) {
    const { code, status } = error as { code: string; status: number };
    return `${code} ${status}`;
  }
}

// contract: limit.SVC_MAX_DISK_BYTES, error.53100, error.507
test.each([
  ["INSERT INTO t VALUES (20, 'y')", '53100 507'],
  ["UPDATE t SET b = 'y' WHERE a = 1", '53100 507'],
  ["BEGIN; DELETE FROM t WHERE a = 1; INSERT INTO t VALUES (21, 'y'); COMMIT", '53100 507'],
  ['CREATE TABLE v (a int)', '53100 507'],
  ['CREATE WORLD more', '53100 507'],
  ['CHECKPOINT mark', '53100 507'],
  ['SELECT * FROM wide ORDER BY b', '53100 507'],
  ['SELECT count(*) FROM t', 'SELECT 1'],
  ['DELETE FROM t WHERE a = 2', 'DELETE 1'],
  ['BEGIN; DELETE FROM t WHERE a = 3; DELETE FROM t WHERE a = 4; COMMIT', 'COMMIT'],
  ['TRUNCATE u', 'TRUNCATE TABLE'],
  ['DROP TABLE u', 'DROP TABLE'],
  ['MERGE WORLD w', 'MERGE WORLD'],
])('%s: %s', async (sql, expected) => {
  expect(await outcome(sql)).toBe(expected);
});
