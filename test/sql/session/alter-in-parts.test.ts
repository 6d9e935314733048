/** ALTER TABLE over many rows lets others in: they read meanwhile, writers of the table wait, and it can be stopped; all or nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { open, type Database } from '../../../src/database.ts';
import type { SqlSession } from '../../../src/sql/session/sql-session.ts';

let db: Database;
let session: SqlSession;
let other: SqlSession;
const folder = mkdtempSync(join(tmpdir(), 'alter-'));

beforeAll(async () => {
  db = await open(folder);
  session = db.session();
  other = db.session();
  await session.run(`CREATE TABLE p (id int PRIMARY KEY); INSERT INTO p SELECT i FROM generate_series(0, 99) i;
    CREATE TABLE t (id int PRIMARY KEY, a int, b text);
    INSERT INTO t SELECT i, i % 100, 'row ' || i FROM generate_series(1, 60000) i`);
});
afterEach(() => session.run('ROLLBACK'));
afterAll(async () => {
  session.close();
  other.close();
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

async function value(by: SqlSession, sql: string): Promise<string> {
  const [{ rows, columns }] = await by.run(sql);
  return rows[0].map((each, i) => (each === null ? 'null' : columns![i].type.format(each, by.env))).join('|');
}

const ALTERS: readonly [sql: string, look: string, shown: string][] = [
  ['ALTER TABLE t ALTER a TYPE bigint', 'SELECT pg_typeof(a), sum(a) OVER (), count(*) OVER () FROM t LIMIT 1', 'bigint|2970000|60000'],
  ['ALTER TABLE t ALTER a TYPE text USING b || a', 'SELECT a, count(*) OVER () FROM t WHERE id = 7', 'row 77|1'],
  ['ALTER TABLE t ALTER id TYPE bigint', 'SELECT pg_typeof(id), sum(id) OVER () FROM t LIMIT 1', 'bigint|1800030000'],
  ['ALTER TABLE t ADD CHECK (a < 100)', "SELECT count(*) FROM pg_constraint WHERE conname = 't_a_check' AND convalidated", '1'],
  ['ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES p', "SELECT count(*) FROM pg_constraint WHERE conname = 't_a_fkey'", '1'],
  [
    'ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES p; ALTER TABLE t ALTER a TYPE bigint USING a % 50',
    "SELECT pg_typeof(a), sum(a) OVER (), (SELECT count(*) FROM pg_constraint WHERE conname = 't_a_fkey') FROM t LIMIT 1",
    'bigint|1470000|1',
  ],
  ['ALTER TABLE t ADD COLUMN r float8 DEFAULT random()', 'SELECT count(DISTINCT r) > 59000 FROM t', 't'],
  ['ALTER TABLE t ADD COLUMN s serial', 'SELECT count(DISTINCT s), max(s) FROM t', '60000|60000'],
  [
    "ALTER TABLE t ADD COLUMN s serial, ALTER a TYPE bigint, ADD CHECK (a < 100), ALTER b SET NOT NULL, ADD COLUMN c text DEFAULT 'c', ADD FOREIGN KEY (a) REFERENCES p",
    "SELECT pg_typeof(a), count(DISTINCT s), min(c), (SELECT count(*) FROM pg_constraint WHERE conrelid = 't'::regclass) FROM t GROUP BY 1",
    'bigint|60000|c|3',
  ],
];

test.each(ALTERS)('%s', async (sql, look, shown) => {
  let over = false;
  const altered = session.run(`BEGIN; ${sql}`).finally(() => (over = true));
  let reads = 0;
  while (!over) {
    expect(await value(other, 'SELECT id FROM p WHERE id = 5')).toBe('5');
    if (!over) reads++;
    await new Promise(setImmediate);
  }
  await altered;
  expect(reads).toBeGreaterThan(1);
  expect(await value(session, look)).toBe(shown);
  await session.run('ROLLBACK');
  expect(await value(session, 'SELECT count(*), sum(id), sum(a), min(b) FROM t')).toBe('60000|1800030000|2970000|row 1');
});

test('a row that is written meanwhile waits, and is held to what was added', async () => {
  // Of a try before this one.
  await session.run('ALTER TABLE t DROP CONSTRAINT IF EXISTS few; DELETE FROM t WHERE id = 0');
  const altered = session.run('ALTER TABLE t ADD CONSTRAINT few CHECK (a < 100)');
  await new Promise(setImmediate);
  const written = other.run("INSERT INTO t VALUES (0, 500, 'late')").then(
    () => 'written',
    (error: { code: string }) => error.code,
  );
  await altered;
  expect(await written).toBe('23514');
  await session.run('ALTER TABLE t DROP CONSTRAINT few');
});

test('rows of a statement that began before are held to what was added meanwhile', async () => {
  await session.run('CREATE TABLE late (id int PRIMARY KEY, a int)');
  const written = other.run('INSERT INTO late SELECT i, 500 FROM generate_series(1, 300000) i').then(
    () => 'written',
    (error: { code: string }) => error.code,
  );
  await new Promise(setImmediate);
  await session.run('ALTER TABLE late ADD CONSTRAINT few CHECK (a < 100)');
  expect(await written).toBe('23514');
  await session.run('DROP TABLE late');
});

test.each([
  ['ALTER TABLE t ADD CONSTRAINT late CHECK (id <> 59999)', '23514'],
  ['ALTER TABLE t ALTER a TYPE bigint, ADD COLUMN s serial, ADD CONSTRAINT late CHECK (id <> 59999)', '23514'],
  ['ALTER TABLE t ALTER b TYPE int USING CASE WHEN id = 59999 THEN b::int ELSE 1 END', '22P02'],
  ['ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES p; ALTER TABLE t ALTER a TYPE bigint USING CASE WHEN id = 59999 THEN 100 ELSE a END', '23503'],
  ['UPDATE p SET id = 1000 WHERE id = 99; ALTER TABLE t ADD FOREIGN KEY (a) REFERENCES p', '23503'],
])('%s fails as a whole', async (sql, code) => {
  await expect(session.run(`BEGIN; ${sql}`)).rejects.toMatchObject({ code });
  await session.run('ROLLBACK');
  expect(await value(other, 'SELECT count(*), sum(a), min(b) FROM t')).toBe('60000|2970000|row 1');
  expect(await value(other, "SELECT count(*) FROM pg_constraint WHERE conrelid = 't'::regclass AND contype <> 'p'")).toBe('0');
});

test('statement_timeout stops it', async () => {
  await session.run("SET statement_timeout = '5ms'");
  await expect(session.run('ALTER TABLE t ALTER b TYPE text USING repeat(md5(b), 20)')).rejects.toMatchObject({ code: '57014' });
  await session.run('RESET statement_timeout');
  expect(await value(session, 'SELECT min(b) FROM t')).toBe('row 1');
  await other.run('UPDATE t SET b = b WHERE id = 1');
});
