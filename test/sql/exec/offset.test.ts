/** OFFSET over scans is passed over by the counts of the trees: the rows are those that follow. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, open } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';

let folder: string;
let database: Database;
let session: SqlSession;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-offset-'));
  database = await open(folder);
  session = database.session();
  await session.run(
    'CREATE TABLE big (id integer PRIMARY KEY, n integer NOT NULL, s text); CREATE INDEX big_n ON big (n); CREATE TABLE t (k text PRIMARY KEY)',
  );
  await session.run("INSERT INTO big SELECT i * 2, i % 100, 'x' || i FROM generate_series(1, 10000) AS g (i)");
  await session.run("INSERT INTO t SELECT 'k' || i FROM generate_series(1, 3000) AS g (i)");
});

afterAll(async () => {
  session.close();
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const rowsOf = async (sql: string): Promise<string[]> => (await session.run(sql))[0].rows.map(String);
const OFFSETS = [0, 1, 2, 3, 6, 7, 100, 145, 146, 147, 2999, 3000, 4900, 9998, 9999, 10000, 20000];

describe.each([
  'SELECT id FROM big ORDER BY id',
  'SELECT id, s FROM big ORDER BY id DESC',
  'SELECT id FROM big WHERE id > 500 AND id <= 10000 ORDER BY id',
  'SELECT id FROM big WHERE id > 500 AND id < 10001 ORDER BY id DESC',
  'SELECT id FROM big WHERE id IN (2, 4, 6, 7, 10, 20000, 20002) ORDER BY id',
  'SELECT id FROM big WHERE id IN (2, 4, 6, 7, 10, 20000, 20002) ORDER BY id DESC',
  'SELECT n FROM big ORDER BY n',
  'SELECT n FROM big ORDER BY n DESC',
  'SELECT n FROM big WHERE n = 7',
  'SELECT k FROM t ORDER BY k',
  'SELECT k FROM t ORDER BY k DESC',
  "SELECT k FROM t WHERE k > 'k2' ORDER BY k",
])('%s', (sql) => {
  test('gives the rows behind any offset', async () => {
    const all = await rowsOf(sql);
    for (const offset of OFFSETS) {
      expect(await rowsOf(`${sql} LIMIT 3 OFFSET ${offset}`)).toEqual(all.slice(offset, offset + 3));
      expect(await rowsOf(`${sql} OFFSET ${offset}`)).toEqual(all.slice(offset));
    }
  });
});

test('rows of the own transaction count', async () => {
  await session.run('BEGIN; DELETE FROM big WHERE id <= 100; INSERT INTO big VALUES (1, 1)');
  expect(await rowsOf('SELECT id FROM big ORDER BY id LIMIT 2 OFFSET 1')).toEqual(['102', '104']);
  await session.run('ROLLBACK');
});
