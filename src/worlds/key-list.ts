/**
 * Several keys of one row in one hidden cell, for indexes with one entry per key.
 *
 *   cell = for each key: its length in two bytes, its bytes; sorted, without duplicates
 */

/** Longer keys are truncated: lookups recheck the row itself. */
export const LISTED_KEY_BYTES_MAX = 200;

export function encodeKeyList(keys: Iterable<string>): string {
  let out = '';
  for (const key of [...new Set(keys)].sort(byBytes)) out += String.fromCharCode(key.length >> 8, key.length & 255) + key;
  return out;
}

export function decodeKeyList(cell: string): string[] {
  const out: string[] = [];
  for (let at = 0; at < cell.length;) {
    const end = at + 2 + ((cell.charCodeAt(at) << 8) | cell.charCodeAt(at + 1));
    out.push(cell.slice(at + 2, end));
    at = end;
  }
  return out;
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
