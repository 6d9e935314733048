import { ClassicPageStore } from './classic-page-store.ts';
import type { PageStore } from './page-store.ts';
import { RocksPageStore } from './rocks-page-store.ts';

/** RocksDB where its binding loads, LevelDB elsewhere (`kind` says which, for the log). */
export async function openPageStore(folder: string, want: 'auto' | 'rocksdb' | 'leveldb' = 'auto'): Promise<PageStore> {
  if (want === 'leveldb') return ClassicPageStore.open(folder);
  try {
    return await RocksPageStore.open(folder);
  } catch (cause) {
    const missing = /No native build|Cannot find module|ERR_DLOPEN_FAILED/.test(String((cause as Error).message) + String((cause as { code?: string }).code));
    if (want === 'auto' && missing) return ClassicPageStore.open(folder);
    throw cause;
  }
}
