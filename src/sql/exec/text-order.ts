/** Texts order by code point, the byte order of UTF-8; UTF-16 units differ from it only at surrogates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
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

function rank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x2000 : unit + 0x2000;
}
