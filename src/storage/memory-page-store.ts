import type { PageBatch, PageStore } from './page-store.ts';

/** A page store in memory, for databases without a folder and for tests. */
export class MemoryPageStore implements PageStore {
  readonly kind = 'memory';
  readonly #pages = new Map<number, Uint8Array>();
  readonly #settings = new Map<string, Uint8Array>();

  read(id: number): Uint8Array | undefined {
    return this.#pages.get(id);
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return ids.map((id) => this.read(id));
  }

  write(batch: PageBatch): void {
    for (const { id, bytes } of batch.pages) this.#pages.set(id, Uint8Array.from(bytes));
    for (const id of batch.deletes ?? []) this.#pages.delete(id);
    for (const { name, value } of batch.settings ?? []) {
      if (value === null) this.#settings.delete(name);
      else this.#settings.set(name, value);
    }
  }

  ids(from: number, limit: number): number[] {
    return [...this.#pages.keys()]
      .filter((id) => id >= from)
      .sort((a, b) => a - b)
      .slice(0, limit);
  }

  setting(name: string): Uint8Array | undefined {
    return this.#settings.get(name);
  }

  settings(prefix: string): [string, Uint8Array][] {
    return [...this.#settings].filter(([name]) => name.startsWith(prefix)).sort(([a], [b]) => (a < b ? -1 : 1));
  }

  async reopen(): Promise<void> {}

  /** A snapshot of its contents. */
  copy(): MemoryPageStore {
    const copy = new MemoryPageStore();
    for (const [id, bytes] of this.#pages) copy.#pages.set(id, bytes);
    for (const [name, value] of this.#settings) copy.#settings.set(name, value);
    return copy;
  }

  async renew(): Promise<void> {
    this.#pages.clear();
    this.#settings.clear();
  }

  async close(): Promise<void> {}
}
