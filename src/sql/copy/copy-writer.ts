/** Rows to COPY's text and csv formats: `values` writes one into the caller's buffer, where most fields are written as bytes; `row` collects rows of texts. */
import type { BinaryWriter } from '../formats/binary-writer.ts';
import { textIsPlain, type TextSender, textSender } from '../formats/text-send.ts';
import type { Environment } from '../types/environment.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { fromText } from './copy-encoding.ts';
import type { CopyOptions } from './copy-options.ts';
import { forcedColumns, type CopyTarget } from './forced-columns.ts';

const NEWLINE = 10;
const BACKSLASH = 92;
const ORDINARY = new Set(['\t', ',', ';', '|']);
const QUOTES = new Set(['"', "'"]);

const LETTERS: Record<string, string> = { '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\v': '\\v', '\\': '\\\\' };

/** Rows are joined to a string of about this length before they are encoded. */
const BLOCK_LENGTH = 1 << 16;

export class CopyWriter {
  readonly #options: CopyOptions;
  readonly #forceQuote: boolean[] | null;
  readonly #special: RegExp;
  /** Characters that need an escape, in csv quotes. */
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

  /** Approximate buffered bytes; take them when they are many. */
  get size(): number {
    return this.#size + this.#text.length;
  }

  row(fields: readonly (string | null)[]): void {
    this.#line(fields, this.#forceQuote);
  }

  /** The row writer for these columns, as bytes without intermediate strings if the options allow it. */
  rows(types: readonly SqlType[], env: Environment): (out: BinaryWriter, columns: readonly (readonly Value[])[], row: number) => void {
    const { delimiter, null: nullText, encoding, format } = this.#options;
    if (encoding !== null) {
      return (out, columns, row) => {
        this.row(types.map((type, c) => formatted(type, columns[c][row], env)));
        out.bytes(this.take());
      };
    }
    const senders = types.map((type, c) => this.#sender(type, format === 'csv' && this.#forceQuote !== null && this.#forceQuote[c]));
    const delimiterCode = delimiter.charCodeAt(0);
    const { length } = senders;
    return (out, columns, row) => {
      for (let c = 0; c < length; c++) {
        if (c > 0) out.byte(delimiterCode);
        const value = columns[c][row];
        if (value === null) out.utf8(nullText);
        else senders[c](out, value, env);
      }
      out.byte(NEWLINE);
    };
  }

  #sender(type: SqlType, forced: boolean): TextSender {
    const { delimiter, null: nullText, quote, format } = this.#options;
    const csv = format === 'csv';
    // Digits, letters and points are no delimiters, quotes or nulls then.
    if (textIsPlain(type) && !forced && ORDINARY.has(delimiter) && (!csv || (nullText === '' && QUOTES.has(quote)))) return textSender(type);
    const marked = new Uint8Array(128);
    for (const character of csv ? [delimiter, quote, '\n', '\r'] : [delimiter, ...Object.keys(LETTERS)]) marked[character.charCodeAt(0)] = 1;
    // `\.` alone, and what would be parsed as null, is quoted in csv.
    if (csv) marked[BACKSLASH] = 1;
    const direct = !csv || (!forced && nullText === '');
    return (out, value, env) => {
      const field = type.format(value, env);
      if (direct && field !== '' && out.plain(field, marked)) return;
      out.utf8(csv ? this.#csv(field, forced) : this.#special.test(field) ? this.#escape(field) : field);
    };
  }

  /** All bytes so far; resets the writer. */
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
    const bytes = fromText(encoding, this.#text);
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

function formatted(type: SqlType, value: Value, env: Environment): string | null {
  return value === null ? null : type.format(value, env);
}

function inClass(character: string): string {
  return /[\\\]^-]/.test(character) ? `\\${character}` : character;
}
