/** Splits the text of a date, time or interval into fields, and contains the words in them (manual, appendix B). */
import { BAD_FORMAT } from './input-failure.ts';

export type FieldKind = 'number' | 'word' | 'date' | 'time' | 'zone' | 'special';

export interface Field {
  readonly text: string;
  kind: FieldKind;
}

const FIELDS_MAX = 25;
/** Total bytes of all fields of a date or time, including a terminator each. */
export const DATETIME_SIZE_MAX = 153;
export const INTERVAL_SIZE_MAX = 256;

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

export function isAlpha(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

const DASH = 45;
const DOT = 46;
const SLASH = 47;
const COLON = 58;
const PLUS = 43;
const UNDERSCORE = 95;

/** Fields in lower case. */
export function splitFields(text: string, sizeMax: number): Field[] {
  const fields: Field[] = [];
  const at = (i: number): number => (i < text.length ? text.charCodeAt(i) : 0);
  let size = 0;
  let i = 0;
  while (i < text.length) {
    const start = i;
    const first = at(i);
    let kind: FieldKind;
    let from = start;
    let sign = '';
    if (isSpace(first)) {
      i++;
      continue;
    } else if (isDigit(first)) {
      while (isDigit(at(i))) i++;
      const mark = at(i);
      if (mark === COLON) {
        kind = 'time';
        while (isDigit(at(i)) || at(i) === COLON || at(i) === DOT) i++;
      } else if (mark === DASH || mark === SLASH || mark === DOT) {
        i++;
        if (isDigit(at(i))) {
          kind = mark === DOT ? 'number' : 'date';
          while (isDigit(at(i))) i++;
          // A second, equal mark makes it a date.
          if (at(i) === mark) {
            kind = 'date';
            while (isDigit(at(i)) || at(i) === mark) i++;
          }
        } else {
          kind = 'date';
          while (isDigit(at(i)) || isAlpha(at(i)) || at(i) === mark) i++;
        }
      } else kind = 'number';
    } else if (first === DOT) {
      kind = 'number';
      i++;
      while (isDigit(at(i))) i++;
    } else if (isAlpha(first)) {
      kind = 'word';
      while (isAlpha(at(i))) i++;
      const mark = at(i);
      // A date with a month's name in it, or the name of a zone.
      let compound = mark === DASH || mark === SLASH || mark === DOT;
      if (mark === PLUS || isDigit(mark)) compound = !DATETIME_WORDS.has(text.slice(start, i).toLowerCase().slice(0, 10));
      if (compound) {
        kind = 'date';
        for (;;) {
          const c = at(i);
          if (!(isAlpha(c) || isDigit(c) || c === PLUS || c === DASH || c === SLASH || c === UNDERSCORE || c === DOT || c === COLON)) break;
          i++;
        }
      }
    } else if (first === PLUS || first === DASH) {
      sign = text[i]!;
      i++;
      while (isSpace(at(i))) i++;
      from = i;
      if (isDigit(at(i))) {
        kind = 'zone';
        while (isDigit(at(i)) || at(i) === COLON || at(i) === DOT || at(i) === DASH) i++;
      } else if (isAlpha(at(i))) {
        kind = 'special';
        while (isAlpha(at(i))) i++;
      } else throw BAD_FORMAT;
    } else if (first > 32 && first < 127) {
      // Other punctuation separates.
      i++;
      continue;
    } else throw BAD_FORMAT;

    const field = sign + text.slice(from, i).toLowerCase();
    size += field.length + 1;
    if (fields.length >= FIELDS_MAX || size > sizeMax) throw BAD_FORMAT;
    fields.push({ text: field, kind });
  }
  return fields;
}

export type Unit =
  | 'microsecond'
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year'
  | 'decade'
  | 'century'
  | 'millennium'
  | 'julian'
  | 'dow'
  | 'isodow'
  | 'doy'
  | 'isoyear'
  | 'epoch'
  | 'timezone'
  | 'timezone_hour'
  | 'timezone_minute';

export type Special = 'now' | 'today' | 'yesterday' | 'tomorrow' | 'epoch' | 'infinity' | '-infinity' | 'allballs';

export type Word =
  | { readonly kind: 'month' | 'weekday'; readonly value: number }
  | { readonly kind: 'special'; readonly value: Special }
  | { readonly kind: 'meridiem'; readonly value: 'am' | 'pm' }
  | { readonly kind: 'era'; readonly value: 'ad' | 'bc' }
  | { readonly kind: 'unit'; readonly value: Unit }
  | { readonly kind: 'time' }
  | { readonly kind: 'ignore' | 'dst' | 'ago' };

/** Words are compared by their first ten characters. */
function words(entries: readonly (readonly [string, Word])[]): ReadonlyMap<string, Word> {
  return new Map(entries.flatMap(([names, word]) => names.split(' ').map((name): [string, Word] => [name.slice(0, 10), word])));
}

const month = (value: number): Word => ({ kind: 'month', value });
const weekday = (value: number): Word => ({ kind: 'weekday', value });
const special = (value: Special): Word => ({ kind: 'special', value });
const unit = (value: Unit): Word => ({ kind: 'unit', value });

export const DATETIME_WORDS = words([
  ['jan january', month(1)],
  ['feb february', month(2)],
  ['mar march', month(3)],
  ['apr april', month(4)],
  ['may', month(5)],
  ['jun june', month(6)],
  ['jul july', month(7)],
  ['aug august', month(8)],
  ['sep sept september', month(9)],
  ['oct october', month(10)],
  ['nov november', month(11)],
  ['dec december', month(12)],
  ['sun sunday', weekday(0)],
  ['mon monday', weekday(1)],
  ['tue tues tuesday', weekday(2)],
  ['wed weds wednesday', weekday(3)],
  ['thu thur thurs thursday', weekday(4)],
  ['fri friday', weekday(5)],
  ['sat saturday', weekday(6)],
  ['now', special('now')],
  ['today', special('today')],
  ['yesterday', special('yesterday')],
  ['tomorrow', special('tomorrow')],
  ['epoch', special('epoch')],
  ['infinity +infinity', special('infinity')],
  ['-infinity', special('-infinity')],
  ['allballs', special('allballs')],
  ['am', { kind: 'meridiem', value: 'am' }],
  ['pm', { kind: 'meridiem', value: 'pm' }],
  ['ad', { kind: 'era', value: 'ad' }],
  ['bc', { kind: 'era', value: 'bc' }],
  ['at on', { kind: 'ignore' }],
  ['dst', { kind: 'dst' }],
  ['t', { kind: 'time' }],
  ['j jd julian', unit('julian')],
  ['d', unit('day')],
  ['dow', unit('dow')],
  ['doy', unit('doy')],
  ['h', unit('hour')],
  ['isodow', unit('isodow')],
  ['isoyear', unit('isoyear')],
  ['m', unit('month')],
  ['mm', unit('minute')],
  ['s', unit('second')],
  ['y', unit('year')],
]);

export const INTERVAL_WORDS = words([
  ['@', { kind: 'ignore' }],
  ['ago', { kind: 'ago' }],
  ['us usec usecs usecond useconds microsecond microseconds', unit('microsecond')],
  ['ms msec msecs msecond mseconds millisecond milliseconds', unit('millisecond')],
  ['s sec secs second seconds', unit('second')],
  ['m min mins minute minutes', unit('minute')],
  ['h hr hrs hour hours', unit('hour')],
  ['d day days', unit('day')],
  ['w week weeks', unit('week')],
  ['mon mons month months', unit('month')],
  ['qtr quarter', unit('quarter')],
  ['y yr yrs year years', unit('year')],
  ['dec decs decade decades', unit('decade')],
  ['c cent century centuries', unit('century')],
  ['mil mils millennium millennia', unit('millennium')],
  ['timezone', unit('timezone')],
  ['timezone_h', unit('timezone_hour')],
  ['timezone_m', unit('timezone_minute')],
]);

export function datetimeWord(text: string): Word | undefined {
  return DATETIME_WORDS.get(text.slice(0, 10));
}

export function intervalWord(text: string): Word | undefined {
  return INTERVAL_WORDS.get(text.slice(0, 10));
}
