/** to_char for numbers. Decimal point and separators are those of the locale C. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { formatExponential, formatFixed } from '../../types/float-text.ts';
import { Numeric, isInfinite as isInfiniteNumeric, isSpecial, leadingExponent, mul, power10, round, scaleUp, withScale } from '../../types/numeric.ts';
import { formatNumeric } from '../../types/numeric-text.ts';
import type { Whole } from '../../types/value.ts';
import { INT8_MAX, INT8_MIN } from '../../types/whole.ts';
import type { FunctionModule, ScalarFunction } from '../define.ts';
import { isInfinite } from './float-arithmetic.ts';
import { roundHalfEven } from './number-casts.ts';
import { ROMAN_LENGTH, numberTemplate, toRoman, type Template } from './number-template.ts';

/** The number as digits with a point, and its magnitude. */
interface Digits {
  readonly sign: '+' | '-';
  readonly number: string;
  readonly pre: number;
  readonly post: number;
}

/** Formats digits by a template. Positions count the digits and the point of the template. */
class Layout {
  readonly #template: Template;
  readonly #sign: string;
  readonly #number: string;
  readonly #post: number;
  readonly #spaces: number;
  readonly #count: number;
  readonly #signAfter: boolean;
  readonly #bracket: boolean;
  readonly #zeroStart: number;
  /** Index of the last significant digit under FM, or -1. */
  readonly #last: number;
  #signWritten: boolean;
  #at = 0;
  #position = 0;
  #inNumber = false;
  #ended = false;
  #output = '';

  constructor(template: Template, digits: Digits) {
    this.#template = template;
    this.#sign = digits.sign;
    this.#post = digits.post;
    const point = digits.number.indexOf('.');
    const length = point < 0 ? digits.number.length : point;
    const overflows = length > digits.pre;
    this.#number = overflows ? `${'#'.repeat(digits.pre)}.${'#'.repeat(digits.post)}` : digits.number;
    this.#spaces = overflows ? 0 : digits.pre - length;
    this.#zeroStart = template.zeroStart > 0 ? template.zeroStart - 1 : 0;
    this.#bracket = template.bracket && !(digits.sign === '+' && template.fill && !template.plus && !template.minus);
    if (template.plus || template.minus) this.#signWritten = template.minus;
    else this.#signWritten = digits.sign === '+' && template.fill && !template.sign;
    this.#signAfter = template.sign && (!template.signBefore || (!template.plus && !template.minus && digits.pre === template.digitsBeforeSign));
    this.#last = template.fill && template.decimal ? this.#lastRelevant() : -1;
    this.#count = digits.post + digits.pre - 1 + (!this.#signWritten && this.#spaces === 0 ? 1 : 0);
  }

  #lastRelevant(): number {
    const number = this.#number;
    const point = number.indexOf('.');
    if (point < 0) return -1;
    let last = point;
    for (let i = point + 1; i < number.length; i++) if (number[i] !== '0') last = i;
    const { zeroEnd } = this.#template;
    if (zeroEnd > this.#spaces) last = Math.max(last, Math.min(number.length - 1, zeroEnd - this.#spaces));
    return last;
  }

  run(): string {
    const { fill } = this.#template;
    for (const token of this.#template.tokens) {
      switch (token.key) {
        case '9':
        case '0':
        case '.':
        case 'D':
          this.#digit(token.key);
          if (this.#ended) return this.#output;
          break;
        case ',':
        case 'G':
          if (this.#inNumber) this.#output += ',';
          else if (!fill) this.#output += ' ';
          break;
        case 'L':
          this.#output += ' ';
          break;
        case 'th':
        case 'TH':
          this.#ordinal(token.key);
          break;
        case 'MI':
          if (this.#sign === '-') this.#output += '-';
          else if (!fill) this.#output += ' ';
          break;
        case 'PL':
          if (this.#sign === '+') this.#output += '+';
          else if (!fill) this.#output += ' ';
          break;
        case 'SG':
          this.#output += this.#sign;
          break;
        case 'literal':
          this.#output += token.text;
          break;
      }
    }
    return this.#output;
  }

  #ordinal(key: 'th' | 'TH'): void {
    if (this.#number.startsWith('#') || this.#sign === '-' || this.#template.decimal) return;
    if (!/[0-9]$/.test(this.#number)) throw new SvcError('22P02', `"${this.#number}" is not a number`);
    const teen = this.#number.at(-2) === '1';
    const ending = teen ? 'th' : (({ 1: 'st', 2: 'nd', 3: 'rd' } as Record<string, string>)[this.#number.at(-1) as string] ?? 'th');
    this.#output += key === 'th' ? ending : ending.toUpperCase();
  }

  /** The zero before the point of a number below one, which 9 leaves blank. */
  #leadingZero(): boolean {
    return !this.#template.zero && this.#at === 0 && this.#number.startsWith('0') && this.#post !== 0;
  }

  #writeSign(): void {
    const { sign, fill, zero } = this.#template;
    if (this.#signWritten) return;
    if (this.#position < this.#spaces && !(zero && this.#zeroStart === this.#position)) return;
    if (this.#leadingZero() && !(this.#last >= 0 && this.#number[this.#last] === '.')) return;
    if (sign) {
      if (this.#signAfter) return;
      this.#output += this.#sign;
    } else if (this.#bracket) this.#output += this.#sign === '+' ? ' ' : '<';
    else if (this.#sign === '-') this.#output += '-';
    else if (!fill) this.#output += ' ';
    this.#signWritten = true;
  }

  #digit(key: string): void {
    const { zero, fill, decimal, sign } = this.#template;
    const number = this.#number;
    this.#inNumber = false;
    this.#writeSign();
    if (this.#position < this.#spaces && (this.#zeroStart > this.#position || !zero)) {
      if (!fill) this.#output += ' ';
    } else if (this.#position < this.#spaces) {
      this.#output += '0';
      this.#inNumber = true;
    } else {
      const character = number[this.#at] ?? '';
      if (character === '.') {
        this.#output += '.';
      } else if (this.#last >= 0 && this.#at > this.#last && key !== '0') {
        // FM drops insignificant digits.
      } else if (this.#leadingZero()) {
        if (!fill) this.#output += ' ';
        else if (this.#last >= 0 && number[this.#last] === '.') this.#output += '0';
      } else if (character === '') {
        // Postgres writes a NUL here, which ends the output.
        this.#ended = true;
        return;
      } else {
        this.#output += character;
        this.#inNumber = true;
      }
      if (character !== '') this.#at++;
    }
    let end = this.#count + (this.#spaces > 0 ? 1 : 0) + (decimal ? 1 : 0);
    if (this.#last >= 0 && this.#last === this.#at) end = this.#position;
    if (this.#position + 1 === end) {
      if (this.#signWritten && this.#bracket) this.#output += this.#sign === '+' ? ' ' : '>';
      else if (sign && this.#signAfter) this.#output += this.#sign;
    }
    this.#position++;
  }
}

function digitsOf(text: string, pre: number, post: number): Digits {
  return text.startsWith('-') ? { sign: '-', number: text.slice(1), pre, post } : { sign: '+', number: text, pre, post };
}

function roman(template: Template, value: number): string {
  const text = toRoman(value);
  let result = '';
  for (const token of template.tokens) {
    if (token.key === 'RN' || token.key === 'rn') {
      const cased = token.key === 'RN' ? text : text.toLowerCase();
      result += template.fill ? cased : cased.padStart(ROMAN_LENGTH);
    } else if (token.key === 'literal') result += token.text;
    else if (token.key === 'L') result += ' ';
    else if ((token.key === ',' || token.key === 'G') && !template.fill) result += ' ';
  }
  return result;
}

/** The output for NaN and infinities under EEEE. */
function hashes(template: Template): string {
  return ` ${'#'.repeat(template.pre)}.${'#'.repeat(template.post + 4)}`;
}

/** A blank in place of the sign. */
function signed(text: string): string {
  return text.startsWith('-') ? text : ` ${text}`;
}

/** The mantissa rounded once; it may round up to 10. */
function scientific(value: Numeric, places: number): string {
  const exponent = leadingExponent(value);
  const scale = value.scale + exponent;
  const mantissa = scale >= 0 ? new Numeric(value.coefficient, scale) : new Numeric(scaleUp(value.coefficient, -scale), 0);
  const size = Math.abs(exponent);
  const text = `${formatNumeric(withScale(mantissa, places))}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`;
  return signed(text);
}

function numericToChar(value: Numeric, format: string): string {
  if (format === '') return '';
  const template = numberTemplate(format);
  if (template.roman) {
    const whole = isSpecial(value) ? value.coefficient : round(value, 0).coefficient;
    return roman(template, Number(whole));
  }
  if (template.scientific) return isSpecial(value) ? hashes(template) : scientific(value, template.post);
  const shifted = template.shift && !isSpecial(value) ? mul(value, new Numeric(power10(template.multi), 0)) : value;
  const text = isSpecial(shifted) ? (isInfiniteNumeric(shifted) ? String(shifted.coefficient) : 'NaN') : formatNumeric(round(shifted, template.post));
  return new Layout(template, digitsOf(text, template.pre + template.multi, template.post)).run();
}

function int4ToChar(value: number, format: string): string {
  if (format === '') return '';
  const template = numberTemplate(format);
  if (template.scientific) return signed(formatExponential(value, template.post));
  if (!template.shift || template.roman) return numericToChar(new Numeric(value, 0), format);
  // Postgres lets this product overflow.
  const product = Math.imul(value, Number(BigInt.asIntN(32, 10n ** BigInt(template.multi))));
  const text = template.post > 0 ? `${product}.${'0'.repeat(template.post)}` : String(product);
  return new Layout(template, digitsOf(text, template.pre + template.multi, template.post)).run();
}

function int8ToChar(value: Whole, format: string): string {
  const { multi } = numberTemplate(format);
  if (multi > 0) {
    const product = BigInt(value) * 10n ** BigInt(multi);
    if (product > INT8_MAX || product < INT8_MIN) throw new SvcError('22003', 'bigint out of range');
  }
  return numericToChar(new Numeric(value, 0), format);
}

/** `precision`: significant decimal digits of the type; further digits are not shown. */
function floatToChar(precision: number, narrow: (value: number) => number): (value: number, format: string) => string {
  return (value, format) => {
    if (format === '') return '';
    const template = numberTemplate(format);
    const odd = value !== value || isInfinite(value);
    if (template.roman) return roman(template, roundHalfEven(value));
    if (template.scientific) {
      if (odd) return hashes(template);
      return signed(formatExponential(value, template.post));
    }
    const shifted = template.shift ? narrow(value * 10 ** template.multi) : value;
    const pre = template.pre + template.multi;
    const lengthBefore = odd ? String(Math.abs(value)).length : formatFixed(Math.abs(shifted), 0).length;
    const post = lengthBefore >= precision ? 0 : Math.min(template.post, precision - lengthBefore);
    const text = isInfinite(shifted) || odd ? String(shifted) : formatFixed(shifted, post);
    return new Layout(template, digitsOf(text, pre, post)).run();
  };
}

function toChar(type: string, impl: ScalarFunction['impl']): ScalarFunction {
  return { kind: 'scalar', name: 'to_char', args: [type, 'text'], returns: 'text', volatility: 'stable', doc: 'The number as text by a template.', impl };
}

export const numberToChar: FunctionModule = {
  functions: [
    toChar('int4', int4ToChar),
    toChar('int8', int8ToChar),
    toChar('numeric', numericToChar),
    toChar('float4', floatToChar(6, Math.fround)),
    toChar(
      'float8',
      floatToChar(15, (value) => value),
    ),
  ],
};
