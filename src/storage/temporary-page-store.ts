/**
 * Replaces a page cache that cannot be opened on a full disk, so that the folder can still be read: pages are in memory, and
 * move to the disk once `reopen` finds space. The engine writes nothing until then.
 */
import { MemoryPageStore } from './memory-page-store.ts';
import type { PageBatch, PageStore } from './page-store.ts';

const BATCH_PAGES = 64;

export class TemporaryPageStore implements PageStore {
  readonly #open: () => Promise<PageStore>;
  #memory: MemoryPageStore | null = new MemoryPageStore();
  #store: PageStore = this.#memory!;

  constructor(open: () => Promise<PageStore>) {
    this.#open = open;
  }

  get kind(): string {
    return this.#store.kind;
  }

  /** Whether pages are in memory only. */
  get isTemporary(): boolean {
    return this.#memory !== null;
  }

  read(id: number): Uint8Array | undefined {
    return this.#store.read(id);
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return this.#store.readMany(ids);
  }

  write(batch: PageBatch, options: { sync: boolean }): void {
    this.#store.write(batch, options);
  }

  async syncAhead(): Promise<void> {
    await this.#store.syncAhead?.();
  }

  ids(from: number, limit: number): number[] {
    return this.#store.ids(from, limit);
  }

  setting(name: string): Uint8Array | undefined {
    return this.#store.setting(name);
  }

  settings(prefix: string): [name: string, value: Uint8Array][] {
    return this.#store.settings(prefix);
  }

  async reopen(): Promise<void> {
    const memory = this.#memory;
    if (memory === null) return this.#store.reopen();
    const store = await this.#open();
    try {
      // Its page numbers are used by other pages now.
      await store.renew();
      const ids = memory.ids(0, Infinity);
      for (let at = 0; at < ids.length; at += BATCH_PAGES) {
        store.write({ pages: ids.slice(at, at + BATCH_PAGES).map((id) => ({ id, bytes: memory.read(id)! })) }, { sync: false });
        await store.syncAhead?.();
      }
      store.write({ pages: [], settings: memory.settings('').map(([name, value]) => ({ name, value })) }, { sync: true });
    } catch (error) {
      await store.close().catch(() => {});
      throw error;
    }
    this.#store = store;
    this.#memory = null;
  }

  renew(): Promise<void> {
    return this.#store.renew();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
