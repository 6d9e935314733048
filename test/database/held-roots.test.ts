/** An open transaction reads its snapshot whatever is written, trimmed and collected meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { open } from '../../src/database.ts';

test('pages that an open transaction reads are not collected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-held-'));
  // A small cache: what is read again comes from the store.
  const db = await open(folder, { cacheBytes: 2 * 1024 * 1024, historyRetentionMs: 1, trimBytes: 1, checkpointLogBytes: 1 });
  await db.sql({
    sql: "CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL, pad text); INSERT INTO t SELECT i, i, repeat('x', 100) || i FROM generate_series(1, 30000) i",
  });
  await db.flush();
  const reader = db.session();
  const sum = async (): Promise<unknown> => (await reader.run('SELECT count(*), sum(v), sum(length(pad)) FROM t'))[0].rows;
  await reader.run('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const first = await sum();
  for (let round = 0; round < 4; round++) {
    await db.sql({ sql: `UPDATE t SET v = v + 1, pad = pad || '!' WHERE id % 4 = ${round}` });
    await db.flush();
  }
  expect(db.stats()['pages_collected']).toBeGreaterThan(0);
  expect(await sum()).toEqual(first);
  await reader.run('COMMIT');
  expect(await sum()).not.toEqual(first);
  reader.close();
  await db.close();
  rmSync(folder, { recursive: true });
}, 60_000);
