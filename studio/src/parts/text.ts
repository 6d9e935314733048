/** Values as text, never through a number. */
import { exactJsonText, ExactNumber } from '../../../src/base/exact-json.ts';

export type Part = { readonly text: string; readonly isMark: boolean };

/**
 * Characters that are not seen, or that turn the direction of a line: shown by their number, so that a value cannot pass for another. Zero-width
 * ones, controls, bidirectional marks, tags, fillers and private ones; not what joins emoji.
 */
const HIDDEN =
  /(?![\t\n]|(?<=\p{Extended_Pictographic}\ufe0f?)\u200d(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u115f\u1160\u17b4\u17b5\u202f\u205f\u3164\uffa0]|\u034f|[\u180b-\u180d\u180f]|(?<!\p{Extended_Pictographic})[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/gu;

export function parts(text: string): Part[] {
  HIDDEN.lastIndex = 0;
  if (!HIDDEN.test(text)) return [{ text, isMark: false }];
  const out: Part[] = [];
  let from = 0;
  HIDDEN.lastIndex = 0;
  for (const found of text.matchAll(HIDDEN)) {
    if (found.index > from) out.push({ text: text.slice(from, found.index), isMark: false });
    out.push({ text: `U+${found[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`, isMark: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from), isMark: false });
  return out;
}

/** A text where markup cannot go: titles, names for screen readers, options. */
export function visible(text: string): string {
  return parts(text)
    .map((part) => part.text)
    .join('');
}

export function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return value;
  if (value instanceof ExactNumber) return value.text;
  return typeof value === 'object' ? exactJsonText(value) : String(value);
}

/** The first characters, cut at a whole one. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.charCodeAt(most - 1) >= 0xd800 && text.charCodeAt(most - 1) <= 0xdbff ? most - 1 : most;
  return text.slice(0, end);
}

/** Values that are equal as text. */
export function same(a: unknown, b: unknown): boolean {
  return textOf(a) === textOf(b) && (a === null || a === undefined) === (b === null || b === undefined);
}

export function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** `table/id` as its two parts, unescaped for reading. */
export function keyParts(key: string): { table: string; id: string } {
  const slash = key.indexOf('/');
  return { table: plain(key.slice(0, slash)), id: plain(key.slice(slash + 1)) };
}

function plain(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const COUNT = new Intl.NumberFormat('en-US');

/** Of rows and the like, which the server counts in plain numbers. */
export function count(n: number | bigint): string {
  return COUNT.format(n);
}

export function several(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** How long ago, roughly; the whole time stands beside it. */
export function ago(time: string, now = Date.now()): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  const away = Math.abs(seconds);
  const [n, unit] =
    away < 60
      ? [away, 's']
      : away < 3600
        ? [Math.floor(away / 60), 'min']
        : away < 172_800
          ? [Math.floor(away / 3600), 'h']
          : [Math.floor(away / 86_400), 'days'];
  return seconds < 0 ? `in ${n} ${unit}` : away < 5 ? 'just now' : `${n} ${unit} ago`;
}

/** A time to the second, as the server wrote it. */
export function clock(time: string): string {
  return time.replace('T', ' ').replace(/\.\d+/, '').replace(/Z$/, ' UTC');
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** `schema.table` as SQL. */
export function quotedTable(schema: string, table: string): string {
  return `${quoted(schema)}.${quoted(table)}`;
}
