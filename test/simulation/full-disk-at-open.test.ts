/** A folder whose disk is full when it is opened: reads work, writes are refused, and both recover automatically. */
import { expect, test } from 'vitest';
import type { Micros } from '../../src/base/brands.ts';
import { open, type OpenOptions } from '../../src/database.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { randomFrom } from '../suite/random.ts';
import { FaultyFileSystem } from './faulty-file-system.ts';

function options(fs: FaultyFileSystem, store: MemoryPageStore): OpenOptions {
  let now = 1_800_000_000_000_000;
  return { fs, key: null, clock: { nowMicros: (): Micros => (now += 7) as Micros }, openStore: async () => store, checkpointMs: 1e9, repairMs: 1 };
}

test.each([
  ['after a clean end', true],
  ['after a crash', false],
])('%s', async (_name, clean) => {
  let fs = new FaultyFileSystem(randomFrom(3));
  const store = new MemoryPageStore();
  const first = await open('/db', options(fs, store));
  await first.put({ table: 't', id: '1', record: { n: 1 } });
  await first.fork({ name: 'f' });
  await first.put({ branch: 'f', table: 't', id: '2', record: { n: 2 } });
  if (clean) await first.close();
  fs = fs.crashLosingAll();
  let opened = 0;
  // This many writes find space; at first not even the log's tail can be rewritten.
  for (let writes = 0; writes < 6; writes++) {
    fs.faults = { writesUntilFull: writes };
    const db = await open('/db', options(fs, new MemoryPageStore())).catch((error: { code: string }) => {
      expect(error.code).toBe('53100');
      return null;
    });
    if (db === null) {
      fs = fs.crashLosingAll();
      continue;
    }
    opened++;
    expect((await db.get({ table: 't', id: '1' })).row).toEqual({ n: 1 });
    expect((await db.sql({ branch: 'f', sql: 'SELECT count(*) AS n FROM t' })).results[0].rows).toEqual([{ n: 2 }]);
    if (fs.faults.writesUntilFull! <= 0 && db.stats()['writable'] === 0)
      await expect(db.put({ table: 't', id: '9', record: {} })).rejects.toMatchObject({ code: '53100' });
    fs.faults = {};
    await expect
      .poll(
        () =>
          db.put({ table: 't', id: '3', record: { n: writes } }).then(
            () => 'taken',
            () => 'refused',
          ),
        { timeout: 5000 },
      )
      .toBe('taken');
    // The run was noted, so what was open in a crash is known.
    expect((await db.world({ branch: 'f' })).flagged).toBe(!clean);
    await db.verify();
    fs = fs.crashLosingAll();
  }
  expect(opened).toBeGreaterThan(2);
});
