/** Default history retention: an hour, and 30 days in a folder created by an older release. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Database, open, type OpenOptions } from '../../src/database.ts';

const OLDER = new URL('../../fixtures/folders/before-stamp', import.meta.url).pathname;
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function folderLike(golden: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-retention-'));
  folders.push(folder);
  if (golden !== null) cpSync(golden, folder, { recursive: true });
  return folder;
}

async function during<T>(folder: string, work: (db: Database) => Promise<T>, options: OpenOptions = {}): Promise<T> {
  const db = await open(folder, options);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

async function shown(db: Database): Promise<unknown> {
  return (await db.sql({ sql: 'SHOW history_retention' })).results[0].rows[0]['history_retention'];
}

// contract: limit.history_retention
test('a new folder keeps an hour, now and when it is opened again', async () => {
  const folder = folderLike(null);
  expect(await during(folder, shown)).toBe('1h');
  expect(await during(folder, shown)).toBe('1h');
});

// contract: limit.history_retention, version.5
test('a folder of an older release keeps 30 days, its rows and worlds are there, and a setting holds over it', async () => {
  const folder = folderLike(OLDER);
  await during(folder, async (db) => {
    expect(await shown(db)).toBe('30d');
    expect((await db.get({ table: 'people', id: 'ann' })).row).toEqual({ city: 'Oslo' });
    expect((await db.get({ branch: 'draft', table: 'people', id: 'bob' })).row).toEqual({ city: 'Bodø' });
    expect((await db.world({ branch: 'draft' })).checkpoints.map(({ name }) => name)).toEqual(['mark']);
    await db.sql({ sql: "ALTER SYSTEM SET history_retention = '2 days'" });
    expect(await shown(db)).toBe('2d');
  });
  await during(folder, async (db) => {
    expect(await shown(db)).toBe('2d');
    await db.sql({ sql: 'ALTER SYSTEM RESET history_retention' });
    expect(await shown(db)).toBe('30d');
  });
  // The pages can be thrown away: the log alone says what made the folder.
  rmSync(join(folder, 'cache'), { recursive: true });
  expect(await during(folder, shown)).toBe('30d');
});

test("the operator's ceiling holds over the default too", async () => {
  const ceilings = { maxWorlds: 0, historyRetentionMs: 7 * 86_400_000, worldIdleTtlMs: 0, statementTimeoutMs: 0 };
  await during(
    folderLike(OLDER),
    async (db) => {
      expect(await shown(db)).toBe('7d');
      await expect(db.sql({ sql: "ALTER SYSTEM SET history_retention = '8 days'" })).rejects.toMatchObject({ code: '42501' });
    },
    { ceilings },
  );
});
