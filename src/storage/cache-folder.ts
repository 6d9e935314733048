/**
 * The folder of the page cache, by its files: which engine made it, and how it is emptied. RocksDB opens LevelDB's files as its own and then
 * never ends rewriting them, so the kind is looked at before either opens anything.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileError } from './node-file-system.ts';

export type CacheKind = 'rocksdb' | 'leveldb';

/** Null: nothing is in it. RocksDB names its options and its identity in files of their own; tables of LevelDB end in `.ldb`, which RocksDB never writes. */
export function cacheKind(folder: string): CacheKind | null {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.some((name) => name.endsWith('.ldb'))) return 'leveldb';
  if (names.some((name) => name === 'IDENTITY' || name.startsWith('OPTIONS-') || name.endsWith('.sst'))) return 'rocksdb';
  return names.includes('CURRENT') || names.some((name) => name.startsWith('MANIFEST-')) ? 'leveldb' : null;
}

/** The folder stays, for it may be a mount. Nothing that was in it is needed: it is rebuilt from the log. */
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
 * A folder for temporary files that opens as the cache does: both engines write when they open, so that what must stay as it is is opened through
 * links to its tables, and copies of everything else.
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
