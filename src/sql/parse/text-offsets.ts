/** Offsets in texts: the grammar counts UTF-8 bytes, JavaScript UTF-16 units, error positions characters (code points) from 1. */

/** Maps a byte offset to a UTF-16 offset. Offsets past the text map to its end. */
export type ByteMap = ((byte: number) => number) | null;

/** null if the two are the same because the text is ASCII. */
export function byteMap(text: string): ByteMap {
  const byteLength = Buffer.byteLength(text);
  if (byteLength === text.length) return null;
  const map = new Uint32Array(byteLength + 1);
  let byte = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const astral = code >= 0xd800 && code < 0xdc00 && i + 1 < text.length && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : astral ? 4 : 3;
    for (let k = 0; k < size; k++) map[byte++] = i;
    if (astral) i++;
  }
  map[byteLength] = text.length;
  return (offset) => (offset >= byteLength ? text.length : map[offset]);
}

/** The UTF-16 offset of the n-th code point, counted from 0. */
export function offsetOfCodePoint(text: string, index: number): number {
  let offset = 0;
  for (let n = 0; n < index && offset < text.length; n++) offset += isAstralAt(text, offset) ? 2 : 1;
  return offset;
}

/** The error `position` of a node's `at`: characters from 1. */
export function characterPosition(text: string, at: number): number {
  let position = 1;
  for (let offset = 0; offset < at; position++) offset += isAstralAt(text, offset) ? 2 : 1;
  return position;
}

function isAstralAt(text: string, offset: number): boolean {
  return (text.charCodeAt(offset) & 0xfc00) === 0xd800 && (text.charCodeAt(offset + 1) & 0xfc00) === 0xdc00;
}
