/** Readings of fixed moments, by the branch's text (`name@when`). Each keeps one root and its catalog alive. */
import type { Node } from '../tree/node.ts';
import type { Reading } from './context.ts';

const MOMENTS_MAX = 64;

export class Moments {
  readonly #readings = new Map<string, Reading>();

  get(text: string): Reading | undefined {
    return this.#readings.get(text);
  }

  keep(text: string, reading: Reading): void {
    if (this.#readings.size >= MOMENTS_MAX) this.#readings.clear();
    this.#readings.set(text, reading);
  }

  /** A cached root was evicted. */
  drop(root: Node): void {
    for (const [text, reading] of this.#readings) if (reading.root === root) this.#readings.delete(text);
  }

  clear(): void {
    this.#readings.clear();
  }
}
