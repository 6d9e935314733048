/** Parts of texts and bytea by position, and their replacement. Positions count characters (bytes) from 1. */
import { LIMITS } from '../../../base/limits.ts';
import { SvcError } from '../../../base/errors/svc-error.ts';
import { characterCount, isFlat, sliceCharacters } from '../../types/characters.ts';
import type { FunctionModule } from '../define.ts';
import { scalar } from './declare.ts';

function negativeLength(): never {
  throw new SvcError('22011', 'negative substring length not allowed');
}

function substring(text: string, start: number, length?: number): string {
  if (length === undefined) return sliceCharacters(text, start > 1 ? start - 1 : 0, text.length);
  if (length < 0) negativeLength();
  return sliceCharacters(text, start > 1 ? start - 1 : 0, start - 1 + length);
}

function byteSubstring(value: string, start: number, length?: number): string {
  if (length === undefined) return value.slice(start > 1 ? start - 1 : 0);
  if (length < 0) negativeLength();
  const end = start - 1 + length;
  return end <= 0 ? '' : value.slice(start > 1 ? start - 1 : 0, end);
}

function left(text: string, count: number): string {
  return sliceCharacters(text, 0, count >= 0 ? count : characterCount(text) + count);
}

function right(text: string, count: number): string {
  // Postgres negates the least integer to itself.
  if (count === -2147483648) return text;
  if (count < 0) return sliceCharacters(text, -count, text.length);
  const length = characterCount(text);
  return count >= length ? text : sliceCharacters(text, length - count, text.length);
}

function overlaid(cut: typeof substring, length: (value: string) => number): (value: string, other: string, start: number, count?: number) => string {
  return (value, other, start, count) => {
    const taken = count ?? length(other);
    if (start <= 0) negativeLength();
    if (start + taken > 2147483647) throw new SvcError('22003', 'integer out of range');
    return cut(value, 1, start - 1) + other + cut(value, start + taken);
  };
}

const overlay = overlaid(substring, characterCount);
const byteOverlay = overlaid(byteSubstring, (value) => value.length);

function position(text: string, part: string): number {
  const index = text.indexOf(part);
  return index < 0 ? 0 : (isFlat(text) ? index : characterCount(text.slice(0, index))) + 1;
}

const bytePosition = (value: string, part: string): number => value.indexOf(part) + 1;

function splitPart(text: string, delimiter: string, nth: number): string {
  if (nth === 0) throw new SvcError('22023', 'field position must not be zero');
  if (delimiter === '') return nth === 1 || nth === -1 ? text : '';
  if (nth < 0) {
    const parts = text.split(delimiter);
    return parts[parts.length + nth] ?? '';
  }
  let from = 0;
  for (let k = 1; k < nth; k++) {
    const at = text.indexOf(delimiter, from);
    if (at < 0) return '';
    from = at + delimiter.length;
  }
  const end = text.indexOf(delimiter, from);
  return end < 0 ? text.slice(from) : text.slice(from, end);
}

/** The maximum size of a value in bytes. */
const BYTES_MAX = 0x3fffffff - 4;

function tooLong(): never {
  throw new SvcError('54000', 'requested length too large');
}

/** Called before the text is built. */
function checkLength(characters: number): void {
  if (characters > BYTES_MAX) tooLong();
  if (characters > LIMITS.textCharactersMax) {
    throw new SvcError('53200', 'out of memory', {
      detail: `The text would have ${characters} characters; one that is repeated or filled up may have ${LIMITS.textCharactersMax}.`,
      hint: 'Make it in parts, a row each.',
    });
  }
}

function repeat(text: string, count: number): string {
  if (count <= 0 || text === '') return '';
  checkLength(text.length * count);
  return text.repeat(count);
}

/** The padding of a text to a length, and the text itself, truncated on the right if it is longer. */
function padding(text: string, length: number, fill: string): { kept: string; added: string } {
  const wanted = Math.max(length, 0);
  if (wanted * 4 > BYTES_MAX) tooLong();
  checkLength(wanted);
  const missing = wanted - characterCount(text);
  if (missing <= 0) return { kept: sliceCharacters(text, 0, wanted), added: '' };
  if (fill === '') return { kept: text, added: '' };
  const fillLength = characterCount(fill);
  return { kept: text, added: fill.repeat(Math.floor(missing / fillLength)) + sliceCharacters(fill, 0, missing % fillLength) };
}

function lpad(text: string, length: number, fill = ' '): string {
  const { kept, added } = padding(text, length, fill);
  return added + kept;
}

function rpad(text: string, length: number, fill = ' '): string {
  const { kept, added } = padding(text, length, fill);
  return kept + added;
}

function trimStart(text: string, set: string): string {
  let start = 0;
  if (isFlat(set)) while (start < text.length && set.includes(text[start] as string)) start++;
  else {
    const members = new Set(set);
    for (const character of text) {
      if (!members.has(character)) break;
      start += character.length;
    }
  }
  return start === 0 ? text : text.slice(start);
}

function trimEnd(text: string, set: string): string {
  let end = text.length;
  if (isFlat(set)) while (end > 0 && set.includes(text[end - 1] as string)) end--;
  else {
    const members = new Set(set);
    for (const character of [...text].reverse()) {
      if (!members.has(character)) break;
      end -= character.length;
    }
  }
  return end === text.length ? text : text.slice(0, end);
}

const ltrim = (text: string, set = ' '): string => trimStart(text, set);
const rtrim = (text: string, set = ' '): string => trimEnd(text, set);
const btrim = (text: string, set = ' '): string => trimEnd(trimStart(text, set), set);

function translate(text: string, from: string, to: string): string {
  const map = new Map<string, string>();
  const targets = [...to];
  let index = 0;
  for (const character of from) {
    if (!map.has(character)) map.set(character, targets[index] ?? '');
    index++;
  }
  let result = '';
  for (const character of text) result += map.get(character) ?? character;
  return result;
}

function reverse(text: string): string {
  let reversed = '';
  for (let i = text.length - 1; i >= 0; i--) {
    const unit = text.charCodeAt(i);
    // The second half of a character that takes two.
    if (unit >= 0xdc00 && unit <= 0xdfff && i > 0) {
      reversed += text.slice(i - 1, i + 1);
      i--;
    } else reversed += text[i];
  }
  return reversed;
}

function chr(code: number): string {
  if (code < 0) throw new SvcError('22023', 'character number must be positive');
  if (code === 0) throw new SvcError('54000', 'null character not permitted');
  if (code > 0x10ffff) throw new SvcError('54000', `requested character too large for encoding: ${code}`);
  if (code >= 0xd800 && code <= 0xdfff) throw new SvcError('54000', `requested character not valid for encoding: ${code}`);
  return String.fromCodePoint(code);
}

const SUBSTRING = 'The part from a position on, of a length where one is given.';
const OVERLAY = 'The value with a part of it replaced.';
const POSITION = 'Position of a part, 0 for none.';

export const substrings: FunctionModule = {
  functions: [
    ...['substr', 'substring'].flatMap((name) => [
      scalar(name, ['text', 'int4'], 'text', SUBSTRING, substring),
      scalar(name, ['text', 'int4', 'int4'], 'text', SUBSTRING, substring),
      scalar(name, ['bytea', 'int4'], 'bytea', SUBSTRING, byteSubstring),
      scalar(name, ['bytea', 'int4', 'int4'], 'bytea', SUBSTRING, byteSubstring),
    ]),
    scalar('left', ['text', 'int4'], 'text', 'The first characters, or all but the last where negative.', left),
    scalar('right', ['text', 'int4'], 'text', 'The last characters, or all but the first where negative.', right),
    scalar('overlay', ['text', 'text', 'int4'], 'text', OVERLAY, overlay),
    scalar('overlay', ['text', 'text', 'int4', 'int4'], 'text', OVERLAY, overlay),
    scalar('overlay', ['bytea', 'bytea', 'int4'], 'bytea', OVERLAY, byteOverlay),
    scalar('overlay', ['bytea', 'bytea', 'int4', 'int4'], 'bytea', OVERLAY, byteOverlay),
    scalar('strpos', ['text', 'text'], 'int4', POSITION, position),
    scalar('position', ['text', 'text'], 'int4', POSITION, position),
    scalar('position', ['bytea', 'bytea'], 'int4', POSITION, bytePosition),
    scalar('starts_with', ['text', 'text'], 'bool', 'Whether the text starts with the other.', (text: string, part: string) => text.startsWith(part)),
    scalar('split_part', ['text', 'text', 'int4'], 'text', 'The n-th part between delimiters, from the end where negative.', splitPart),
    scalar('repeat', ['text', 'int4'], 'text', 'The text repeated n times.', repeat),
    scalar('replace', ['text', 'text', 'text'], 'text', 'The text with each occurrence replaced.', (text: string, from: string, to: string) =>
      from === '' ? text : text.replaceAll(from, () => to),
    ),
    scalar('reverse', ['text'], 'text', 'The characters in reverse order.', reverse),
    scalar('reverse', ['bytea'], 'bytea', 'The bytes in reverse order.', reverse),
    scalar('lpad', ['text', 'int4'], 'text', 'The text filled on the left up to a length.', lpad),
    scalar('lpad', ['text', 'int4', 'text'], 'text', 'The text filled on the left up to a length.', lpad),
    scalar('rpad', ['text', 'int4'], 'text', 'The text filled on the right up to a length.', rpad),
    scalar('rpad', ['text', 'int4', 'text'], 'text', 'The text filled on the right up to a length.', rpad),
    ...(['text', 'bytea'] as const).flatMap((type) => [
      scalar('ltrim', [type, type], type, 'The value without characters of a set at its start.', ltrim),
      scalar('rtrim', [type, type], type, 'The value without characters of a set at its end.', rtrim),
      scalar('btrim', [type, type], type, 'The value without characters of a set at either end.', btrim),
    ]),
    scalar('ltrim', ['text'], 'text', 'The text without blanks at its start.', ltrim),
    scalar('rtrim', ['text'], 'text', 'The text without blanks at its end.', rtrim),
    scalar('btrim', ['text'], 'text', 'The text without blanks at either end.', btrim),
    scalar('translate', ['text', 'text', 'text'], 'text', 'The text with characters of a set replaced one for one.', translate),
    scalar('ascii', ['text'], 'int4', 'Code point of the first character, 0 for none.', (text: string) => text.codePointAt(0) ?? 0),
    scalar('chr', ['int4'], 'text', 'The character of a code point.', chr),
  ],
};
