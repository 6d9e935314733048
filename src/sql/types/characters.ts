/** Lengths and substrings of texts in characters (code points) and UTF-8 bytes; a JS string counts UTF-16 units. */

// oxlint-disable-next-line no-misleading-character-class
const SURROGATE = /[\ud800-\udbff]/;

/** Whether every character is one UTF-16 unit, so that indices of the string count characters. */
export function isFlat(text: string): boolean {
  return !SURROGATE.test(text);
}

export function characterCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) if ((text.charCodeAt(i) & 0xfc00) === 0xd800) count--;
  return count;
}

/** Index in UTF-16 units of the n-th character (0-based), at most the length. */
export function unitIndex(text: string, characters: number): number {
  if (characters <= 0) return 0;
  if (characters >= text.length) return text.length;
  let index = 0;
  for (let i = 0; i < characters && index < text.length; i++) index += (text.charCodeAt(index) & 0xfc00) === 0xd800 ? 2 : 1;
  return index;
}

/** The characters from `start` up to `end`, 0-based. */
export function sliceCharacters(text: string, start: number, end: number): string {
  if (start >= end) return '';
  if (isFlat(text)) return text.slice(start, end);
  return text.slice(unitIndex(text, start), unitIndex(text, end));
}

export function byteCount(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    // A pair takes four bytes: two for each half.
    count += unit < 0x800 || (unit & 0xf800) === 0xd800 ? 1 : 2;
  }
  return count;
}

/** The longest prefix of at most `limit` bytes that ends at a character boundary. */
export function cutBytes(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const point = text.codePointAt(index) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > limit) return text.slice(0, index);
    index += point > 0xffff ? 2 : 1;
  }
  return text;
}
