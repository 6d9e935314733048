/**
 * Opens the page cache of a folder. A cache that is damaged or was made by the other engine is dropped: the log has
 * everything. A full or failing disk is no reason to drop it.
 */
import { SvcError } from '../base/errors/svc-error.ts';
import { cacheKind, type CacheKind, emptyCache } from './cache-folder.ts';
import { CacheDamage, type PageStore } from './page-store.ts';
import { RocksPageStore } from './rocks-page-store.ts';
import { TemporaryPageStore } from './temporary-page-store.ts';

const OPENERS: Record<CacheKind, (folder: string) => Promise<PageStore>> = {
  rocksdb: (folder) => RocksPageStore.open(folder),
  // Loaded only where it is used: on few platforms.
  leveldb: async (folder) => (await import('./classic-page-store.ts')).ClassicPageStore.open(folder),
};

/** RocksDB if its binding loads, else LevelDB (`kind` names it). `say` receives what was dropped, and why. */
export async function openPageStore(folder: string, want: 'auto' | CacheKind = 'auto', say: (message: string) => void = () => {}): Promise<PageStore> {
  const kind = want === 'auto' ? (RocksPageStore.isAvailable() ? 'rocksdb' : 'leveldb') : want;
  const found = cacheKind(folder);
  if (found !== null && found !== kind) {
    say(`the page cache ${folder} was made by ${found} and is opened by ${kind}: it is thrown away and rebuilt from the log`);
    emptyCache(folder);
  }
  try {
    return await OPENERS[kind](folder);
  } catch (error) {
    if (!(error instanceof CacheDamage)) throw error;
    say(`${error.message}: it is thrown away and rebuilt from the log`);
    emptyCache(folder);
    return OPENERS[kind](folder);
  }
}

/** `openPageStore`, or on a full disk pages in memory until there is space. */
export async function openPageStoreOrTemporary(folder: string, want: 'auto' | CacheKind | undefined, say: (message: string) => void): Promise<PageStore> {
  const open = (): Promise<PageStore> => openPageStore(folder, want, say);
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== '53100') throw error;
    say(`${error.message}: the state is made in memory from the log, and only read until there is space`);
    return new TemporaryPageStore(open);
  }
}
