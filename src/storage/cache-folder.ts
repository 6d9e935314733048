/**
 * The folder of the page cache, by its files: which engine made it, and how to empty it. RocksDB opens LevelDB's files as its
 * own and then rewrites them endlessly, so the kind is checked before either engine opens anything.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileError } from './node-file-system.ts';

export type CacheKind = 'rocksdb' | 'leveldb';

/** Null: empty. RocksDB keeps its options and its identity in files of their own; LevelDB's tables end in `.ldb`, which RocksDB never writes. */
export function cacheKind(folder: string): CacheKind | null {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.some((name) => name.endsWith('.ldb'))) return 'leveldb';
  if (names.some((name) => name === 'IDENTITY' || name.startsWith('OPTIONS-') || name.endsWith('.sst'))) return 'rocksdb';
  return names.includes('CURRENT') || names.some((name) => name.startsWith('MANIFEST-')) ? 'leveldb' : null;
}

/** Removes the files, not the folder, which may be a mount. The cache is rebuilt from the log. */
export function emptyCache(folder: string): void {
  if (!existsSync(folder)) return;
  try {
    for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  } catch (cause) {
    throw fileError(cause, folder);
  }
}

/** Tables never change once they are written. */
const TABLE = /\.(sst|ldb)$/;

/**
 * A temporary folder that opens as the cache does. Both engines write when they open, so files that must not change are
 * opened through links to the tables and copies of everything else.
 */
export function cacheForReading(folder: string): { folder: string; remove(): void } {
  const temporary = mkdtempSync(join(tmpdir(), 'svc-verify-'));
  for (const name of readdirSync(folder)) {
    const from = join(resolve(folder), name);
    if (name === 'LOCK' || !statSync(from).isFile()) continue;
    if (TABLE.test(name)) symlinkSync(from, join(temporary, name));
    else copyFileSync(from, join(temporary, name));
  }
  return { folder: temporary, remove: () => rmSync(temporary, { recursive: true, force: true }) };
}
