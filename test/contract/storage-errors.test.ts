/** A disk that fails, as a client of HTTP sees it. */
import { expect, test } from 'vitest';
import { FaultyFileSystem } from '../simulation/faulty-file-system.ts';
import { randomFrom } from '../suite/random.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { serveHttp } from './open-served.ts';

// contract: error.500
test('a write whose sync fails is answered 500', async () => {
  const fs = new FaultyFileSystem(randomFrom(3));
  const t = await serveHttp({ fs, openStore: async () => new MemoryPageStore() });
  try {
    const put = (n: number): ReturnType<typeof t.call> => t.call('put', { table: 'd', id: 'a', record: { n } });
    expect((await put(1)).status).toBe(200);
    fs.faults = { syncsUntilFailure: 0 };
    const { status, body } = await put(2);
    expect([status, body.error.code]).toEqual([500, '58030']);
    fs.faults = {};
    await expect.poll(async () => (await put(3)).status).toBe(200);
  } finally {
    await t.close();
  }
});
