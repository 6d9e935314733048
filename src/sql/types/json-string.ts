/** Strings of JSON documents: quoting, order by UTF-8 bytes, and jsonb's order of keys. */

// oxlint-disable-next-line no-control-regex
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\ud7ff\ue000-\uffff]*$/;

/** The string in quotes, escaped as Postgres's escape_json does. */
export function quoteJson(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  return JSON.stringify(text);
}

/** Order of the UTF-8 forms: by code point, which differs from `<` where surrogate pairs meet U+E000 … U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) {
      const surrogateX = x >= 0xd800 && x <= 0xdfff;
      const surrogateY = y >= 0xd800 && y <= 0xdfff;
      if (surrogateX !== surrogateY) return surrogateX ? (y >= 0xe000 ? 1 : x - y) : x >= 0xe000 ? -1 : x - y;
      return x - y;
    }
  }
  return a.length - b.length;
}

/** Bytes of the UTF-8 form. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    // A pair of surrogates is two units and four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** jsonb's order of keys: shorter first (in bytes), then by bytes. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  return utf8Length(a) - utf8Length(b) || compareUtf8(a, b);
}
