/** A process may end at any moment of the first opening of a folder: the next one finds `main`, or makes it. */
import { expect, test } from 'vitest';
import { SvcError } from '../../src/base/errors/svc-error.ts';
import { open } from '../../src/database.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { randomFrom } from '../suite/random.ts';

test('main is there after an end at each of the first syncs', async () => {
  let ended = 0;
  for (let syncs = 0; syncs < 12; syncs++) {
    for (let seed = 0; seed < 5; seed++) {
      const disk = new FaultyFileSystem(randomFrom(seed * 100 + syncs));
      disk.faults = { syncsUntilFailure: syncs };
      const options = { openStore: async () => new MemoryPageStore(), checkpointMs: 1e9, repairMs: 1e6 };
      try {
        await open('/db', { ...options, fs: disk });
      } catch (error) {
        expect(error).toBeInstanceOf(SvcError);
        ended++;
      }
      const next = await open('/db', { ...options, fs: disk.crash() });
      await next.put({ table: 't', id: 'a', record: {} });
      expect((await next.branches()).branches.map(({ name }) => name)).toEqual(['main']);
      await next.close();
    }
  }
  expect(ended).toBeGreaterThan(0);
});

test('main is made where only the first event of the folder was written', async () => {
  const options = { openStore: async () => new MemoryPageStore(), checkpointMs: 1e9 };
  // The first two events are written separately; the second finds no space.
  let found = 0;
  for (let writes = 1; writes < 12; writes++) {
    const full = new FaultyFileSystem(randomFrom(writes));
    full.faults = { writesUntilFull: writes };
    await open('/db', { ...options, fs: full, repairMs: 1e6 }).then(
      () => {},
      () => found++,
    );
    const next = await open('/db', { ...options, fs: full.crashLosingAll() });
    await next.put({ table: 't', id: 'a', record: {} });
    await next.close();
  }
  expect(found).toBeGreaterThan(0);
});
