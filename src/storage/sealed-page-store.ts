/** A page store that encrypts pages and settings and binds each to its number or name, so that none can be swapped for another. */
import { type Cipher, SEALED_OVERHEAD_BYTES } from './cipher.ts';
import { CacheDamage, type PageBatch, type PageStore } from './page-store.ts';

export class SealedPageStore implements PageStore {
  readonly kind: string;
  readonly #store: PageStore;
  readonly #cipher: Cipher;
  readonly #bound = Buffer.alloc(8);

  constructor(store: PageStore, cipher: Cipher) {
    this.kind = store.kind;
    this.#store = store;
    this.#cipher = cipher;
  }

  read(id: number): Uint8Array | undefined {
    const sealed = this.#store.read(id);
    return sealed === undefined ? undefined : this.#page(id, sealed);
  }

  readMany(ids: readonly number[]): (Uint8Array | undefined)[] {
    return this.#store.readMany(ids).map((sealed, i) => (sealed === undefined ? undefined : this.#page(ids[i], sealed)));
  }

  #page(id: number, sealed: Uint8Array): Uint8Array {
    const plain = this.#cipher.open(sealed, this.#boundTo(id));
    if (plain === null) throw new CacheDamage(`page ${id} of the cache is not what was written under the folder's key`);
    return plain;
  }

  #boundTo(id: number): Buffer {
    this.#bound.writeDoubleLE(id, 0);
    return this.#bound;
  }

  #sealed(plain: Uint8Array, bound: Uint8Array): Buffer {
    const out = Buffer.allocUnsafe(plain.length + SEALED_OVERHEAD_BYTES);
    this.#cipher.seal(out, 0, plain, bound);
    return out;
  }

  write({ pages, deletes, settings }: PageBatch, options: { sync: boolean }): void {
    this.#store.write(
      {
        pages: pages.map(({ id, bytes }) => ({ id, bytes: this.#sealed(bytes, this.#boundTo(id)) })),
        ...(deletes === undefined ? {} : { deletes }),
        ...(settings === undefined
          ? {}
          : { settings: settings.map(({ name, value }) => ({ name, value: value === null ? null : this.#sealed(value, Buffer.from(name)) })) }),
      },
      options,
    );
  }

  async syncAhead(): Promise<void> {
    await this.#store.syncAhead?.();
  }

  ids(from: number, limit: number): number[] {
    return this.#store.ids(from, limit);
  }

  #setting(name: string, sealed: Uint8Array): Uint8Array {
    const plain = this.#cipher.open(sealed, Buffer.from(name));
    if (plain === null) throw new CacheDamage(`setting ${name} of the cache is not what was written under the folder's key`);
    return plain;
  }

  setting(name: string): Uint8Array | undefined {
    const sealed = this.#store.setting(name);
    return sealed === undefined ? undefined : this.#setting(name, sealed);
  }

  settings(prefix: string): [name: string, value: Uint8Array][] {
    return this.#store.settings(prefix).map(([name, sealed]) => [name, this.#setting(name, sealed)]);
  }

  reopen(): Promise<void> {
    return this.#store.reopen();
  }

  renew(): Promise<void> {
    return this.#store.renew();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}
