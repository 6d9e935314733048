/**
 * Access to parts of a jsonb value in its text, without building a tree. The text has Postgres's canonical form (one space after
 * commas and colons, keys sorted and unique, one spelling for each string), so a part's text is a jsonb value too, and a key is
 * found by comparing its quoted form.
 */
import { quoteJson } from './json-string.ts';

/** Characters that are examined singly before the rest of a string is searched. */
const SHORT = 24;

/** Position after the string that starts here. */
function skipString(text: string, from: number): number {
  let at = from + 1;
  for (const short = at + SHORT; at < short;) {
    const c = text.charCodeAt(at);
    if (c === 34) return at + 1;
    at += c === 92 ? 2 : 1;
  }
  for (;;) {
    at = text.indexOf('"', at);
    let before = at - 1;
    while (text.charCodeAt(before) === 92) before--;
    at++;
    // An even number of backslashes escape each other.
    if ((at - before) % 2 === 0) return at;
  }
}

/** Position after the value that starts here. */
function skipValue(text: string, from: number): number {
  let at = from;
  let depth = 0;
  for (;;) {
    const c = text.charCodeAt(at);
    if (c === 34) {
      at = skipString(text, at);
      if (depth === 0) return at;
    } else if (c === 123 || c === 91) {
      depth++;
      at++;
    } else if (c === 125 || c === 93) {
      if (depth === 0) return at;
      depth--;
      at++;
      if (depth === 0) return at;
    } else if (depth === 0 && (c === 44 || Number.isNaN(c))) {
      return at;
    } else {
      at++;
    }
  }
}

export function isObjectText(text: string): boolean {
  return text.charCodeAt(0) === 123;
}

export function isArrayText(text: string): boolean {
  return text.charCodeAt(0) === 91;
}

/** The last key, with its quoted form: most statements access the same key in each row. */
let lastKey = '';
let lastQuoted = '""';

/** The start of a member's value; -1 if there is none or the value is no object. */
function memberAt(text: string, key: string): number {
  if (text.charCodeAt(0) !== 123 || text.length === 2) return -1;
  if (key !== lastKey) {
    lastQuoted = quoteJson(key);
    lastKey = key;
  }
  const quoted = lastQuoted;
  const first = quoted.charCodeAt(1);
  for (let at = 1; ;) {
    if (text.charCodeAt(at + 1) === first && text.startsWith(quoted, at)) return at + quoted.length + 2;
    const end = skipValue(text, skipString(text, at) + 2);
    if (text.charCodeAt(end) === 125) return -1;
    at = end + 2;
  }
}

/** The member of an object; null if there is none or the value is no object. */
export function memberText(text: string, key: string): string | null {
  const value = memberAt(text, key);
  return value < 0 ? null : text.slice(value, skipValue(text, value));
}

/** Whether an object has a member. */
export function hasMember(text: string, key: string): boolean {
  return memberAt(text, key) >= 0;
}

/** The item of an array, counted from 0 or back from -1; null if there is none or the value is no array. */
export function itemText(text: string, index: number): string | null {
  if (text.charCodeAt(0) !== 91 || text.length === 2) return null;
  let position = index;
  if (index < 0) {
    position = countItems(text) + index;
    if (position < 0) return null;
  }
  let at = 1;
  for (;;) {
    const end = skipValue(text, at);
    if (position-- === 0) return text.slice(at, end);
    if (text.charCodeAt(end) === 93) return null;
    at = end + 2;
  }
}

/** Texts of an array's items, or of an object's members: key, value, key, value … */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  if (text.length === 2) return parts;
  const keyed = text.charCodeAt(0) === 123;
  let at = 1;
  for (;;) {
    if (keyed) {
      const end = skipString(text, at);
      parts.push(text.slice(at, end));
      at = end + 2;
    }
    const end = skipValue(text, at);
    parts.push(text.slice(at, end));
    if (end === text.length - 1) return parts;
    at = end + 2;
  }
}

/** The number of items of a non-empty array. */
function countItems(text: string): number {
  let count = 0;
  let at = 1;
  for (;;) {
    at = skipValue(text, at);
    count++;
    if (text.charCodeAt(at) === 93) return count;
    at += 2;
  }
}

/** The result of `->>`: null for JSON's null, an unquoted string, anything else unchanged. */
export function plainJsonb(part: string): string | null {
  const c = part.charCodeAt(0);
  if (c === 34) {
    const inner = part.slice(1, -1);
    return inner.includes('\\') ? (JSON.parse(part) as string) : inner;
  }
  return c === 110 ? null : part;
}
