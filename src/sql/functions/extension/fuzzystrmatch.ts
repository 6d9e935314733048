/** Functions of the extension fuzzystrmatch: edit distances and soundex. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import type { FunctionModule } from '../define.ts';
import { scalarsOf } from './declare.ts';

const LENGTH_MAX = 255;
const SOUNDEX_LENGTH = 4;
/** Of the letters from A to Z. */
const SOUNDEX_CODES = '01230120022455012623010202';

function levenshtein(source: string, target: string, insert = 1, remove = 1, replace = 1): number {
  const a = [...source];
  const b = [...target];
  if (a.length > LENGTH_MAX || b.length > LENGTH_MAX) throw new SvcError('22023', `levenshtein argument exceeds maximum length of ${LENGTH_MAX} characters`);
  let row = b.map((_, j) => (j + 1) * insert);
  row.unshift(0);
  for (let i = 1; i <= a.length; i++) {
    const next = [i * remove];
    for (let j = 1; j <= b.length; j++) {
      const kept = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : replace);
      next.push(Math.min(kept, row[j] + remove, next[j - 1] + insert));
    }
    row = next;
  }
  return row[b.length];
}

/** The distance up to a bound, and the bound plus one for anything greater. */
function bounded(source: string, target: string, most: number): number {
  const distance = levenshtein(source, target);
  // As in the extension, an empty text is not bounded.
  if (source === '' || target === '') return distance;
  return most >= 0 && distance > most ? most + 1 : distance;
}

function boundedCosts(source: string, target: string, insert: number, remove: number, replace: number, most: number): number {
  const distance = levenshtein(source, target, insert, remove, replace);
  if (source === '' || target === '') return distance;
  return most >= 0 && distance > most ? most + 1 : distance;
}

function isLetter(character: string): boolean {
  return /[a-z]/i.test(character);
}

function codeOf(character: string): string {
  return isLetter(character) ? SOUNDEX_CODES[character.toUpperCase().charCodeAt(0) - 65] : character;
}

function soundex(text: string): string {
  const start = text.search(/[a-z]/i);
  if (start < 0) return '';
  let out = text[start].toUpperCase();
  for (let i = start + 1; i < text.length && out.length < SOUNDEX_LENGTH; i++) {
    if (!isLetter(text[i]) || codeOf(text[i]) === codeOf(text[i - 1])) continue;
    const code = codeOf(text[i]);
    if (code !== '0') out += code;
  }
  return out.padEnd(SOUNDEX_LENGTH, '0');
}

function difference(a: string, b: string): number {
  const [x, y] = [soundex(a), soundex(b)];
  let alike = 0;
  for (let i = 0; i < SOUNDEX_LENGTH; i++) if (x[i] === y[i]) alike++;
  return alike;
}

const scalar = scalarsOf('fuzzystrmatch');

export const FUZZYSTRMATCH: FunctionModule = {
  functions: [
    scalar('levenshtein', ['text', 'text'], 'int4', 'Edits that make one text of another', (a: string, b: string) => levenshtein(a, b)),
    scalar('levenshtein', ['text', 'text', 'int4', 'int4', 'int4'], 'int4', 'Cost of the edits: of an insertion, a deletion and a substitution', levenshtein),
    scalar('levenshtein_less_equal', ['text', 'text', 'int4'], 'int4', 'Edit distance of two texts, up to a maximum', bounded),
    scalar('levenshtein_less_equal', ['text', 'text', 'int4', 'int4', 'int4', 'int4'], 'int4', 'Cost of the edits, up to a maximum', boundedCosts),
    scalar('soundex', ['text'], 'text', 'How a name sounds in English: a letter and three digits', soundex),
    scalar('difference', ['text', 'text'], 'int4', 'How many of the four places of two names’ soundex are alike', difference),
  ],
};
