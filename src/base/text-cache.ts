/**
 * A cache by text, for repeated texts. Bounded by count and by the total length of texts, to which the values are roughly
 * proportional. Second chance: an entry used since the last eviction pass is kept once more, so that statements with varying
 * literals do not evict those in constant use.
 */
interface Entry<T> {
  readonly value: T;
  used: boolean;
}

export class TextCache<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #countMax: number;
  readonly #lengthMax: number;
  #length = 0;

  constructor(countMax: number, lengthMax: number) {
    this.#countMax = countMax;
    this.#lengthMax = lengthMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(text: string): T | undefined {
    const entry = this.#entries.get(text);
    if (entry === undefined) return undefined;
    entry.used = true;
    return entry.value;
  }

  set(text: string, value: T): void {
    // Long texts are scripts, which are not repeated.
    if (text.length > this.#lengthMax / 20) return;
    this.#delete(text);
    this.#entries.set(text, { value, used: false });
    this.#length += text.length;
    if (this.#entries.size > this.#countMax || this.#length > this.#lengthMax) this.#shrink();
  }

  #delete(text: string): void {
    if (this.#entries.delete(text)) this.#length -= text.length;
  }

  /** Shrinks to three quarters, so that it does not run for each text. */
  #shrink(): void {
    for (const [text, entry] of this.#entries) {
      if (this.#entries.size <= this.#countMax * 0.75 && this.#length <= this.#lengthMax * 0.75) return;
      this.#delete(text);
      if (!entry.used) continue;
      entry.used = false;
      this.#entries.set(text, entry);
      this.#length += text.length;
    }
  }
}
