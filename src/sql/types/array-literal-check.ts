/**
 * Errors in the braces, quotes and delimiters of an array literal, with Postgres 15's messages. It checks the whole literal before
 * any element is parsed, so it runs once parsing has failed, and for nested braces without elements, which parsing would accept.
 */
import { SvcError } from '../../base/errors/svc-error.ts';

const ARRAY_DIMENSIONS_MAX = 6;

type Place = 'noLevel' | 'levelStarted' | 'elementStarted' | 'quotedStarted' | 'quotedCompleted' | 'elementDelimited' | 'levelCompleted' | 'levelDelimited';

/** `from`: the start of the braces; `given`: explicit lengths before the literal. Returns if the structure is valid. */
export function checkArrayLiteral(text: string, from: number, delimiter: number, given: readonly number[]): void {
  // Errors show the literal from the braces on.
  const malformed = (detail: string, literal = text.slice(from)): SvcError => new SvcError('22P02', `malformed array literal: "${literal}"`, { detail });
  const unexpected = (char: string): SvcError => malformed(`Unexpected "${char}" character.`);
  const found: number[] = [];
  const counts = new Array<number>(ARRAY_DIMENSIONS_MAX).fill(1);
  const before = new Array<number | undefined>(ARRAY_DIMENSIONS_MAX).fill(undefined);
  let place: Place = 'noLevel';
  let quoted = false;
  let level = 0;
  let empty = true;
  let at = from;
  for (let open = true; open; at++) {
    if (place === 'elementStarted' || place === 'quotedStarted') empty = false;
    const c = text.charCodeAt(at);
    if (Number.isNaN(c)) throw malformed('Unexpected end of input.');
    if (c === 92) {
      if (place !== 'levelStarted' && place !== 'elementStarted' && place !== 'quotedStarted' && place !== 'elementDelimited') throw unexpected('\\');
      if (place !== 'quotedStarted') place = 'elementStarted';
      at++;
      if (at >= text.length) throw malformed('Unexpected end of input.');
    } else if (c === 34) {
      if (place !== 'levelStarted' && place !== 'quotedStarted' && place !== 'elementDelimited') throw malformed('Unexpected array element.');
      quoted = !quoted;
      place = quoted ? 'quotedStarted' : 'quotedCompleted';
    } else if (quoted) {
      continue;
    } else if (c === 123) {
      if (place !== 'noLevel' && place !== 'levelStarted' && place !== 'levelDelimited') throw unexpected('{');
      place = 'levelStarted';
      if (level >= ARRAY_DIMENSIONS_MAX) throw tooManyDimensions(level + 1);
      found[level] = 0;
      level++;
    } else if (c === 125) {
      const closes = place === 'elementStarted' || place === 'quotedCompleted' || place === 'levelCompleted' || (level === 1 && place === 'levelStarted');
      if (!closes) throw unexpected('}');
      place = 'levelCompleted';
      level--;
      if (before[level] !== undefined && counts[level] !== before[level])
        throw malformed('Multidimensional arrays must have sub-arrays with matching dimensions.');
      before[level] = counts[level];
      found[level] = counts[level];
      counts[level] = 1;
      open = level > 0;
    } else if (c === delimiter) {
      if (place !== 'elementStarted' && place !== 'quotedCompleted' && place !== 'levelCompleted') throw unexpected(String.fromCharCode(delimiter));
      place = place === 'levelCompleted' ? 'levelDelimited' : 'elementDelimited';
      counts[level - 1]++;
    } else if (!(c === 32 || (c >= 9 && c <= 13))) {
      if (place !== 'levelStarted' && place !== 'elementStarted' && place !== 'elementDelimited') throw malformed('Unexpected array element.');
      place = 'elementStarted';
    }
  }
  if (/[^ \t\n\v\f\r]/.test(text.slice(at))) throw malformed('Junk after closing right brace.');
  if (given.length > 0 && (found.length !== given.length || (!empty && found.some((length, i) => length !== given[i])))) {
    throw malformed('Specified array dimensions do not match array contents.', text);
  }
}

export function tooManyDimensions(dimensions: number): SvcError {
  return new SvcError('54000', `number of array dimensions (${dimensions}) exceeds the maximum allowed (${ARRAY_DIMENSIONS_MAX})`);
}
