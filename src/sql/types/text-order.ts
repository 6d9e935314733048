/**
 * Order of texts: by code points, which is the byte order of UTF-8 (collation "C"). JS compares UTF-16 units,
 * which differs only where a surrogate pair meets a character from U+E000 to U+FFFF.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  // V8 answers this at once for strings of one byte a character, and then its own comparison is right.
  if (!HIGH.test(a) || !HIGH.test(b)) return a < b ? -1 : 1;
  return compareUnits(a, b);
}

/** Units from the first surrogate on: only where two of these meet do the orders differ. */
// oxlint-disable-next-line no-misleading-character-class
const HIGH = /[\ud800-\uffff]/;

function compareUnits(a: string, b: string): number {
  const length = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    if (x >= 0xd800 && y >= 0xd800) return rank(x) - rank(y);
    return x - y;
  }
  return a.length - b.length;
}

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

/** Texts of one length are equal without their trailing blanks only where they are equal with them. */
export function equalBlankPadded(a: string, b: string): boolean {
  return a === b || (a.length !== b.length && trimBlanks(a) === trimBlanks(b));
}
