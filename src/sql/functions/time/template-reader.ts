/** Parses a text by a template in parallel and collects the fields (`to_timestamp`, `to_date`). */
import { SvcError, type ErrorParts } from '../../../base/errors/svc-error.ts';
import type { Environment } from '../../types/environment.ts';
import type { Abbreviations } from '../../types/time/zone-abbreviations.ts';
import { findAbbreviation, sessionZone, type AbbreviationMeaning, type Zone } from '../../types/time/zones.ts';
import { DAY_NAMES, isSeparator, isSpace, MONTH_NAMES, ROMAN_MONTHS, templateOf, type Literal, type Pattern, type TemplateNode } from './template.ts';

/** Parsed fields; 0 is "not given", as in Postgres. */
export class Read {
  calendar: Pattern['calendar'] = null;
  hour = 0;
  minute = 0;
  second = 0;
  secondOfDay = 0;
  /** 1 is Sunday. */
  weekday = 0;
  day = 0;
  dayOfYear = 0;
  month = 0;
  milli = 0;
  year = 0;
  bc = 0;
  week = 0;
  weekOfMonth = 0;
  century = 0;
  julian = 0;
  micro = 0;
  yearDigits = 0;
  twelveHours = false;
  pm = 0;
  zoneSign = 0;
  zoneHour = 0;
  zoneMinute = 0;
  zone: AbbreviationMeaning | null = null;
  precision = 0;
}

type NumberField = {
  [K in keyof Read]: Read[K] extends number ? K : never;
}[keyof Read];

function failure(code: '22007' | '22008', message: string, parts: ErrorParts = {}): SvcError {
  return new SvcError(code, message, parts);
}

const MERIDIEMS = ['am', 'pm'];
const LONG_MERIDIEMS = ['a.m.', 'p.m.'];
const ERAS = ['ad', 'bc'];
const LONG_ERAS = ['a.d.', 'b.c.'];
const SHORT_MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));
const SHORT_DAYS = DAY_NAMES.map((name) => name.slice(0, 3));
/** Longer ones first if one is a prefix of another. */
const ROMAN = ROMAN_MONTHS.toReversed();

/** Years of one to three digits are the nearest to 2020. */
function nearest2020(year: number): number {
  if (year < 70) return year + 2000;
  if (year < 100) return year + 1900;
  if (year < 520) return year + 2000;
  return year < 1000 ? year + 1000 : year;
}

/** Walks over the template and the text in parallel. */
class Reader {
  readonly #text: string;
  readonly #nodes: readonly TemplateNode[];
  readonly #session: Zone;
  readonly #abbreviations: Abbreviations;
  readonly read = new Read();
  #at = 0;
  #index = 0;
  /** Characters of the text that were skipped beyond those in the template. */
  #skipped = 0;

  /** FX: the text must match the template exactly. */
  readonly #strict: boolean;

  constructor(text: string, template: string, { timeZone, abbreviations }: Environment, strict: boolean) {
    this.#text = text;
    this.#strict = strict;
    this.#nodes = templateOf(template);
    this.#session = sessionZone(timeZone);
    this.#abbreviations = abbreviations;
  }

  run(): Read {
    let fixed = this.#strict;
    const text = this.#text;
    for (; this.#index < this.#nodes.length && this.#at < text.length; this.#index++) {
      const node = this.#nodes[this.#index]!;
      if (!fixed && (node.kind === 'pattern' ? node.id !== 'FX' : this.#index === 0)) this.#skipSpaces();
      if (node.kind !== 'pattern') {
        this.#literal(node, fixed);
        continue;
      }
      if (node.calendar !== null) {
        if (this.read.calendar !== null && this.read.calendar !== node.calendar) {
          throw failure('22007', 'invalid combination of date conventions', {
            hint: 'Do not mix Gregorian and ISO week date conventions in a formatting template.',
          });
        }
        this.read.calendar = node.calendar;
      }
      if (node.id === 'FX') fixed = true;
      else this.#pattern(node);
      if (!fixed) {
        this.#skipped = 0;
        this.#skipSpaces();
      }
    }
    if (this.#strict) this.#checkEnd();
    return this.read;
  }

  #checkEnd(): void {
    if (this.#index < this.#nodes.length) throw failure('22007', 'input string is too short for datetime format');
    this.#skipSpaces();
    if (this.#at < this.#text.length) throw failure('22007', 'trailing characters remain in input string after datetime format');
  }

  #literal(node: Literal, fixed: boolean): void {
    if (this.#strict && !this.#text.startsWith(node.text, this.#at)) {
      throw failure('22007', `unmatched format ${node.kind === 'character' ? 'character' : 'separator'} "${node.text}"`);
    }
    if (fixed) this.#skipCharacter();
    else if (node.kind === 'character') {
      // The skipped characters may have included this one.
      if (this.#skipped > 0) this.#skipped--;
      else this.#skipCharacter();
    } else {
      this.#skipped--;
      const code = this.#at < this.#text.length ? this.#text.charCodeAt(this.#at) : 0;
      if (isSpace(code) || isSeparator(code)) {
        this.#at++;
        this.#skipped++;
      }
    }
  }

  #skipSpaces(): void {
    while (this.#at < this.#text.length && isSpace(this.#text.charCodeAt(this.#at))) {
      this.#at++;
      this.#skipped++;
    }
  }

  #skipCharacter(): void {
    if (this.#at < this.#text.length) this.#at += this.#text.codePointAt(this.#at)! > 0xffff ? 2 : 1;
  }

  #set(field: NumberField, value: number, pattern: Pattern): void {
    if (this.read[field] !== 0 && this.read[field] !== value) {
      throw failure('22007', `conflicting values for "${pattern.name}" field in formatting string`, {
        detail: 'This value contradicts a previous setting for the same field type.',
      });
    }
    this.read[field] = value;
  }

  /** Whether the next item of the template cannot continue the number. */
  #endsBeforeNext(pattern: Pattern): boolean {
    if (pattern.ordinal !== null) return true;
    const next = this.#nodes[this.#index + 1];
    if (next === undefined) return true;
    return next.kind === 'pattern' ? !next.digits : !/^\d$/.test(next.text);
  }

  /** Length of the number, including leading spaces. */
  #number(field: NumberField | null, pattern: Pattern, length = pattern.name.length): number {
    const start = this.#at;
    const text = this.#text;
    while (this.#at < text.length && isSpace(text.charCodeAt(this.#at))) this.#at++;
    const copy = text.slice(this.#at, this.#at + length);
    let value = 0;
    if (pattern.fillMode || this.#endsBeforeNext(pattern)) {
      const match = /^\s*([+-]?\d+)/.exec(text.slice(start));
      this.#at = match === null ? start : start + match[0].length;
      if (match !== null) value = Number(match[1]);
    } else {
      const hint = 'If your source string is not fixed-width, try using the "FM" modifier.';
      if (copy.length < length) {
        throw failure('22007', `source string too short for "${pattern.name}" formatting field`, {
          detail: `Field requires ${length} characters, but only ${copy.length} remain.`,
          hint,
        });
      }
      const match = /^\s*([+-]?\d+)/.exec(copy);
      const used = match === null ? 0 : match[0].length;
      if (used > 0 && used < length) {
        throw failure('22007', `invalid value "${copy}" for "${pattern.name}"`, {
          detail: `Field requires ${length} characters, but only ${used} could be parsed.`,
          hint,
        });
      }
      if (match !== null) value = Number(match[1]);
      this.#at += used;
    }
    if (this.#at === start) throw failure('22007', `invalid value "${copy}" for "${pattern.name}"`, { detail: 'Value must be an integer.' });
    if (!(value >= -2147483648 && value <= 2147483647)) {
      throw failure('22008', `value for "${pattern.name}" in source string is out of range`, {
        detail: 'Value must be in the range -2147483648 to 2147483647.',
      });
    }
    if (field !== null) this.#set(field, value + 0, pattern);
    return this.#at - start;
  }

  /** Index of the word at the current position. */
  #word(words: readonly string[], pattern: Pattern): number {
    const rest = this.#text.slice(this.#at, this.#at + 10).toLowerCase();
    const index = words.findIndex((word) => rest.startsWith(word.toLowerCase()));
    if (index < 0) {
      const shown = /^\S*/.exec(this.#text.slice(this.#at))![0];
      throw failure('22007', `invalid value "${shown}" for "${pattern.name}"`, {
        detail: 'The given value did not match any of the allowed values for this field.',
      });
    }
    this.#at += words[index]!.length;
    return index;
  }

  #skipOrdinal(pattern: Pattern): void {
    if (pattern.ordinal === null) return;
    this.#skipCharacter();
    this.#skipCharacter();
  }

  #pattern(pattern: Pattern): void {
    const read = this.read;
    switch (pattern.id.toUpperCase()) {
      case 'A.M.':
      case 'P.M.':
        this.#set('pm', this.#word(LONG_MERIDIEMS, pattern), pattern);
        read.twelveHours = true;
        return;
      case 'AM':
      case 'PM':
        this.#set('pm', this.#word(MERIDIEMS, pattern), pattern);
        read.twelveHours = true;
        return;
      case 'HH':
      case 'HH12':
        this.#number('hour', pattern, 2);
        read.twelveHours = true;
        break;
      case 'HH24':
        this.#number('hour', pattern, 2);
        break;
      case 'MI':
        this.#number('minute', pattern);
        break;
      case 'SS':
        this.#number('second', pattern);
        break;
      case 'MS': {
        const length = this.#number('milli', pattern, 3);
        read.milli *= length === 1 ? 100 : length === 2 ? 10 : 1;
        break;
      }
      case 'FF1':
      case 'FF2':
      case 'FF3':
      case 'FF4':
      case 'FF5':
      case 'FF6':
      case 'US': {
        let digits = 6;
        if (pattern.id !== 'US') {
          digits = Number(pattern.id[2]);
          read.precision = digits;
        }
        const length = this.#number('micro', pattern, digits);
        if (length < 6) read.micro *= 10 ** (6 - length);
        break;
      }
      case 'SSSS':
      case 'SSSSS':
        this.#number('secondOfDay', pattern);
        break;
      case 'TZ': {
        if (this.#abbreviation()) return;
        if (/[a-z]/i.test(this.#text[this.#at] ?? '')) {
          throw failure('22007', `invalid value "${this.#text.slice(this.#at)}" for "${pattern.name}"`, {
            detail: 'Time zone abbreviation is not recognized.',
          });
        }
        this.#offset(pattern, true);
        return;
      }
      case 'OF':
        this.#offset(pattern, true);
        return;
      case 'TZH':
        this.#offset(pattern, false);
        return;
      case 'TZM':
        if (read.zoneSign === 0) read.zoneSign = 1;
        this.#number('zoneMinute', pattern, 2);
        return;
      case 'A.D.':
      case 'B.C.':
        this.#set('bc', this.#word(LONG_ERAS, pattern), pattern);
        return;
      case 'AD':
      case 'BC':
        this.#set('bc', this.#word(ERAS, pattern), pattern);
        return;
      case 'MONTH':
        this.#set('month', this.#word(MONTH_NAMES, pattern) + 1, pattern);
        return;
      case 'MON':
        this.#set('month', this.#word(SHORT_MONTHS, pattern) + 1, pattern);
        return;
      case 'RM':
        this.#set('month', 12 - this.#word(ROMAN, pattern), pattern);
        return;
      case 'MM':
        this.#number('month', pattern);
        break;
      case 'DAY':
        this.#set('weekday', this.#word(DAY_NAMES, pattern), pattern);
        read.weekday++;
        return;
      case 'DY':
        this.#set('weekday', this.#word(SHORT_DAYS, pattern), pattern);
        read.weekday++;
        return;
      case 'DDD':
        this.#number('dayOfYear', pattern);
        break;
      case 'IDDD':
        this.#number('dayOfYear', pattern, 3);
        break;
      case 'DD':
        this.#number('day', pattern);
        break;
      case 'D':
        this.#number('weekday', pattern);
        break;
      case 'ID':
        this.#number('weekday', pattern, 1);
        if (++read.weekday > 7) read.weekday = 1;
        break;
      case 'WW':
      case 'IW':
        this.#number('week', pattern);
        break;
      case 'Q':
        // The quarter does not determine a day: it is parsed and ignored.
        this.#number(null, pattern);
        break;
      case 'CC':
        this.#number('century', pattern);
        break;
      case 'Y,YYY': {
        const match = /^\s*([+-]?\d+),\s*([+-]\d{1,2}|\d{1,3})/.exec(this.#text.slice(this.#at));
        if (match === null) throw failure('22007', 'invalid value "' + this.#text.slice(this.#at) + '" for "Y,YYY"');
        const year = Number(match[1]) * 1000 + Number(match[2]);
        if (!(year >= -2147483648 && year <= 2147483647)) throw failure('22008', 'value for "Y,YYY" in source string is out of range');
        this.#set('year', year, pattern);
        read.yearDigits = 4;
        this.#at += match[0].length;
        break;
      }
      case 'YYYY':
      case 'IYYY':
        this.#number('year', pattern);
        read.yearDigits = 4;
        break;
      case 'YYY':
      case 'IYY':
      case 'YY':
      case 'IY':
      case 'Y':
      case 'I':
        if (this.#number('year', pattern) < 4) read.year = nearest2020(read.year);
        read.yearDigits = pattern.name.length;
        break;
      case 'W':
        this.#number('weekOfMonth', pattern);
        break;
      case 'J':
        this.#number('julian', pattern);
        break;
      default:
        return;
    }
    this.#skipOrdinal(pattern);
  }

  #abbreviation(): boolean {
    const letters = /^[a-z]{0,10}/.exec(this.#text.slice(this.#at, this.#at + 10).toLowerCase())![0];
    for (let length = letters.length; length > 0; length--) {
      const meaning = findAbbreviation(letters.slice(0, length), this.#session, this.#abbreviations);
      if (meaning === null) continue;
      this.read.zone = meaning;
      this.read.zoneSign = 0;
      this.#at += length;
      return true;
    }
    return false;
  }

  #offset(pattern: Pattern, minutes: boolean): void {
    const sign = this.#text[this.#at];
    if (sign === '+' || sign === '-' || sign === ' ') {
      this.read.zoneSign = sign === '-' ? -1 : 1;
      this.#at++;
    } else {
      // A minus may have been consumed as a separator.
      this.read.zoneSign = this.#skipped > 0 && this.#text[this.#at - 1] === '-' ? -1 : 1;
    }
    this.#number('zoneHour', pattern, 2);
    if (minutes && this.#text[this.#at] === ':') {
      this.#at++;
      this.#number('zoneMinute', pattern, 2);
    }
  }
}

/** `strict`: separators, spaces and characters must be those of the template, and neither may have a rest. */
export function readByTemplate(text: string, template: string, env: Environment, strict = false): Read {
  return new Reader(text, template, env, strict).run();
}
