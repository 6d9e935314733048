/**
 * Decimals stored in cells as text (`-12.50`, `NaN`, `Infinity`), read as coefficients and scales from a page's bytes without
 * a string each. Trailing zeros of long numbers are not part of the coefficient, only of the display scale: quotients have up
 * to twenty. A coefficient beyond ±(2^53-1) is a bigint and makes the column `wide`.
 */
import { TAG } from './datum.ts';
import type { Vec } from './vec.ts';

export interface Decimals {
  /** Coefficients; an array of numbers and bigints if `wide`. */
  values: Float64Array | (number | bigint)[];
  scales: Uint16Array;
  /** Digits after the point in the text: at least `scales`. */
  shown: Uint16Array;
  wide: boolean;
}

const SAFE = Number.MAX_SAFE_INTEGER;
const POINT = 46;
const MINUS = 45;
const ZERO = 48;

/** Reads rows [0, count) of a text column into [at, at + count); cells without a value are 0. */
export function readDecimals(vec: Vec, count: number, into: Decimals, at: number): void {
  const { tags } = vec;
  const codes = vec.knownCodes;
  if (vec.offsets !== null && !vec.hasStrings && codes === null) {
    const heap = vec.heap!;
    const { offsets } = vec;
    for (let i = 0; i < count; i++) {
      if (tags !== null && tags[i] !== TAG.VALUE) put(into, at + i, 0, 0, 0);
      else if (!readBytes(heap, offsets[i], offsets[i + 1], into, at + i)) readText(vec.text(i), into, at + i);
    }
    return;
  }
  if (codes !== null) {
    const known = decimalsOf(codes.texts.length);
    // Rows without a value may have a code all the same.
    for (let t = 0; t < codes.texts.length; t++) if (codes.texts[t] !== '') readText(codes.texts[t], known, t);
    for (let i = 0; i < count; i++) {
      const t = codes.codes[i];
      if (tags !== null && tags[i] !== TAG.VALUE) put(into, at + i, 0, 0, 0);
      else put(into, at + i, known.values[t], known.scales[t], known.shown[t]);
    }
    return;
  }
  const strings = vec.strings();
  for (let i = 0; i < count; i++) {
    if (tags !== null && tags[i] !== TAG.VALUE) put(into, at + i, 0, 0, 0);
    else readText(strings[i], into, at + i);
  }
}

export function decimalsOf(count: number): Decimals {
  return { values: new Float64Array(count), scales: new Uint16Array(count), shown: new Uint16Array(count), wide: false };
}

export function put(into: Decimals, at: number, coefficient: number | bigint, scale: number, shown: number): void {
  if (typeof coefficient === 'bigint' && !into.wide) {
    into.values = Array.from(into.values as Float64Array);
    into.wide = true;
  }
  into.values[at] = coefficient;
  into.scales[at] = scale;
  into.shown[at] = shown;
}

/** Larger coefficients have their trailing zeros removed, so that products stay small. */
const TRIMMED = 1e9;

/** False if the bytes are not a plain decimal with a safe coefficient. */
function readBytes(heap: Uint8Array, from: number, to: number, into: Decimals, at: number): boolean {
  let p = from;
  const negative = heap[p] === MINUS;
  if (negative) p++;
  let coefficient = 0;
  let point = -1;
  for (; p < to; p++) {
    const digit = heap[p] - ZERO;
    if (digit >= 0 && digit <= 9) coefficient = coefficient * 10 + digit;
    else if (heap[p] === POINT && point < 0) point = p;
    else return false;
  }
  const shown = point < 0 ? 0 : to - point - 1;
  let scale = shown;
  if (coefficient > TRIMMED && scale > 0 && heap[to - 1] === ZERO) {
    let end = to - 1;
    while (heap[end - 1] === ZERO) end--;
    scale = end - point - 1;
    coefficient = 0;
    for (p = negative ? from + 1 : from; p < end; p++) if (p !== point) coefficient = coefficient * 10 + (heap[p] - ZERO);
  }
  // Past the bound a sum may have been rounded, but it stays past it.
  if (coefficient > SAFE) return false;
  into.values[at] = negative ? 0 - coefficient : coefficient;
  into.scales[at] = scale;
  into.shown[at] = shown;
  return true;
}

function readText(text: string, into: Decimals, at: number): void {
  const { length } = text;
  let p = 0;
  const negative = text.charCodeAt(0) === MINUS;
  if (negative) p++;
  let coefficient = 0;
  let point = -1;
  for (; p < length; p++) {
    const code = text.charCodeAt(p);
    const digit = code - ZERO;
    if (digit >= 0 && digit <= 9) coefficient = coefficient * 10 + digit;
    else if (code === POINT && point < 0) point = p;
    else return put(into, at, Number(text), 0, 0);
  }
  const shown = point < 0 ? 0 : length - point - 1;
  let end = length;
  if (coefficient > TRIMMED && shown > 0 && text.charCodeAt(end - 1) === ZERO) {
    while (text.charCodeAt(end - 1) === ZERO) end--;
    coefficient = 0;
    for (p = negative ? 1 : 0; p < end; p++) if (p !== point) coefficient = coefficient * 10 + (text.charCodeAt(p) - ZERO);
  }
  const scale = shown - (length - end);
  if (coefficient <= SAFE) put(into, at, negative ? 0 - coefficient : coefficient, scale, shown);
  else put(into, at, BigInt(point < 0 ? text : text.slice(0, point) + text.slice(point + 1, end)), scale, shown);
}
