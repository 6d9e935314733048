/**
 * The shape of a statement's text: the text with its literals removed, so that statements which differ only in their literals are
 * identified. Only literals whose value can be parsed from the text are removed (plain quoted strings, decimal numbers); literals of
 * different types have different marks, so that texts of one shape have literals of the same types.
 *
 *     UPDATE t SET a = 'x' WHERE id = 7      →      UPDATE t SET a = \0s WHERE id = \0i
 */
import { Scanner, TOKEN } from './scanner.ts';

export interface TextShape {
  /** Contains a zero byte for each literal, which no statement text does. */
  readonly key: string;
  /** Start and end of each removed literal. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly marks: readonly LiteralMark[];
}

/** A string; an int4, int8 or numeric, with or without a minus sign. */
export const MARK = { string: '\0s', int4: '\0i', int8: '\0l', numeric: '\0n' } as const;
export type LiteralMark = (typeof MARK)[keyof typeof MARK];

/** Longer texts, or those with more literals, are scripts and loads, which do not repeat. */
const TEXT_LENGTH_MAX = 2000;
const LITERALS_MAX = 32;

const QUOTE = 39;
const SPACE_AND_BELOW = 32;
const INT4_MAX = 2147483647;
/** A number with this many digits fits an int8. */
const INT8_DIGITS = 18;

/** null if the text is unlikely to repeat with other literals. */
export function shapeOf(text: string): TextShape | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  const scanner = new Scanner(text);
  const starts: number[] = [];
  const ends: number[] = [];
  const marks: LiteralMark[] = [];
  let key = '';
  let taken = 0;
  for (let kind = scanner.next(); kind !== TOKEN.end; kind = scanner.next()) {
    if (kind === TOKEN.unfinished) return null;
    if (kind !== TOKEN.string && kind !== TOKEN.number) continue;
    const { start, end } = scanner;
    const mark = kind === TOKEN.string ? markOfString(text, start, end) : markOfNumber(text, start, end);
    if (mark === null) continue;
    if (starts.length === LITERALS_MAX) return null;
    starts.push(start);
    ends.push(end);
    marks.push(mark);
    key += text.slice(taken, start) + mark;
    taken = end;
  }
  if (starts.length === 0) return null;
  return { key: key + text.slice(taken), starts, ends, marks };
}

/** Strings with a prefix, dollar-quoted or in several parts are not removed. */
function markOfString(text: string, start: number, end: number): LiteralMark | null {
  if (text.charCodeAt(start) !== QUOTE) return null;
  // N'…' and U&'…' are scanned as a word and a string, or as one: a word directly before the quote shows that.
  if (start > 0 && isWordCode(text.charCodeAt(start - 1))) return null;
  for (let i = start + 1; i < end - 1; i++) {
    if (text.charCodeAt(i) !== QUOTE) continue;
    if (text.charCodeAt(++i) !== QUOTE || i === end - 1) return null;
  }
  return MARK.string;
}

function isWordCode(code: number): boolean {
  return code > SPACE_AND_BELOW && !(code >= 33 && code <= 47) && !(code >= 58 && code <= 64) && !(code >= 91 && code <= 94) && !(code >= 123 && code < 127);
}

function markOfNumber(text: string, start: number, end: number): LiteralMark | null {
  let points = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 46) points++;
    else if (code < 48 || code > 57) return null;
  }
  if (points > 0) return points === 1 && end - start > 1 ? MARK.numeric : null;
  if (end - start < 10) return MARK.int4;
  if (end - start > INT8_DIGITS) return null;
  const value = Number(text.slice(start, end));
  // The least int4 is written with a minus before what alone is an int8.
  return value <= INT4_MAX ? MARK.int4 : value > INT4_MAX + 1 ? MARK.int8 : null;
}

/** The content of a removed string. */
export function stringValue(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, end - 1);
  return inner.includes("'") ? inner.replaceAll("''", "'") : inner;
}
