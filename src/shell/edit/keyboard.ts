/** Dispatches keys to the newest listener that accepts them. Other keys wait, so that nothing typed ahead is lost. */
import type { Readable } from 'node:stream';
import { type Key, KeyDecoder } from './keys.ts';

interface Listener {
  readonly take: (key: Key) => void;
  /** Only these keys; others wait for a later listener. */
  readonly only: readonly string[] | null;
}

export class Keyboard {
  readonly #listeners: Listener[] = [];
  #waiting: Key[] = [];

  push(key: Key): void {
    const listener = this.#listeners.at(-1);
    if (listener === undefined || (listener.only !== null && !listener.only.includes(key.name))) this.#waiting.push(key);
    else listener.take(key);
  }

  /** Returns the function that ends listening. */
  listen(take: (key: Key) => void, only: readonly string[] | null = null): () => void {
    const listener = { take, only };
    this.#listeners.push(listener);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const key of waiting) this.push(key);
    return () => {
      const at = this.#listeners.indexOf(listener);
      if (at >= 0) this.#listeners.splice(at, 1);
    };
  }

  /** Keeps a key for the next listener. */
  keep(key: Key): void {
    this.#waiting.push(key);
  }

  /** Reads a terminal in raw mode until the returned function is called. */
  attach(stdin: Readable & { setRawMode?(raw: boolean): unknown }): () => void {
    const decoder = new KeyDecoder((key) => this.push(key));
    const data = (chunk: Buffer): void => decoder.write(chunk);
    stdin.setRawMode?.(true);
    stdin.on('data', data);
    stdin.resume();
    return () => {
      stdin.off('data', data);
      stdin.setRawMode?.(false);
      stdin.pause();
    };
  }
}
