/**
 * A parsed JSON document, for jsonb operators. Numbers stay exact (a JS number if that prints the same text, otherwise a Numeric);
 * objects keep jsonb's order of keys without duplicates. Trees are immutable, so parts are shared freely.
 *
 * The parser is one recursive descent over character codes, with its state in module variables (it never calls out, so it is not
 * re-entrant). On any error it stops and json-fault.ts finds Postgres's message.
 */
import { JSON_DEPTH_MAX, raiseJsonFault, tooDeep } from './json-fault.ts';
import { numberNodeFromText } from './json-number.ts';
import { compareKeys, compareUtf8, utf8Length } from './json-string.ts';
import { Numeric } from './numeric.ts';

export class JsonObject {
  /** In jsonb's order, no duplicates. */
  readonly keys: readonly string[];
  readonly values: readonly JsonNode[];

  constructor(keys: readonly string[], values: readonly JsonNode[]) {
    this.keys = keys;
    this.values = values;
  }

  /** Position of the key, or -1. */
  indexOf(key: string): number {
    const { keys } = this;
    if (keys.length <= 12) return keys.indexOf(key);
    let low = 0;
    let high = keys.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const order = compareKeys(keys[middle], key);
      if (order === 0) return middle;
      if (order < 0) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }

  get(key: string): JsonNode | undefined {
    const at = this.indexOf(key);
    return at === -1 ? undefined : this.values[at];
  }
}

export type JsonNode = null | boolean | number | string | Numeric | readonly JsonNode[] | JsonObject;

export type JsonKind = 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';

export function kindOf(node: JsonNode): JsonKind {
  switch (typeof node) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (node === null) return 'null';
      if (Array.isArray(node)) return 'array';
      return node instanceof JsonObject ? 'object' : 'number';
  }
}

export function isJsonArray(node: JsonNode): node is readonly JsonNode[] {
  return Array.isArray(node);
}

export function isJsonNumber(node: JsonNode): node is number | Numeric {
  return typeof node === 'number' || node instanceof Numeric;
}

export function isScalar(node: JsonNode): boolean {
  return typeof node !== 'object' || node === null || node instanceof Numeric;
}

/** An object from members in any order; of equal keys the last one counts. Takes ownership of both lists. */
export function makeObject(keys: string[], values: JsonNode[]): JsonObject {
  const count = keys.length;
  if (count < 2) return new JsonObject(keys, values);
  if (count > INSERTION_MAX) return makeWideObject(keys, values);
  // Insertion sort with cached byte lengths, which decide most comparisons.
  const sizes = keys.map(utf8Length);
  let size = 1;
  for (let i = 1; i < count; i++) {
    const key = keys[i];
    const value = values[i];
    const bytes = sizes[i];
    let at = size;
    let order = 1;
    while (at > 0) {
      order = bytes - sizes[at - 1] || compareUtf8(key, keys[at - 1]);
      if (order >= 0) break;
      at--;
    }
    if (order === 0 && at > 0) {
      values[at - 1] = value;
      continue;
    }
    for (let k = size; k > at; k--) {
      keys[k] = keys[k - 1];
      values[k] = values[k - 1];
      sizes[k] = sizes[k - 1];
    }
    keys[at] = key;
    values[at] = value;
    sizes[at] = bytes;
    size++;
  }
  keys.length = size;
  values.length = size;
  return new JsonObject(keys, values);
}

/** Up to this size insertion sort beats a map and a sort. */
const INSERTION_MAX = 24;

function makeWideObject(keys: string[], values: JsonNode[]): JsonObject {
  let sorted = true;
  for (let i = 1; i < keys.length && sorted; i++) sorted = compareKeys(keys[i - 1], keys[i]) < 0;
  if (sorted) return new JsonObject(keys, values);
  const members = new Map<string, JsonNode>();
  for (let i = 0; i < keys.length; i++) members.set(keys[i], values[i]);
  const order = [...members.keys()].sort(compareKeys);
  return new JsonObject(
    order,
    order.map((key) => members.get(key)!),
  );
}

const FAULT = new Error('not JSON');
FAULT.stack = '';

let source = '';
let at = 0;

/** Parses a document; Postgres's errors for jsonb. */
export function parseTree(text: string): JsonNode {
  source = text;
  at = 0;
  try {
    const node = readValue(0);
    skipSpace();
    if (at < text.length) throw FAULT;
    return node;
  } catch (error) {
    if (error !== FAULT) throw error;
    raiseJsonFault(text, true);
    throw new Error('the two readers of JSON disagree', { cause: error });
  } finally {
    source = '';
  }
}

function skipSpace(): void {
  for (;;) {
    const c = source.charCodeAt(at);
    if (c === 32 || c === 10 || c === 13 || c === 9) at++;
    else return;
  }
}

function readValue(depth: number): JsonNode {
  skipSpace();
  const c = source.charCodeAt(at);
  switch (c) {
    case 34:
      return readString();
    case 123:
      return readObject(depth);
    case 91:
      return readArray(depth);
    case 116:
      return readWord('true', true);
    case 102:
      return readWord('false', false);
    case 110:
      return readWord('null', null);
    default:
      if (c === 45 || (c >= 48 && c <= 57)) return readNumber(c);
      throw FAULT;
  }
}

function isWordChar(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || c === 95 || c >= 128;
}

function readWord(word: string, value: boolean | null): boolean | null {
  if (!source.startsWith(word, at)) throw FAULT;
  at += word.length;
  if (isWordChar(source.charCodeAt(at))) throw FAULT;
  return value;
}

function readNumber(first: number): number | Numeric {
  const start = at;
  let c = first;
  if (c === 45) c = source.charCodeAt(++at);
  if (c === 48) c = source.charCodeAt(++at);
  else if (c >= 49 && c <= 57) {
    do c = source.charCodeAt(++at);
    while (c >= 48 && c <= 57);
  } else throw FAULT;
  if (c !== 46 && c !== 101 && c !== 69) {
    if (isWordChar(c)) throw FAULT;
    const text = source.slice(start, at);
    // Fifteen digits are always safe; +0 turns -0 into 0, since numeric has no -0.
    return at - start <= 15 ? Number(text) + 0 : numberNodeFromText(text);
  }
  if (c === 46) {
    c = source.charCodeAt(++at);
    if (!(c >= 48 && c <= 57)) throw FAULT;
    do c = source.charCodeAt(++at);
    while (c >= 48 && c <= 57);
  }
  if (c === 101 || c === 69) {
    c = source.charCodeAt(++at);
    if (c === 43 || c === 45) c = source.charCodeAt(++at);
    if (!(c >= 48 && c <= 57)) throw FAULT;
    do c = source.charCodeAt(++at);
    while (c >= 48 && c <= 57);
  }
  if (isWordChar(c)) throw FAULT;
  return numberNodeFromText(source.slice(start, at));
}

function readString(): string {
  const start = ++at;
  for (;;) {
    const c = source.charCodeAt(at);
    if (c === 34) {
      const text = source.slice(start, at);
      at++;
      return text;
    }
    if (c === 92) return readEscaped(start);
    // Also fails for NaN, past the end.
    if (!(c >= 32)) throw FAULT;
    at++;
  }
}

function readEscaped(start: number): string {
  let text = source.slice(start, at);
  let from = at;
  for (;;) {
    const c = source.charCodeAt(at);
    if (c === 34) {
      text += source.slice(from, at);
      at++;
      return text;
    }
    if (c !== 92) {
      if (!(c >= 32)) throw FAULT;
      at++;
      continue;
    }
    text += source.slice(from, at);
    const escape = source.charCodeAt(at + 1);
    at += 2;
    if (escape === 117) {
      const code = readHex();
      if (code === 0 || (code >= 0xdc00 && code <= 0xdfff)) throw FAULT;
      if (code >= 0xd800 && code <= 0xdbff) {
        if (source.charCodeAt(at) !== 92 || source.charCodeAt(at + 1) !== 117) throw FAULT;
        at += 2;
        const low = readHex();
        if (low < 0xdc00 || low > 0xdfff) throw FAULT;
        text += String.fromCharCode(code, low);
      } else {
        text += String.fromCharCode(code);
      }
    } else {
      const resolved = ESCAPES.get(escape);
      if (resolved === undefined) throw FAULT;
      text += resolved;
    }
    from = at;
  }
}

const ESCAPES = new Map([...'"\\/'].map((char) => [char.charCodeAt(0), char]));
for (const [letter, char] of ['b\b', 'f\f', 'n\n', 'r\r', 't\t']) ESCAPES.set(letter.charCodeAt(0), char);

function readHex(): number {
  let code = 0;
  for (let i = 0; i < 4; i++) {
    const c = source.charCodeAt(at++);
    if (c >= 48 && c <= 57) code = code * 16 + c - 48;
    else if (c >= 97 && c <= 102) code = code * 16 + c - 87;
    else if (c >= 65 && c <= 70) code = code * 16 + c - 55;
    else throw FAULT;
  }
  return code;
}

function readArray(depth: number): JsonNode[] {
  if (depth >= JSON_DEPTH_MAX) throw tooDeep();
  at++;
  const items: JsonNode[] = [];
  skipSpace();
  if (source.charCodeAt(at) === 93) {
    at++;
    return items;
  }
  for (;;) {
    items.push(readValue(depth + 1));
    skipSpace();
    const c = source.charCodeAt(at++);
    if (c === 44) continue;
    if (c === 93) return items;
    throw FAULT;
  }
}

function readObject(depth: number): JsonObject {
  if (depth >= JSON_DEPTH_MAX) throw tooDeep();
  at++;
  const keys: string[] = [];
  const values: JsonNode[] = [];
  skipSpace();
  if (source.charCodeAt(at) === 125) {
    at++;
    return new JsonObject(keys, values);
  }
  for (;;) {
    skipSpace();
    if (source.charCodeAt(at) !== 34) throw FAULT;
    keys.push(readString());
    skipSpace();
    if (source.charCodeAt(at++) !== 58) throw FAULT;
    values.push(readValue(depth + 1));
    skipSpace();
    const c = source.charCodeAt(at++);
    if (c === 44) continue;
    if (c === 125) return makeObject(keys, values);
    throw FAULT;
  }
}
