/**
 * hstore, the extension's map of texts. A value is its text as the extension prints it, keys ordered by length and then bytes, so
 * that equal maps are equal strings: `"a"=>"1", "bb"=>NULL`.
 *
 *   key  blanks  =>  blanks  value  ,  …        words or "…" with \ escapes; unquoted NULL is null
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { makeType } from './make-type.ts';
import { compareText } from './text-order.ts';
import type { SqlType } from './type.ts';

export const HSTORE_OID = 9805;

export type Pair = readonly [key: string, value: string | null];

const isSpace = (char: string): boolean => char === ' ' || (char >= '\t' && char <= '\r');

function near(text: string, at: number): SvcError {
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return new SvcError('XX000', `Syntax error near "${character}" at position ${Buffer.byteLength(text.slice(0, at))}`);
}

function early(): SvcError {
  return new SvcError('XX000', 'Unexpected end of string');
}

class Reader {
  readonly text: string;
  at = 0;
  quoted = false;

  constructor(text: string) {
    this.text = text;
  }

  skip(): void {
    while (this.at < this.text.length && isSpace(this.text[this.at])) this.at++;
  }

  /** A key ends at `=`, a value at a comma; null at the end of the text. */
  word(isValue: boolean): string | null {
    const { text } = this;
    this.skip();
    this.quoted = false;
    if (this.at >= text.length) return null;
    let out = '';
    if (text[this.at] === '"') {
      this.quoted = true;
      for (this.at++; ; this.at++) {
        let char = text[this.at];
        if (char === '"') break;
        if (char === '\\') char = text[++this.at];
        if (char === undefined) throw early();
        out += char;
      }
      this.at++;
      return out;
    }
    if (text[this.at] === '=' && !isValue) throw near(text, this.at);
    for (; this.at < text.length; this.at++) {
      let char = text[this.at];
      if (isSpace(char) || (char === '=' && !isValue) || (char === ',' && isValue && out !== '')) break;
      if (char === '\\') {
        char = text[++this.at];
        if (char === undefined) throw early();
      }
      out += char;
    }
    return out;
  }

  expect(char: string): void {
    const found = this.text[this.at];
    if (found === undefined) throw early();
    if (found !== char) throw near(this.text, this.at);
    this.at++;
  }
}

function readPairs(text: string): Pair[] {
  const reader = new Reader(text);
  const pairs: Pair[] = [];
  for (;;) {
    const key = reader.word(false);
    if (key === null) return pairs;
    reader.skip();
    reader.expect('=');
    reader.expect('>');
    const value = reader.word(true);
    if (value === null) throw early();
    pairs.push([key, !reader.quoted && value.toLowerCase() === 'null' ? null : value]);
    reader.skip();
    if (reader.at >= text.length) return pairs;
    if (text[reader.at] !== ',') throw near(text, reader.at);
    reader.at++;
  }
}

function escaped(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Of equal keys the first one counts. */
export function hstoreOf(pairs: readonly Pair[]): string {
  const known = new Map<string, string | null>();
  for (const [key, value] of pairs) if (!known.has(key)) known.set(key, value);
  return [...known]
    .sort(([a], [b]) => Buffer.byteLength(a) - Buffer.byteLength(b) || compareText(a, b))
    .map(([key, value]) => `${escaped(key)}=>${value === null ? 'NULL' : escaped(value)}`)
    .join(', ');
}

let lastText = '';
let lastPairs: ReadonlyMap<string, string | null> = new Map();

/** The same value is often used several times in a row. */
export function pairsOf(value: string): ReadonlyMap<string, string | null> {
  if (value !== lastText) {
    lastPairs = new Map(readPairs(value));
    lastText = value;
  }
  return lastPairs;
}

export const HSTORE: SqlType = makeType({
  oid: HSTORE_OID,
  name: 'hstore',
  title: 'hstore',
  category: 'U',
  length: -1,
  repr: 'string',
  arrayOid: 9806,
  parse: (text) => hstoreOf(readPairs(text)),
  format: String,
  compare: (a, b) => compareText(a as string, b as string),
});
