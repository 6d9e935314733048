/** Rows to COPY's text and csv formats, into one buffer that the caller takes from whenever it is large enough. */
import { fromText } from './copy-encoding.ts';
import type { CopyOptions } from './copy-options.ts';
import { forcedColumns, type CopyTarget } from './forced-columns.ts';

const LETTERS: Record<string, string> = { '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '\\': '\\\\' };

/** Rows are joined to a string of about this length before they are encoded. */
const BLOCK_LENGTH = 1 << 16;

export class CopyWriter {
  readonly #options: CopyOptions;
  readonly #forceQuote: boolean[] | null;
  readonly #special: RegExp;
  /** Characters that get an escape in front, in csv quotes. */
  readonly #escaped: RegExp;
  readonly #single: boolean;
  #text = '';
  #blocks: Uint8Array[] = [];
  #size = 0;

  constructor(options: CopyOptions, target: CopyTarget) {
    this.#options = options;
    this.#forceQuote = forcedColumns('FORCE_QUOTE', options.forceQuote, target);
    this.#single = target.columns.length === 1;
    const { delimiter, quote, escape } = options;
    if (options.format === 'csv') {
      this.#special = new RegExp(`[${inClass(delimiter)}${inClass(quote)}\\n\\r]`);
      this.#escaped = new RegExp(`[${inClass(quote)}${inClass(escape)}]`, 'g');
    } else {
      this.#special = new RegExp(`[\\b\\f\\n\\r\\t\\v\\\\${inClass(delimiter)}]`);
      this.#escaped = new RegExp(this.#special.source, 'g');
    }
    if (options.header !== false) this.#line(target.columns, null);
  }

  /** Bytes that wait, about; take them when they are many. */
  get size(): number {
    return this.#size + this.#text.length;
  }

  row(fields: readonly (string | null)[]): void {
    this.#line(fields, this.#forceQuote);
  }

  /** As `take`, but a text where its bytes would be its UTF-8: whoever writes row by row encodes it in place. */
  takeRow(): Uint8Array | string {
    if (this.#blocks.length > 0 || this.#options.encoding !== null) return this.take();
    const text = this.#text;
    this.#text = '';
    return text;
  }

  /** All bytes so far; the writer starts anew behind them. */
  take(): Uint8Array {
    this.#flush();
    const bytes = this.#blocks.length === 1 ? this.#blocks[0] : Buffer.concat(this.#blocks, this.#size);
    this.#blocks = [];
    this.#size = 0;
    return bytes;
  }

  #flush(): void {
    if (this.#text === '') return;
    const { encoding } = this.#options;
    const bytes = encoding === null ? Buffer.from(this.#text, 'utf8') : fromText(encoding, this.#text);
    this.#blocks.push(bytes);
    this.#size += bytes.length;
    this.#text = '';
  }

  #line(fields: readonly (string | null)[], forced: boolean[] | null): void {
    const { delimiter, null: nullText, format } = this.#options;
    let line = this.#text;
    for (let i = 0; i < fields.length; i++) {
      if (i > 0) line += delimiter;
      const field = fields[i];
      if (field === null) line += nullText;
      else if (format === 'csv') line += this.#csv(field, forced !== null && forced[i]);
      else line += this.#special.test(field) ? this.#escape(field) : field;
    }
    this.#text = `${line}\n`;
    if (this.#text.length >= BLOCK_LENGTH) this.#flush();
  }

  #escape(field: string): string {
    return field.replace(this.#escaped, (character) => LETTERS[character] ?? `\\${character}`);
  }

  #csv(field: string, forced: boolean): string {
    const { quote, escape, null: nullText } = this.#options;
    // `\.` alone on a line would end the data.
    if (!forced && field !== nullText && !(this.#single && field === '\\.') && !this.#special.test(field)) return field;
    return quote + field.replace(this.#escaped, (character) => escape + character) + quote;
  }
}

function inClass(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character;
}
