/**
 * The text form of arrays: `{1,NULL,"a b"}`, `{{1,2},{3,4}}`, `[0:1]={1,2}`. Manual, section 8.15.6. Errors of a literal's structure
 * are in array-literal-check.ts.
 */
import { SvcError } from '../../base/errors/svc-error.ts';
import { checkArrayLiteral, tooManyDimensions } from './array-literal-check.ts';
import { ArrayValue } from './array-value.ts';
import type { Value } from './value.ts';

export const ARRAY_DIMENSIONS_MAX = 6;
export const ARRAY_SIZE_MAX = 134_217_727;

const INT4_MAX = 2_147_483_647;

function malformed(text: string, detail: string): SvcError {
  return new SvcError('22P02', `malformed array literal: "${text}"`, { detail });
}

export function arrayTooLarge(): SvcError {
  return new SvcError('54000', `array size exceeds the maximum allowed (${ARRAY_SIZE_MAX})`);
}

function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13);
}

/** Parses an array; `readElement` parses one element. `nulls`: unquoted NULL is a null (array_nulls). */
export function parseArray(text: string, delimiter: number, readElement: (text: string) => Value, nulls: boolean): ArrayValue {
  const bare = (item: string): Value => (nulls && item.length === 4 && item.toLowerCase() === 'null' ? null : readElement(item));
  return parsePlain(text, delimiter, bare) ?? parseAny(text, delimiter, readElement, bare);
}

/** The common case: one dimension without quotes, escapes and blanks; null for any other text. */
function parsePlain(text: string, delimiter: number, readBare: (text: string) => Value): ArrayValue | null {
  const last = text.length - 1;
  if (last < 2 || text.charCodeAt(0) !== 123 || text.charCodeAt(last) !== 125) return null;
  const elements: Value[] = [];
  let from = 1;
  for (let at = 1; at <= last; at++) {
    const c = text.charCodeAt(at);
    if (c === delimiter || at === last) {
      if (at === from) return null;
      const item = text.slice(from, at);
      elements.push(readBare(item));
      from = at + 1;
    } else if (c <= 32 || c === 34 || c === 92 || c === 123 || c === 125) return null;
  }
  return new ArrayValue(elements);
}

/** The same for whole numbers within bounds, without a string for each. */
export function parseWholeNumbers(text: string, min: number, max: number): ArrayValue | null {
  const last = text.length - 1;
  if (last < 2 || text.charCodeAt(0) !== 123 || text.charCodeAt(last) !== 125) return null;
  const elements: Value[] = [];
  let value = 0;
  let digits = 0;
  let negative = false;
  for (let at = 1; at <= last; at++) {
    const c = text.charCodeAt(at);
    if (c >= 48 && c <= 57) {
      value = value * 10 + (c - 48);
      digits++;
    } else if (c === 44 || at === last) {
      if (negative) value = 0 - value;
      if (digits === 0 || digits > 10 || value < min || value > max) return null;
      elements.push(value);
      value = 0;
      digits = 0;
      negative = false;
    } else if (c === 45 && digits === 0 && !negative) negative = true;
    else return null;
  }
  return new ArrayValue(elements);
}

function parseAny(text: string, delimiter: number, readElement: (text: string) => Value, readBare: (text: string) => Value): ArrayValue {
  const lowers: number[] = [];
  const given: number[] = [];
  let at = readBounds(text, lowers, given);
  if (given.length === 0) {
    if (text.charCodeAt(at) !== 123) throw malformed(text, 'Array value must start with "{" or dimension information.');
  } else {
    if (text.charCodeAt(at) !== 61) throw malformed(text, 'Missing "=" after array dimensions.');
    at++;
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== 123) throw malformed(text, 'Array contents must start with "{".');
  }
  let array: ArrayValue;
  try {
    array = readElements(text, at, delimiter, readElement, readBare, given, lowers);
  } catch (error) {
    checkArrayLiteral(text, at, delimiter, given);
    throw error;
  }
  if (array.elements.length === 0) checkArrayLiteral(text, at, delimiter, given);
  return array;
}

function readElements(
  text: string,
  from: number,
  delimiter: number,
  readElement: (text: string) => Value,
  readBare: (text: string) => Value,
  given: readonly number[],
  lowers: readonly number[],
): ArrayValue {
  let at = from;
  const bounded = given.length > 0;
  const mismatch = (): SvcError =>
    malformed(
      text,
      bounded ? 'Specified array dimensions do not match array contents.' : 'Multidimensional arrays must have sub-arrays with matching dimensions.',
    );
  const unexpected = (char: string): SvcError => malformed(text, `Unexpected "${char}" character.`);
  const ended = (): SvcError => malformed(text, 'Unexpected end of input.');

  const elements: Value[] = [];
  const lengths = given.slice();
  const counts: number[] = [];
  let dimensions = given.length;
  let level = 0;
  let frozen = false;
  let separated = true;
  do {
    const c = text.charCodeAt(at);
    if (c === 123) {
      if (!separated) throw unexpected('{');
      if (level >= ARRAY_DIMENSIONS_MAX) throw tooManyDimensions(level + 1);
      counts[level] = 0;
      level++;
      if (dimensions < level) {
        if (frozen) throw mismatch();
        dimensions = level;
      }
      at++;
    } else if (c === 125) {
      if (counts[level - 1] > 0 && separated) throw unexpected('}');
      level--;
      if (level > 0) counts[level - 1]++;
      if (lengths[level] === undefined) lengths[level] = counts[level];
      else if (lengths[level] !== counts[level]) throw mismatch();
      separated = false;
      at++;
    } else if (c === delimiter) {
      if (separated) throw unexpected(String.fromCharCode(delimiter));
      separated = true;
      at++;
    } else if (isSpace(c)) {
      at++;
    } else {
      let value: Value;
      if (c === 34) {
        let plain = '';
        let from = ++at;
        for (;;) {
          const q = text.charCodeAt(at);
          if (Number.isNaN(q)) throw ended();
          if (q === 34) break;
          if (q === 92) {
            plain += text.slice(from, at);
            from = at + 1;
            if (from >= text.length) throw ended();
            at += 2;
          } else at++;
        }
        plain += text.slice(from, at);
        at++;
        while (isSpace(text.charCodeAt(at))) at++;
        if (at >= text.length) throw ended();
        const after = text.charCodeAt(at);
        if (after !== delimiter && after !== 125 && after !== 123) throw malformed(text, 'Incorrectly quoted array element.');
        if (!separated) throw malformed(text, 'Unexpected array element.');
        value = readElement(plain);
      } else {
        let plain = '';
        let from = at;
        // End of the part that cannot be trailing space.
        let solid = at;
        let escaped = false;
        for (;;) {
          const q = text.charCodeAt(at);
          if (Number.isNaN(q)) throw ended();
          if (q === delimiter || q === 125) break;
          if (q === 123) throw unexpected('{');
          if (q === 34) throw malformed(text, 'Incorrectly quoted array element.');
          if (q === 92) {
            if (at + 1 >= text.length) throw ended();
            plain += text.slice(from, at);
            from = at + 1;
            at += 2;
            solid = at;
            escaped = true;
          } else {
            at++;
            if (!isSpace(q)) solid = at;
          }
        }
        plain += text.slice(from, solid);
        if (!separated) throw malformed(text, 'Unexpected array element.');
        value = escaped ? readElement(plain) : readBare(plain);
      }
      elements.push(value);
      frozen = true;
      if (level !== dimensions) throw mismatch();
      counts[level - 1]++;
      separated = false;
    }
    if (Number.isNaN(c)) throw ended();
  } while (level > 0);
  for (; at < text.length; at++) if (!isSpace(text.charCodeAt(at))) throw malformed(text, 'Junk after closing right brace.');
  if (elements.length === 0) return EMPTY;
  if (bounded && dimensions !== given.length) throw mismatch();
  return bounded ? new ArrayValue(elements, lengths, lowers) : dimensions === 1 ? new ArrayValue(elements) : new ArrayValue(elements, lengths);
}

export const EMPTY = new ArrayValue([]);

/** `[1:2][0:3]` before an array; returns its end. */
function readBounds(text: string, lowers: number[], lengths: number[]): number {
  let at = 0;
  const readInt = (): number | null => {
    const match = /^[+-]?\d*/.exec(text.slice(at))!;
    if (match[0] === '') return null;
    // strtol consumes nothing if a sign has no digits.
    if (!/\d/.test(match[0])) return null;
    // As C's atoi does: truncated to 32 bits.
    const value = Number(BigInt.asIntN(32, BigInt(match[0])));
    at += match[0].length;
    return value;
  };
  for (;;) {
    while (isSpace(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) !== 91) return at;
    at++;
    if (lengths.length >= ARRAY_DIMENSIONS_MAX) throw tooManyDimensions(lengths.length + 1);
    const first = readInt();
    if (first === null) throw malformed(text, '"[" must introduce explicitly-specified array dimensions.');
    let lower = 1;
    let upper = first;
    if (text.charCodeAt(at) === 58) {
      at++;
      lower = first;
      const second = readInt();
      if (second === null) throw malformed(text, 'Missing array dimension value.');
      upper = second;
    }
    if (text.charCodeAt(at) !== 93) throw malformed(text, 'Missing "]" after array dimensions.');
    at++;
    if (upper < lower) throw new SvcError('2202E', 'upper bound cannot be less than lower bound');
    if (upper === INT4_MAX && lower === INT4_MAX) throw new SvcError('54000', `array lower bound is too large: ${lower}`);
    if (upper - lower + 1 > INT4_MAX) throw arrayTooLarge();
    lowers.push(lower);
    lengths.push(upper - lower + 1);
  }
}

/** Prints an array; `writeElement` prints a non-null element. */
export function formatArray(array: ArrayValue, delimiter: string, writeElement: (value: Value) => string): string {
  const { elements, lengths, lowers } = array;
  if (elements.length === 0) return '{}';
  const quoted = delimiter === ',' ? QUOTED : new RegExp(`[{}"\\\\ \\t\\n\\r\\v\\f${delimiter}]`);
  let at = 0;
  const level = (depth: number): string => {
    let text = '{';
    for (let i = 0; i < lengths[depth]; i++) {
      if (i > 0) text += delimiter;
      text += depth === lengths.length - 1 ? element(elements[at++]) : level(depth + 1);
    }
    return `${text}}`;
  };
  const element = (value: Value): string => {
    if (value === null) return 'NULL';
    const text = writeElement(value);
    if (text === '' || quoted.test(text) || (text.length === 4 && text.toLowerCase() === 'null')) return `"${text.replace(/["\\]/g, '\\$&')}"`;
    return text;
  };
  const body = level(0);
  if (lowers.every((lower) => lower === 1)) return body;
  return `${boundsText(array)}=${body}`;
}

/** `[1:2][0:3]`: the result of array_dims. */
export function boundsText(array: ArrayValue): string {
  return array.lengths.map((length, i) => `[${array.lowers[i]}:${array.lowers[i] + length - 1}]`).join('');
}

// Only ASCII space counts; \s would quote no-break spaces too.
const QUOTED = /[{}"\\, \t\n\r\v\f]/;
