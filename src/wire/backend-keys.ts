/** Process ids and secret keys for cancel requests, which arrive on other connections. */
import { randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

export interface BackendKey {
  readonly pid: number;
  readonly key: Buffer;
}

export class BackendKeys {
  readonly #cancels = new Map<number, { readonly key: Buffer; readonly cancel: () => void }>();

  /** Protocol 3.2 has keys of up to 256 bytes; 3.0 of four. */
  issue(longKey: boolean, cancel: () => void): BackendKey {
    let pid: number;
    do pid = randomInt(1, 0x7fffffff);
    while (this.#cancels.has(pid));
    const key = randomBytes(longKey ? 32 : 4);
    this.#cancels.set(pid, { key, cancel });
    return { pid, key };
  }

  release(pid: number): void {
    this.#cancels.delete(pid);
  }

  /** Whether it matched is not reported. */
  cancel(pid: number, key: Buffer): void {
    const found = this.#cancels.get(pid);
    if (found !== undefined && found.key.length === key.length && timingSafeEqual(found.key, key)) found.cancel();
  }
}
