/**
 * Order of texts: by code points, which is the byte order of UTF-8 (collation "C"). JS compares UTF-16 units, which differs only if
 * a surrogate pair is compared with a character from U+E000 to U+FFFF.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = a.length < b.length ? a.length : b.length;
  // Most texts differ early; for a long common prefix V8's own comparison is four times as fast.
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? rank(x) - rank(y) : x - y;
    if (i === NEAR) return compareRest(a, b, length);
  }
  return a.length - b.length;
}

const NEAR = 8;

/** V8 knows at once that a one-byte string has no unit this high, and then its own order is correct. */
function compareRest(a: string, b: string, length: number): number {
  if (!HIGH.test(a) || !HIGH.test(b)) return a < b ? -1 : 1;
  for (let i = NEAR; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? rank(x) - rank(y) : x - y;
  }
  return a.length - b.length;
}

/** Units from the first surrogate on: the orders differ only if both texts have one. */
// oxlint-disable-next-line no-misleading-character-class
const HIGH = /[\ud800-\uffff]/;

/** Puts the surrogates after the rest of the basic plane. */
function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}

/** The text without trailing blanks: what bpchar compares by. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 32) end--;
  return end === text.length ? text : text.slice(0, end);
}

/** Order of two bpchar values: trailing blanks do not count. */
export function compareBlankPadded(a: string, b: string): number {
  return a === b ? 0 : compareText(trimBlanks(a), trimBlanks(b));
}

/** Texts of equal length are equal without their trailing blanks only if they are equal with them. */
export function equalBlankPadded(a: string, b: string): boolean {
  return a === b || (a.length !== b.length && trimBlanks(a) === trimBlanks(b));
}
