/**
 * JSON that preserves numbers. A number that a double cannot hold or reproduce as text (`12345678901234567890`, `1.50`) is
 * parsed to an `ExactNumber`: in arithmetic it is the nearest double, as text it is unchanged. Everything else is plain JSON,
 * at the cost of one test of the text.
 *
 * `JSON.rawJSON` could do the writing, but the supported runtime does not have it yet.
 */

/** Cannot occur in a text of the database, which has no NUL, nor be guessed by the author of a `json` value. */
const MARK = `\0${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}:`;

let written = 0;
let writing = false;

export class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  valueOf(): number {
    return Number(this.text);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): number | string {
    if (!writing) return Number(this.text);
    written++;
    return MARK + this.text;
  }
}

/** Matches texts that may contain an inexact number; most do not. */
const MAYBE_INEXACT = /[0-9.]{16}|[0-9][eE]|\.[0-9]*0(?![0-9])|-0/;
/** The same for texts of callers, where times and hexadecimal ids are many: a number is followed by the end of a value. `-0` is 0. */
const MAYBE_INEXACT_INPUT = /[0-9.]{16}|(?:[0-9][eE][+-]?[0-9]+|\.[0-9]*0)\s*(?:[,}\]]|$)/;
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/g;

/** The text must be valid JSON. */
export function parseExactJson(text: string): unknown {
  return MAYBE_INEXACT.test(text) ? parseMarked(text, (token) => String(Number(token)) === token) : JSON.parse(text);
}

/**
 * What a caller sent, valid JSON, as it was written: an integer beyond 2^53 is exact as well, which a double that is equal to it could
 * also have been rounded to. null: every number is a plain one.
 */
export function exactInput(text: string): unknown {
  if (!MAYBE_INEXACT_INPUT.test(text)) return null;
  let isExact = false;
  const value = parseMarked(text, (token) => {
    const number = Number(token);
    const isPlain = String(number) === token && (!Number.isInteger(number) || Number.isSafeInteger(number));
    isExact ||= !isPlain;
    return isPlain;
  });
  return isExact ? value : null;
}

/** The same, of any valid JSON. */
export function parseInputJson(text: string): unknown {
  return exactInput(text) ?? JSON.parse(text);
}

function parseMarked(text: string, isPlain: (token: string) => boolean): unknown {
  let marked = false;
  const safe = text.replace(TOKEN, (token) => {
    if (token.charCodeAt(0) === 34 || isPlain(token)) return token;
    marked = true;
    return JSON.stringify(MARK + token);
  });
  if (!marked) return JSON.parse(text);
  return JSON.parse(safe, (_key, value: unknown) => (typeof value === 'string' && value.startsWith(MARK) ? new ExactNumber(value.slice(MARK.length)) : value));
}

/** The double of the same value; null if there is none, or if it could be one that an integer was rounded to. */
export function plainNumber({ text }: ExactNumber): number | null {
  const number = Number(text);
  if (!Number.isFinite(number)) return null;
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < 1e21) return null;
  return decimalText(text) === decimalText(String(number)) ? (number === 0 ? 0 : number) : null;
}

/** Digits before and behind the point, as of Postgres's numeric. */
const WHOLE_DIGITS_MAX = 131_072;
const FRACTION_DIGITS_MAX = 16_383;

/** A number without an exponent, with the digits that numeric shows: 1.50e1 is 15.0. null: it has more than numeric holds. */
export function positionalText(text: string): string | null {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text)!;
  const point = whole.length + Number(exponent);
  const digits = whole + fraction;
  if (point > WHOLE_DIGITS_MAX || digits.length - point > FRACTION_DIGITS_MAX) return null;
  const front =
    point <= 0
      ? '0'
      : digits
          .slice(0, point)
          .padEnd(point, '0')
          .replace(/^0+(?=[0-9])/, '');
  const behind = point <= 0 ? '0'.repeat(-point) + digits : digits.slice(point);
  return `${sign}${front}${behind === '' ? '' : `.${behind}`}`;
}

/** A decimal in a form that equal values share: its digits without zeros at either end, and the power of ten. */
export function decimalText(text: string): string {
  const [, sign, whole, fraction = '', exponent = '0'] = /^(-?)([0-9]+)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/.exec(text)!;
  const digits = (whole + fraction).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${sign}${bare}e${Number(exponent) - fraction.length + digits.length - bare.length}`;
}

const WRITTEN_MARK = new RegExp(`"${JSON.stringify(MARK).slice(1, -1).replaceAll('\\', '\\\\')}([^"]*)"`, 'g');

/** `JSON.stringify`, with exact numbers written out. */
export function exactJsonText(value: unknown): string {
  written = 0;
  writing = true;
  let text: string;
  try {
    text = JSON.stringify(value);
  } finally {
    writing = false;
  }
  return written === 0 ? text : text.replace(WRITTEN_MARK, '$1');
}
