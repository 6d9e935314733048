/**
 * The first level of a json value: its members or items as slices of the text. json (unlike jsonb) keeps whitespace, order and
 * duplicates, so its functions return slices, never reprinted trees.
 */
import { TextCache } from './json-cache.ts';
import { raiseJsonFault } from './json-fault.ts';
import { type JsonKind, parseTree } from './json-tree.ts';

export interface JsonSource {
  readonly kind: JsonKind;
  /** Of an object, resolved, duplicates included. */
  readonly keys: readonly string[];
  /** Texts of an object's values or an array's items. */
  readonly items: readonly string[];
}

const NONE: readonly string[] = [];

const sources = new TextCache<JsonSource>(readSource);

/** The first level of a json value. The text is known to be valid JSON; escapes that cannot be represented are refused here. */
export function sourceOf(text: string): JsonSource {
  return sources.get(text);
}

/** The unescaped string of a json string value. */
export function unquoteJson(text: string): string {
  const inner = text.slice(1, -1);
  return inner.includes('\\') ? (parseTree(text) as string) : inner;
}

/** The result of `->>`: null for JSON's null, an unquoted string, anything else unchanged. */
export function plainText(text: string): string | null {
  const c = text.charCodeAt(0);
  if (c === 34) return unquoteJson(text);
  return c === 110 ? null : text;
}

function readSource(text: string): JsonSource {
  if (text.includes('\\u')) raiseJsonFault(text, true);
  let at = skipSpace(text, 0);
  const first = text.charCodeAt(at);
  if (first === 91) {
    const items: string[] = [];
    at = skipSpace(text, at + 1);
    while (text.charCodeAt(at) !== 93) {
      const end = skipValue(text, at);
      items.push(text.slice(at, end));
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === 44) at = skipSpace(text, at + 1);
    }
    return { kind: 'array', keys: NONE, items };
  }
  if (first === 123) {
    const keys: string[] = [];
    const items: string[] = [];
    at = skipSpace(text, at + 1);
    while (text.charCodeAt(at) !== 125) {
      let end = skipString(text, at);
      keys.push(unquoteJson(text.slice(at, end)));
      at = skipSpace(text, skipSpace(text, end) + 1);
      end = skipValue(text, at);
      items.push(text.slice(at, end));
      at = skipSpace(text, end);
      if (text.charCodeAt(at) === 44) at = skipSpace(text, at + 1);
    }
    return { kind: 'object', keys, items };
  }
  const kind: JsonKind = first === 34 ? 'string' : first === 116 || first === 102 ? 'boolean' : first === 110 ? 'null' : 'number';
  return { kind, keys: NONE, items: NONE };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 32 || c === 10 || c === 13 || c === 9) at++;
    else return at;
  }
}

function skipString(text: string, from: number): number {
  let at = from + 1;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 34) return at + 1;
    at += c === 92 ? 2 : 1;
  }
}

function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 34) at = skipString(text, at);
    else if (c === 123 || c === 91) {
      depth++;
      at++;
    } else if (c === 125 || c === 93) {
      if (depth === 0) return at;
      depth--;
      at++;
    } else if (depth === 0 && (c === 44 || c === 32 || c === 10 || c === 13 || c === 9 || Number.isNaN(c))) {
      return at;
    } else {
      at++;
      continue;
    }
    if (depth === 0) return at;
  }
}
