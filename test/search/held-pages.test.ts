/** Searches between which pages are collected: a segment keeps those of its own state, and needs none of the states searched since. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/database.ts';

test('pages that a search may still read are not collected, and none is read that was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-search-held-'));
  const errors: string[] = [];
  // A small cache: what is read again comes from the store.
  const db = await open(folder, {
    cacheBytes: 2 * 1024 * 1024,
    historyRetentionMs: 1,
    trimBytes: 1,
    checkpointLogBytes: 1,
    onBackgroundError: (error) => errors.push(String(error)),
  });
  await db.sql({
    sql: "CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL, words text); INSERT INTO t SELECT i, 0, 'word' || i % 100 || repeat(' filler', 20) FROM generate_series(1, 30000) i",
  });
  await db.flush();
  const total = async (text: string): Promise<number> => (await db.find({ table: 't', text, limit: 1 })).total;
  expect(await total('word7')).toBe(300);
  for (let round = 1; round <= 6; round++) {
    // Few texts change, all rows do: the pages of the state before are collected.
    await db.sql({ sql: `UPDATE t SET v = v + 1; UPDATE t SET words = 'changed' || ${round} WHERE id = ${round * 1000 + 7}` });
    await db.flush();
    expect(await total('word7')).toBe(300 - round);
    expect(await total(`changed${round}`)).toBe(1);
    await db.sql({ sql: 'UPDATE t SET v = v + 1' });
    await db.flush();
  }
  expect(db.stats()['pages_collected']).toBeGreaterThan(0);
  expect(db.stats()['cache_rebuilds'] ?? 0).toBe(0);
  expect(errors).toEqual([]);
  await db.close();
  rmSync(folder, { recursive: true });
}, 120_000);
