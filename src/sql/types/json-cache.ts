/**
 * A bounded cache of parsed texts, so that several operators on one document parse it once. Two generations: entries are added to
 * the young one, which becomes the old one when full; a hit in the old one is moved up.
 */
export class TextCache<Read extends object | string | number | boolean | null> {
  readonly #read: (text: string) => Read;
  readonly #entriesMax: number;
  readonly #charsMax: number;
  #young = new Map<string, { read: Read }>();
  #old = new Map<string, { read: Read }>();
  #chars = 0;
  #lastText = '';
  #last: { read: Read } | null = null;

  constructor(read: (text: string) => Read, entriesMax = 256, charsMax = 2_000_000) {
    this.#read = read;
    this.#entriesMax = entriesMax;
    this.#charsMax = charsMax;
  }

  get(text: string): Read {
    if (this.#last !== null && text === this.#lastText) return this.#last.read;
    let entry = this.#young.get(text);
    if (entry === undefined) {
      entry = this.#old.get(text) ?? { read: this.#read(text) };
      this.#keep(text, entry);
    }
    this.#lastText = text;
    this.#last = entry;
    return entry.read;
  }

  /** Adds a known result without parsing. */
  put(text: string, read: Read): void {
    if (!this.#young.has(text)) this.#keep(text, { read });
  }

  #keep(text: string, entry: { read: Read }): void {
    if (this.#young.size >= this.#entriesMax || this.#chars + text.length > this.#charsMax) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#chars = 0;
    }
    this.#young.set(text, entry);
    this.#chars += text.length;
  }
}
