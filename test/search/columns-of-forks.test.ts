/** Forks that give a table columns of their own: each world is searched by its own columns, also where two of them have the same number. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, open } from '../../src/database.ts';

let folder: string;
let db: Database;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-columns-'));
  db = await open(folder);
  await db.sql({
    sql: "CREATE EXTENSION vector; CREATE TABLE t (id int PRIMARY KEY, a text); INSERT INTO t SELECT i, 'base' || i % 7 FROM generate_series(1, 500) i",
  });
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const total = async (branch: string, text: string): Promise<number> => (await db.find({ branch, table: 't', text, limit: 1 })).total!;

async function fork(name: string, sql: string): Promise<void> {
  await db.fork({ name });
  await db.sql({ branch: name, sql });
}

async function totals(words: readonly string[]): Promise<Record<string, number[]>> {
  const out: Record<string, number[]> = {};
  for (const branch of ['main', 'f', 'g']) {
    out[branch] = [];
    for (const word of words) out[branch].push(await total(branch, word));
  }
  return out;
}

test('words in a column that only a fork has are found in no other world', async () => {
  await total('main', 'base1');
  await fork('f', "ALTER TABLE t ADD x text; UPDATE t SET x = 'pear' WHERE id < 10");
  await fork('g', "ALTER TABLE t ADD y text; UPDATE t SET y = 'fig' WHERE id = 20");
  const right = { main: [72, 0, 0], f: [72, 9, 0], g: [72, 0, 1] };
  expect(await totals(['base1', 'pear', 'fig'])).toEqual(right);
  // From here on each world's touched rows are made from those of the others.
  await db.sql({ sql: "UPDATE t SET a = 'lemon' WHERE id = 400" });
  expect(await totals(['lemon', 'pear', 'fig'])).toEqual({ main: [1, 0, 0], f: [0, 9, 0], g: [0, 0, 1] });
});

test('defaults of columns that forks added with the same number are found in their own world', async () => {
  await fork('f', "ALTER TABLE t ADD x text DEFAULT 'apple'");
  await fork('g', "ALTER TABLE t ADD x text DEFAULT 'pear'");
  const right = { main: [0, 0], f: [500, 0], g: [0, 500] };
  expect(await totals(['apple', 'pear'])).toEqual(right);
  await db.close();
  db = await open(folder);
  expect(await totals(['apple', 'pear'])).toEqual(right);
});

test('vectors by default of columns with the same number are those of their own world', async () => {
  await fork('f', "ALTER TABLE t ADD v vector(2) DEFAULT '[1,0]'; INSERT INTO t VALUES (1000, '', '[0.5,0]')");
  await fork('g', "ALTER TABLE t ADD v vector(2) DEFAULT '[0,1]'; INSERT INTO t VALUES (1000, '', '[0,0.5]')");
  for (const [branch, near, far] of [
    ['f', '[1,0]', '[0.5,0]'],
    ['g', '[0,1]', '[0,0.5]'],
  ]) {
    const nearest = async (vector: string): Promise<unknown> =>
      (await db.sql({ branch, sql: `SELECT id, v <-> '${vector}' AS d FROM t ORDER BY v <-> '${vector}' LIMIT 1` })).results[0].rows;
    expect(await nearest(near)).toEqual([{ id: 1, d: 0 }]);
    expect(await nearest(far)).toEqual([{ id: 1000, d: 0 }]);
  }
});
