/**
 * What was made of texts, for those that come again. Bounded by count and by the length of all texts, which what is
 * made of them grows with. A text that was asked for since it was last passed over is passed over once more, so that
 * statements with literals of their own do not push out the ones that are used all the time.
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
    // Long texts are scripts: they do not come again.
    if (text.length > this.#lengthMax / 20) return;
    this.#delete(text);
    this.#entries.set(text, { value, used: false });
    this.#length += text.length;
    if (this.#entries.size > this.#countMax || this.#length > this.#lengthMax) this.#shrink();
  }

  #delete(text: string): void {
    if (this.#entries.delete(text)) this.#length -= text.length;
  }

  /** To three quarters, so that it is not done at each text. */
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
