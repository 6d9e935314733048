/**
 * Pages in LevelDB (classic-level), for platforms without a RocksDB binding; its only importer. LevelDB does not verify what
 * it reads, so each value ends with a CRC-32C over its key and itself.
 */
import { crc32c } from '@node-rs/crc32';
import { ClassicLevel } from 'classic-level';
import { assert } from '../base/assert.ts';
import { SvcError } from '../base/errors/svc-error.ts';
import { emptyCache } from './cache-folder.ts';
import { openingError } from './cache-opening-error.ts';
import { CacheDamage, type PageBatch, type PageStore } from './page-store.ts';

interface Batch extends PageBatch {
  sync: boolean;
}

/**
 * LevelDB's binding reads synchronously but writes asynchronously, while a written page must be readable at once: pages in
 * flight are kept in `#pages` until written. A failed batch stays first in the queue, the next write reports it, and `reopen`
 * continues with it.
 */
export class ClassicPageStore implements PageStore {
  readonly kind = 'leveldb';
  readonly #db: ClassicLevel<Uint8Array, Uint8Array>;
  readonly #pages = new Map<number, Uint8Array | null>();
  readonly #settings = new Map<string, Uint8Array | null>();
  readonly #queue: Batch[] = [];
  #draining: Promise<void> | null = null;
  #failure: SvcError | null = null;
  #open = true;

  readonly #folder: string;

  private constructor(folder: string, db: ClassicLevel<Uint8Array, Uint8Array>, settings: [string, Uint8Array][], ids: Set<number>) {
    this.#folder = folder;
    this.#db = db;
    for (const [name, value] of settings) this.#settings.set(name, value);
    this.#ids = ids;
  }

  readonly #ids: Set<number>;

  static async open(folder: string): Promise<ClassicPageStore> {
    const db = new ClassicLevel<Uint8Array, Uint8Array>(folder, { keyEncoding: 'view', valueEncoding: 'view' });
    try {
      await db.open();
    } catch (cause) {
      throw openingError(folder, cause);
    }
    const settings: [string, Uint8Array][] = [];
    const ids = new Set<number>();
    try {
      for await (const key of db.keys()) {
        const text = Buffer.from(key).toString('latin1');
        if (text[0] === 's') settings.push([text.slice(1), checked(folder, key, (await db.get(key)) as Uint8Array | undefined)!]);
        else ids.add(Number(text.slice(1)));
      }
    } catch (cause) {
      await db.close().catch(() => {});
      throw readError(folder, cause);
    }
    return new ClassicPageStore(folder, db, settings, ids);
  }

  read(id: number): Uint8Array | undefined {
    assert(this.#open, 'the page store is open');
    const pending = this.#pages.get(id);
    if (pending !== undefined) return pending ?? undefined;
    const key = pageKey(id);
    let bytes: Uint8Array | undefined;
    try {
      bytes = this.#db.getSync(key);
    } catch (cause) {
      throw readError(this.#folder, cause);
    }
    return bytes === undefined ? undefined : checked(this.#folder, key, bytes);
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return ids.map((id) => this.read(id));
  }

  write(batch: PageBatch, options: { sync: boolean }): void {
    assert(this.#open, 'the page store is open');
    if (this.#failure !== null) throw this.#failure;
    const pages = batch.pages.map(({ id, bytes }) => ({ id, bytes: Uint8Array.from(bytes) }));
    for (const { id, bytes } of pages) {
      this.#pages.set(id, bytes);
      this.#ids.add(id);
    }
    for (const id of batch.deletes ?? []) {
      this.#pages.set(id, null);
      this.#ids.delete(id);
    }
    for (const { name, value } of batch.settings ?? []) {
      if (value === null) this.#settings.delete(name);
      else this.#settings.set(name, value);
    }
    this.#queue.push({ ...batch, pages, sync: options.sync });
    this.#draining ??= this.#drain();
  }

  async #drain(): Promise<void> {
    try {
      for (let batch = this.#queue[0]; batch !== undefined; batch = this.#queue[0]) {
        await this.#db.batch(operationsOf(batch), { sync: batch.sync });
        this.#queue.shift();
        for (const { id, bytes } of batch.pages) if (this.#pages.get(id) === bytes) this.#pages.delete(id);
        for (const id of batch.deletes ?? []) if (this.#pages.get(id) === null) this.#pages.delete(id);
      }
    } catch (cause) {
      const message = String((cause as { cause?: Error }).cause?.message ?? (cause as Error).message);
      const full = /No space left|quota exceeded/i.test(message);
      this.#failure = new SvcError(full ? '53100' : '58030', `the page cache cannot be written: ${message}`, {
        hint: full ? 'Free space; the database then continues automatically.' : "Check the disk and the folder's rights.",
        cause,
      });
    } finally {
      this.#draining = null;
    }
  }

  async reopen(): Promise<void> {
    await this.#draining;
    if (this.#failure === null) return;
    await this.#db.close().catch(() => {});
    try {
      await this.#db.open();
    } catch (cause) {
      throw new SvcError('58030', `the page cache cannot be opened again: ${(cause as Error).message}`, { hint: 'Check the disk.', cause });
    }
    this.#failure = null;
    this.#draining ??= this.#drain();
    await this.#draining;
    if (this.#failure !== null) throw this.#failure;
  }

  async renew(): Promise<void> {
    this.#queue.length = 0;
    await this.#draining;
    await this.#db.close().catch(() => {});
    emptyCache(this.#folder);
    await this.#db.open();
    this.#queue.length = 0;
    this.#pages.clear();
    this.#settings.clear();
    this.#ids.clear();
    this.#failure = null;
  }

  ids(from: number, limit: number): number[] {
    const out: number[] = [];
    for (const id of this.#ids) if (id >= from) out.push(id);
    return out.sort((a, b) => a - b).slice(0, limit);
  }

  setting(name: string): Uint8Array | undefined {
    return this.#settings.get(name) ?? undefined;
  }

  settings(prefix: string): [string, Uint8Array][] {
    const out: [string, Uint8Array][] = [];
    for (const [name, value] of this.#settings) if (value !== null && name.startsWith(prefix)) out.push([name, value]);
    return out.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await this.#draining;
    await this.#db.close();
  }
}

type Operation = { type: 'put'; key: Uint8Array; value: Uint8Array } | { type: 'del'; key: Uint8Array };

function operationsOf({ pages, deletes = [], settings = [] }: PageBatch): Operation[] {
  return [
    ...pages.map(({ id, bytes }): Operation => put(pageKey(id), bytes)),
    ...deletes.map((id): Operation => ({ type: 'del', key: pageKey(id) })),
    ...settings.map(({ name, value }): Operation => {
      const key = Buffer.from(`s${name}`, 'latin1');
      return value === null ? { type: 'del', key } : put(key, value);
    }),
  ];
}

function put(key: Uint8Array, bytes: Uint8Array): Operation {
  const value = Buffer.allocUnsafe(bytes.length + CRC_BYTES);
  value.set(bytes);
  value.writeUInt32LE(crc32c(bytes, crc32c(key)), bytes.length);
  return { type: 'put', key, value };
}

const CRC_BYTES = 4;

/** The value without its checksum. */
function checked(folder: string, key: Uint8Array, value: Uint8Array | undefined): Uint8Array {
  if (value !== undefined && value.length >= CRC_BYTES) {
    const bytes = value.subarray(0, value.length - CRC_BYTES);
    const crc = Buffer.from(value.buffer, value.byteOffset + bytes.length, CRC_BYTES).readUInt32LE(0);
    if (crc === crc32c(bytes, crc32c(key))) return bytes;
  }
  throw new CacheDamage(`the page cache ${folder} is damaged: ${Buffer.from(key).toString('latin1')} does not match its checksum`);
}

function readError(folder: string, cause: unknown): CacheDamage {
  return cause instanceof CacheDamage ? cause : new CacheDamage(`the page cache ${folder} cannot be read: ${(cause as Error).message}`, cause);
}

function pageKey(id: number): Uint8Array {
  return Buffer.from(`p${String(id).padStart(16, '0')}`, 'latin1');
}
