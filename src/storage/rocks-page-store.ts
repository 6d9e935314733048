/**
 * Pages in RocksDB; the only importer of it. Its sharp edges are kept inside: a read after close ends the
 * process, so our own state is checked before each call, and unsynced batches survive kill -9 because
 * they are in the operating system's hands.
 */
import { createRequire } from 'node:module';
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
  readonly #db: Rocks;
  #open = true;

  private constructor(db: Rocks) {
    this.#db = db;
  }

  static async open(folder: string): Promise<RocksPageStore> {
    const { RocksLevel } = createRequire(import.meta.url)('@nxtedition/rocksdb') as {
      RocksLevel: new (folder: string, options: object) => Rocks;
    };
    const db = new RocksLevel(folder, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
    try {
      await db.open({ createIfMissing: true, compression: true, columns: { default: {} } });
    } catch (cause) {
      throw new SvcError('58030', `the page cache ${folder} cannot be opened: ${(cause as Error).message}`, {
        hint: 'Delete that folder: it is rebuilt from the log.',
        cause,
      });
    }
    return new RocksPageStore(db);
  }

  read(id: number): Uint8Array | undefined {
    assert(this.#open, 'the page store is open');
    return this.#db._getManySync([pageKey(id)], BUFFERS)[0] ?? undefined;
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    assert(this.#open, 'the page store is open');
    return this.#db._getManySync(ids.map(pageKey), BUFFERS).map((bytes) => bytes ?? undefined);
  }

  write(batch: PageBatch, options: { sync: boolean }): void {
    assert(this.#open, 'the page store is open');
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

  ids(from: number, limit: number): number[] {
    assert(this.#open, 'the page store is open');
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
    assert(this.#open, 'the page store is open');
    return this.#db._getManySync([settingKey(name)], BUFFERS)[0] ?? undefined;
  }

  settings(prefix: string): [string, Uint8Array][] {
    assert(this.#open, 'the page store is open');
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
    if (!this.#open) return;
    this.#open = false;
    await this.#db.close();
  }
}

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
