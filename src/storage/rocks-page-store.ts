/**
 * Pages in RocksDB; the only importer of it. Its sharp edges are kept inside: a read after close ends the
 * process, so our own state is checked before each call, and unsynced batches survive kill -9 because
 * they are in the operating system's hands. After one failed write it refuses all others, also once there is
 * space again: only opening it anew helps.
 */
import { open, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { assert } from '../base/assert.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import type { PageBatch, PageStore } from './page-store.ts';

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

  static async open(folder: string): Promise<RocksPageStore> {
    return new RocksPageStore(folder, await openRocks(folder));
  }

  async reopen(): Promise<void> {
    if (this.#open) {
      this.#open = false;
      // It cannot flush, says so, and is closed all the same.
      await this.#db.close().catch(() => {});
    }
    this.#db = await openRocks(this.#folder);
    this.#open = true;
  }

  #check(): void {
    assert(!this.#closed, 'the page store is open');
    if (!this.#open) throw new SvcError('58030', `the page cache ${this.#folder} could not be opened again`, { hint: 'Check the disk.' });
  }

  read(id: number): Uint8Array | undefined {
    this.#check();
    return this.#db._getManySync([pageKey(id)], BUFFERS)[0] ?? undefined;
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    this.#check();
    return this.#db._getManySync(ids.map(pageKey), BUFFERS).map((bytes) => bytes ?? undefined);
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

  /** Its binding syncs on the calling thread: here the file that it writes ahead is synced beside it. */
  async settle(): Promise<void> {
    try {
      for (const name of await readdir(this.#folder)) {
        if (!name.endsWith('.log')) continue;
        const file = await open(join(this.#folder, name), 'r');
        await file.datasync().finally(() => file.close());
      }
    } catch {
      // It may be gone by now; what goes wrong with the disk is told by the sync itself.
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
    const { rows } = iterator._nextvSync(limit);
    void iterator.close();
    const out: number[] = [];
    for (let i = 0; i < rows.length; i += 2) out.push(pageIdOf(rows[i]));
    return out;
  }

  setting(name: string): Uint8Array | undefined {
    this.#check();
    return this.#db._getManySync([settingKey(name)], BUFFERS)[0] ?? undefined;
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
      const { rows, finished } = iterator._nextvSync(1000);
      for (let i = 0; i < rows.length; i += 2) out.push([rows[i].latin1Slice(1), rows[i + 1]]);
      if (finished || rows.length === 0) break;
    }
    void iterator.close();
    return out;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#open) return;
    this.#open = false;
    // After a failed write it cannot flush, says so, and is closed all the same; the log holds everything.
    await this.#db.close().catch(() => {});
  }
}

/**
 * Four buffers of 8 MiB in place of two of 64, written out by twos: what is written ahead, and the files that wait to be merged, are a constant
 * part of the folder, several times the pages of a small database. The first two levels stay uncompressed with it.
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

/** Errors of RocksDB hold the operating system's words. */
function diskError(folder: string, cause: unknown): SvcError {
  const { message } = cause as Error;
  if (/No space left|quota exceeded/i.test(message)) {
    return new SvcError('53100', `the disk is full: ${folder} cannot grow`, { hint: 'Free space; the database then goes on by itself.', cause });
  }
  return new SvcError('58030', `the page cache ${folder} cannot be written: ${message}`, { hint: "Check the disk and the folder's rights.", cause });
}

async function openRocks(folder: string): Promise<Rocks> {
  const { RocksLevel } = createRequire(import.meta.url)('@nxtedition/rocksdb') as {
    RocksLevel: new (folder: string, options: object) => Rocks;
  };
  const db = new RocksLevel(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
  try {
    // What is written ahead goes with the next flush: compressing it would cost the calling thread more than the bytes do.
    await db.open({ createIfMissing: true, compression: true, walCompression: false, columns: { default: PAGES } });
  } catch (cause) {
    const told = `${(cause as Error).message} ${String((cause as { cause?: Error }).cause?.message)}`;
    if (/No space left|quota exceeded/i.test(told)) {
      throw new SvcError('53100', `the disk is full: the page cache ${folder} cannot be opened`, {
        hint: 'Free a few megabytes, then open the folder again. That folder itself may be deleted: it is rebuilt from the log.',
        cause,
      });
    }
    throw new SvcError('58030', `the page cache ${folder} cannot be opened: ${(cause as Error).message}`, {
      hint: 'Delete that folder: it is rebuilt from the log.',
      cause,
    });
  }
  return db;
}
