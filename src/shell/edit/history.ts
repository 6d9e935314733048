/** Entered texts, newest last, with navigation and search. */

export class History {
  readonly entries: string[];
  readonly #keep: (entry: string) => void;
  /** Current position; the length: the text being typed. */
  #at: number;
  #typed = '';

  constructor(entries: readonly string[] = [], keep: (entry: string) => void = () => {}) {
    this.entries = [...entries];
    this.#keep = keep;
    this.#at = this.entries.length;
  }

  /** Texts that start with a blank, or contain a password, are not kept. */
  add(text: string): void {
    const entry = text.trimEnd();
    if (entry.trim() !== '' && !/^\s/.test(entry) && !/\bpassword\s+'/i.test(entry) && entry !== this.entries.at(-1)) {
      this.entries.push(entry);
      this.#keep(entry);
    }
    this.reset();
  }

  reset(): void {
    this.#at = this.entries.length;
    this.#typed = '';
  }

  older(typed: string): string | null {
    if (this.#at === 0) return null;
    if (this.#at === this.entries.length) this.#typed = typed;
    this.#at--;
    return this.entries[this.#at];
  }

  newer(): string | null {
    if (this.#at >= this.entries.length) return null;
    this.#at++;
    return this.#at === this.entries.length ? this.#typed : this.entries[this.#at];
  }

  /** The newest entry before `before` that contains the text. */
  search(part: string, before = this.entries.length): { at: number; entry: string } | null {
    const wanted = part.toLowerCase();
    for (let at = Math.min(before, this.entries.length) - 1; at >= 0; at--) {
      if (this.entries[at].toLowerCase().includes(wanted)) return { at, entry: this.entries[at] };
    }
    return null;
  }
}
