/**
 * Large replies as JSON in pieces, beside other work: a list of fifty thousand worlds is 12 MB of text, which `JSON.stringify` would make in one
 * turn of the event loop. The bytes are those of `exactJsonText`.
 */
import { exactJsonText } from './exact-json.ts';
import { Slices } from './slices.ts';

/** Lists that are longer are made in pieces of so many items. */
const PIECE_ITEMS = 100;
/** How deep below the reply lists are looked for: `{branches: […]}`, `{results: [{rows: […]}]}`. */
const DEPTH_MAX = 3;

/** Whether it is worth pieces: a look at few values of most replies. */
export function isLong(value: unknown, depth = DEPTH_MAX): boolean {
  if (value === null || typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length > PIECE_ITEMS || (depth > 0 && value.some((item) => isLong(item, depth - 1)));
  if (depth === 0 || Object.getPrototypeOf(value) !== Object.prototype || typeof (value as { toJSON?: unknown }).toJSON === 'function') return false;
  for (const key in value) if (isLong((value as Record<string, unknown>)[key], depth - 1)) return true;
  return false;
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
  if (Array.isArray(value)) {
    const deeper = depth > 0 && value.length <= PIECE_ITEMS;
    for (let at = 0; at < value.length || at === 0; at += deeper ? 1 : PIECE_ITEMS) {
      pieces.push(at === 0 ? '[' : ',');
      if (deeper) await write(value[at], pieces, slices, depth - 1);
      else pieces.push(exactJsonText(value.slice(at, at + PIECE_ITEMS)).slice(1, -1));
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

/** Pieces as UTF-8, a slice at a time. */
export async function bytesInSlices(pieces: readonly string[]): Promise<Buffer> {
  const out: Buffer[] = [];
  const slices = new Slices();
  for (const piece of pieces) {
    out.push(Buffer.from(piece));
    if (slices.over) await slices.rest();
  }
  return Buffer.concat(out);
}
