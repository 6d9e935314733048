/**
 * Serialises large replies in chunks, with yields in between: a list of fifty thousand worlds is 12 MB of text, which
 * `JSON.stringify` would build in one tick. The bytes equal those of `exactJsonText`.
 */
import { exactJsonText } from './exact-json.ts';
import { Slices } from './slices.ts';

/** Longer lists are split into chunks of this many items. */
const PIECE_ITEMS = 100;
/** Longer texts are split, too; also the maximum length of several texts in one chunk. */
const PIECE_LENGTH = 1 << 18;
/** How deep long lists and texts are searched for: `{branches: […]}`, `{results: [{rows: [{note: …}]}]}`. */
const DEPTH_MAX = 5;

/** Whether chunks pay off: inspects few values of most replies. */
export function isLong(value: unknown, depth = DEPTH_MAX): boolean {
  if (typeof value === 'string') return value.length > PIECE_LENGTH;
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value))
    return value.length > PIECE_ITEMS || (depth > 0 && (value.some((item) => isLong(item, depth - 1)) || lengthOf(value) > PIECE_LENGTH));
  if (depth <= 0 || Object.getPrototypeOf(value) !== Object.prototype || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  for (const key in value) if (isLong((value as Record<string, unknown>)[key], depth - 1)) return true;
  return false;
}

/** Characters of the texts in a list's item, or in its items. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (value === null || typeof value !== 'object') return 0;
  let length = 0;
  for (const key in value) {
    const item = (value as Record<string, unknown>)[key];
    if (typeof item === 'string') length += item.length;
    else if (typeof item === 'object' && item !== null)
      for (const inner in item) length += ((item as Record<string, unknown>)[inner] as string | undefined)?.length ?? 0;
  }
  return length;
}

export async function exactJsonPieces(value: unknown): Promise<string[]> {
  const pieces: string[] = [];
  const slices = new Slices();
  await write(value, pieces, slices, DEPTH_MAX);
  return pieces;
}

async function write(value: unknown, pieces: string[], slices: Slices, depth: number): Promise<void> {
  if (!isLong(value, depth)) {
    pieces.push(exactJsonText(value) ?? 'null');
    return;
  }
  if (typeof value === 'string') return writeText(value, pieces, slices);
  if (Array.isArray(value)) {
    pieces.push('[');
    for (let at = 0; at < value.length;) {
      if (at > 0) pieces.push(',');
      let to = at;
      for (let length = 0; to < value.length && to - at < PIECE_ITEMS && length <= PIECE_LENGTH && !isLong(value[to], depth - 1); to++)
        length += lengthOf(value[to]);
      if (to === at) await write(value[to++], pieces, slices, depth - 1);
      else pieces.push(exactJsonText(value.slice(at, to)).slice(1, -1));
      at = to;
      if (slices.over) await slices.rest();
    }
    pieces.push(']');
    return;
  }
  let first = true;
  for (const [key, item] of Object.entries(value as Record<string, unknown>)) {
    if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue;
    pieces.push(`${first ? '{' : ','}${JSON.stringify(key)}:`);
    first = false;
    await write(item, pieces, slices, depth - 1);
  }
  pieces.push(first ? '{}' : '}');
}

async function writeText(text: string, pieces: string[], slices: Slices): Promise<void> {
  pieces.push('"');
  for (let from = 0; from < text.length;) {
    let to = Math.min(text.length, from + PIECE_LENGTH);
    // Do not split a surrogate pair.
    if (to < text.length && (text.charCodeAt(to - 1) & 0xfc00) === 0xd800) to--;
    pieces.push(JSON.stringify(text.substring(from, to)).slice(1, -1));
    from = to;
    if (slices.over) await slices.rest();
  }
  pieces.push('"');
}

/** Encodes chunks as UTF-8, one per time slice. */
export async function bytesInSlices(pieces: readonly string[]): Promise<Buffer> {
  const out: Buffer[] = [];
  const slices = new Slices();
  for (const piece of pieces) {
    out.push(Buffer.from(piece));
    if (slices.over) await slices.rest();
  }
  return Buffer.concat(out);
}
