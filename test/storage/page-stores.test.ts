/** One contract for every page store. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ClassicPageStore } from '../../src/storage/classic-page-store.ts';
import { MemoryPageStore } from '../../src/storage/memory-page-store.ts';
import { openPageStore } from '../../src/storage/open-page-store.ts';
import type { PageStore } from '../../src/storage/page-store.ts';
import { RocksPageStore } from '../../src/storage/rocks-page-store.ts';

const STORES: [string, (folder: string) => Promise<PageStore>, boolean][] = [
  ['memory', async () => new MemoryPageStore(), false],
  ['rocksdb', (folder) => RocksPageStore.open(folder), true],
  ['leveldb', (folder) => ClassicPageStore.open(folder), true],
  ['auto', (folder) => openPageStore(folder), true],
];

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe.each(STORES)('page store %s', (_name, open, durable) => {
  async function using(work: (store: PageStore, reopen: () => Promise<PageStore>) => Promise<void>): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
    let store = await open(folder);
    const reopen = async (): Promise<PageStore> => {
      await store.close();
      store = await open(folder);
      return store;
    };
    try {
      await work(store, reopen);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  }

  test('a page is read back at once, a missing one is undefined', () =>
    using(async (store) => {
      store.write(
        {
          pages: [
            { id: 7, bytes: bytes('seven') },
            { id: 2 ** 40, bytes: new Uint8Array(10_000) },
          ],
        },
        { sync: false },
      );
      expect(Buffer.from(store.read(7)!).toString()).toBe('seven');
      expect(store.read(2 ** 40)).toHaveLength(10_000);
      expect(store.read(8)).toBeUndefined();
    }));

  test('ids are listed in ascending order from a start, without deleted ones', () =>
    using(async (store) => {
      store.write({ pages: [9, 3, 300, 70_000].map((id) => ({ id, bytes: bytes(String(id)) })) }, { sync: false });
      store.write({ pages: [], deletes: [9] }, { sync: false });
      expect(store.ids(0, 10)).toEqual([3, 300, 70_000]);
      expect(store.ids(4, 1)).toEqual([300]);
      expect(store.read(9)).toBeUndefined();
    }));

  test('settings are listed by prefix in order of name and can be removed', () =>
    using(async (store) => {
      store.write(
        {
          pages: [],
          settings: [
            { name: 'a/2', value: bytes('2') },
            { name: 'a/1', value: bytes('1') },
            { name: 'b', value: bytes('3') },
          ],
        },
        { sync: true },
      );
      store.write({ pages: [], settings: [{ name: 'b', value: null }] }, { sync: true });
      expect(store.settings('a/').map(([name, value]) => [name, Buffer.from(value).toString()])).toEqual([
        ['a/1', '1'],
        ['a/2', '2'],
      ]);
      expect(store.setting('b')).toBeUndefined();
      expect(Buffer.from(store.setting('a/1')!).toString()).toBe('1');
    }));

  test.runIf(durable)('what was written is there after a reopen', () =>
    using(async (store, reopen) => {
      for (let id = 1; id <= 2500; id++) store.write({ pages: [{ id, bytes: bytes(`page ${id}`) }] }, { sync: id % 500 === 0 });
      store.write({ pages: [], settings: [{ name: 's', value: bytes('x') }] }, { sync: true });
      const again = await reopen();
      expect(again.ids(0, 5000)).toHaveLength(2500);
      expect(Buffer.from(again.read(1234)!).toString()).toBe('page 1234');
      expect(again.settings('s')).toHaveLength(1);
    }),
  );
});
