/**
 * Pages in RocksDB; its only importer. It hides RocksDB's pitfalls: a read after close ends the process, so the state is
 * checked before each call; unsynced batches survive kill -9 because the operating system has them; after one failed write
 * all others are refused, even with free space, until it is reopened.
 */
import { open, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { emptyCache } from './cache-folder.ts';
import { openingError } from './cache-opening-error.ts';
import { CacheDamage, type PageBatch, type PageStore } from './page-store.ts';

interface RocksBatch {
  _put(key: Uint8Array, value: Uint8Array): void;
  _del(key: Uint8Array): void;
  _writeSync(options: { sync: boolean }): void;
  _closeSync(): void;
}
interface RocksIterator {
  _seekSync(target: Uint8Array): void;
  _nextvSync(count: number): { rows: Buffer[]; finished: boolean };
  close(): Promise<void>;
}
interface Rocks {
  open(options: object): Promise<void>;
  close(): Promise<void>;
  _getManySync(keys: Uint8Array[], options: object): (Buffer | undefined | null)[];
  _chainedBatch(): RocksBatch;
  iterator(options: object): RocksIterator;
}

const PAGE = 0x70;
const SETTING = 0x73;

export class RocksPageStore implements PageStore {
  readonly kind = 'rocksdb';
  readonly #folder: string;
  #db: Rocks;
  #open = true;
  #closed = false;

  private constructor(folder: string, db: Rocks) {
    this.#folder = folder;
    this.#db = db;
  }

  /** Whether the binding loads on this platform. */
  static isAvailable(): boolean {
    try {
      loadRocks();
      return true;
    } catch (cause) {
      if (/No native build|Cannot find module|ERR_DLOPEN_FAILED/.test(String((cause as Error).message) + String((cause as { code?: string }).code)))
        return false;
      throw cause;
    }
  }

  static async open(folder: string): Promise<RocksPageStore> {
    return new RocksPageStore(folder, await openRocks(folder));
  }

  async reopen(): Promise<void> {
    await this.#shut();
    this.#db = await openRocks(this.#folder);
    this.#open = true;
  }

  async renew(): Promise<void> {
    await this.#shut();
    emptyCache(this.#folder);
    this.#db = await openRocks(this.#folder);
    this.#open = true;
  }

  async #shut(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    // After a failed write it reports that it cannot flush, but closes.
    await this.#db.close().catch(() => {});
  }

  #check(): void {
    assert(!this.#closed, 'the page store is open');
    if (!this.#open) throw new SvcError('58030', `the page cache ${this.#folder} could not be opened again`, { hint: 'Check the disk.' });
  }

  #get(keys: Uint8Array[]): (Buffer | undefined | null)[] {
    this.#check();
    try {
      return this.#db._getManySync(keys, BUFFERS);
    } catch (cause) {
      throw readError(this.#folder, cause);
    }
  }

  read(id: number): Uint8Array | undefined {
    return this.#get([pageKey(id)])[0] ?? undefined;
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return this.#get(ids.map(pageKey)).map((bytes) => bytes ?? undefined);
  }

  write(batch: PageBatch, options: { sync: boolean }): void {
    this.#check();
    try {
      this.#put(batch, options);
    } catch (cause) {
      throw diskError(this.#folder, cause);
    }
  }

  #put(batch: PageBatch, options: { sync: boolean }): void {
    const writes = this.#db._chainedBatch();
    for (const { id, bytes } of batch.pages) writes._put(pageKey(id), bytes);
    for (const id of batch.deletes ?? []) writes._del(pageKey(id));
    for (const { name, value } of batch.settings ?? []) {
      if (value === null) writes._del(settingKey(name));
      else writes._put(settingKey(name), value);
    }
    writes._writeSync({ sync: options.sync });
    writes._closeSync();
  }

  /** The binding syncs on the calling thread: fsync the write-ahead file from a worker first. */
  async syncAhead(): Promise<void> {
    try {
      for (const name of await readdir(this.#folder)) {
        if (!name.endsWith('.log')) continue;
        const file = await open(join(this.#folder, name), 'r');
        await file.datasync().finally(() => file.close());
      }
    } catch {
      // The file may be gone by now; the sync itself reports disk errors.
    }
  }

  ids(from: number, limit: number): number[] {
    this.#check();
    const iterator = this.#db.iterator({
      keys: true,
      values: false,
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      gte: pageKey(from),
      lt: Buffer.from([PAGE + 1]),
      limit,
    });
    const { rows } = this.#next(iterator, limit);
    void iterator.close();
    const out: number[] = [];
    for (let i = 0; i < rows.length; i += 2) out.push(pageIdOf(rows[i]));
    return out;
  }

  setting(name: string): Uint8Array | undefined {
    return this.#get([settingKey(name)])[0] ?? undefined;
  }

  settings(prefix: string): [string, Uint8Array][] {
    this.#check();
    const iterator = this.#db.iterator({
      keys: true,
      values: true,
      keyEncoding: 'buffer',
      valueEncoding: 'buffer',
      gte: settingKey(prefix),
      lt: settingKey(`${prefix}\xff`),
    });
    const out: [string, Uint8Array][] = [];
    for (;;) {
      const { rows, finished } = this.#next(iterator, 1000);
      for (let i = 0; i < rows.length; i += 2) out.push([rows[i].latin1Slice(1), rows[i + 1]]);
      if (finished || rows.length === 0) break;
    }
    void iterator.close();
    return out;
  }

  #next(iterator: RocksIterator, limit: number): { rows: Buffer[]; finished: boolean } {
    try {
      return iterator._nextvSync(limit);
    } catch (cause) {
      void iterator.close();
      throw readError(this.#folder, cause);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#shut();
  }
}

/**
 * Four buffers of 8 MiB in place of two of 64, flushed in pairs: write-ahead files and files waiting for compaction are a
 * constant part of the folder, several times the pages of a small database. The first two levels stay uncompressed with it.
 */
const PAGES = { compaction: 'level', memtableMemoryBudget: 32 * 1024 * 1024 };
const BUFFERS = { keyEncoding: 'buffer', valueEncoding: 'buffer' };

function pageKey(id: number): Buffer {
  const key = Buffer.allocUnsafe(8);
  key[0] = PAGE;
  key[1] = 0;
  key.writeUIntBE(id, 2, 6);
  return key;
}

function pageIdOf(key: Buffer): number {
  return key.readUIntBE(2, 6);
}

function settingKey(name: string): Buffer {
  return Buffer.from(`${String.fromCharCode(SETTING)}${name}`, 'latin1');
}

/** RocksDB's words for files that are damaged or missing. */
const DAMAGED = /Corruption|checksum|mismatch|Invalid argument|Not implemented|No such file|NotFound|IO error: .*(?:truncated|too short)/i;

/** A failed read is damage, whatever the reason: retrying would not help. */
function readError(folder: string, cause: unknown): SvcError {
  return new CacheDamage(`the page cache ${folder} cannot be read: ${(cause as Error).message}`, cause);
}

/** RocksDB's errors contain the operating system's words. */
function diskError(folder: string, cause: unknown): SvcError {
  const { message } = cause as Error;
  if (DAMAGED.test(message)) return new CacheDamage(`the page cache ${folder} is damaged: ${message}`, cause);
  if (/No space left|quota exceeded/i.test(message)) {
    return new SvcError('53100', `the disk is full: ${folder} cannot grow`, { hint: 'Free space; the database then continues automatically.', cause });
  }
  return new SvcError('58030', `the page cache ${folder} cannot be written: ${message}`, { hint: "Check the disk and the folder's rights.", cause });
}

type RocksConstructor = new (folder: string, options: object) => Rocks;

function loadRocks(): RocksConstructor {
  return (createRequire(import.meta.url)('@nxtedition/rocksdb') as { RocksLevel: RocksConstructor }).RocksLevel;
}

async function openRocks(folder: string): Promise<Rocks> {
  const RocksLevel = loadRocks();
  const db = new RocksLevel(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  try {
    // Write-ahead data is dropped at the next flush: compressing it would cost the calling thread more than its bytes do.
    await db.open({ createIfMissing: true, compression: true, walCompression: false, columns: { default: PAGES } });
  } catch (cause) {
    throw openingError(folder, cause);
  }
  return db;
}
