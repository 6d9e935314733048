/** to_number: reads the bytes of a text by a template, leniently where Postgres is. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { Numeric, mul, type Numeric as NumericValue } from '../../types/numeric.ts';
import { utf8Bytes } from '../../types/bytes-text.ts';
import { power } from '../../types/numeric-analysis.ts';
import { coerceNumeric, parseNumeric } from '../../types/numeric-text.ts';
import type { FunctionModule } from '../define.ts';
import { ROMAN_LENGTH, numberTemplate, toRoman, type Template } from './number-template.ts';

const TEN = new Numeric(10, 0);
const LETTERS: Record<string, number> = { I: 1, V: 5, X: 10, L: 50, C: 100, D: 500, M: 1000 };

class Reader {
  readonly #template: Template;
  readonly #input: string;
  #at = 0;
  #sign = ' ';
  #number = '';
  #pre = 0;
  #post = 0;
  #point = false;
  #roman: number | undefined;

  constructor(template: Template, input: string) {
    this.#template = template;
    this.#input = utf8Bytes(input);
  }

  read(): NumericValue {
    for (const token of this.#template.tokens) {
      if (this.#ended()) break;
      this.#token(token.key);
    }
    const { multi } = this.#template;
    if (this.#roman !== undefined) return new Numeric(this.#roman, 0);
    const text = (this.#sign === ' ' ? '' : this.#sign) + (this.#number.endsWith('.') ? this.#number.slice(0, -1) : this.#number);
    const shown = ` ${text}`;
    if (!/[0-9]/.test(text)) throw new SvcError('22P02', `invalid input syntax for type numeric: "${this.#sign === ' ' ? shown : text}"`);
    const precision = this.#template.pre + multi + this.#post;
    const value = coerceNumeric(parseNumeric(text), ((precision << 16) | this.#post) + 4);
    return this.#template.shift ? mul(value, power(TEN, new Numeric(-multi, 0))) : value;
  }

  #ended(): boolean {
    return this.#at >= this.#input.length;
  }

  #skip(count: number): void {
    for (let i = 0; i < count && !this.#ended(); i++) {
      if ('0123456789.,+-'.includes(this.#input[this.#at] as string)) return;
      this.#at += this.#width();
    }
  }

  /** Bytes of the character at the position. */
  #width(): number {
    const lead = this.#input.charCodeAt(this.#at);
    return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  }

  #token(key: string): void {
    const next = this.#input[this.#at] as string;
    switch (key) {
      case '9':
      case '0':
      case '.':
      case 'D':
        this.#digit(key);
        this.#at++;
        break;
      case ',':
      case 'G':
        // Under FM Postgres leaves separators to the digits.
        if (!this.#template.fill && next === ',') this.#at++;
        break;
      case 'L':
        this.#skip(1);
        break;
      case 'th':
      case 'TH':
        if (!this.#template.decimal && this.#sign !== '-') this.#skip(2);
        break;
      case 'RN':
      case 'rn':
        this.#readRoman();
        break;
      case 'MI':
        if (next === '-') this.#take();
        else this.#skip(1);
        break;
      case 'PL':
        if (next === '+') this.#take();
        else this.#skip(1);
        break;
      case 'SG':
        if (next === '-' || next === '+') this.#take();
        else this.#skip(1);
        break;
      case 'literal':
        this.#at += this.#width();
        break;
    }
  }

  #take(): void {
    this.#sign = this.#input[this.#at] as string;
    this.#at++;
  }

  #digit(key: string): void {
    const { sign, signBefore, bracket, decimal, post, plus, minus } = this.#template;
    const input = this.#input;
    if (input[this.#at] === ' ') this.#at++;
    if (this.#ended()) return;
    if (this.#sign === ' ' && (key === '0' || key === '9') && this.#pre + this.#post === 0) {
      const next = input[this.#at] as string;
      if (sign && signBefore) {
        if (next === '-' || next === '+') this.#take();
      } else if (next === '-' || (bracket && next === '<')) {
        this.#sign = '-';
        this.#at++;
      } else if (next === '+') this.#take();
    }
    if (this.#ended()) return;
    let read = false;
    const character = input[this.#at] as string;
    if (/[0-9]/.test(character)) {
      if (this.#point && this.#post === post) return;
      this.#number += character;
      if (this.#point) this.#post++;
      else this.#pre++;
      read = true;
    } else if (decimal && !this.#point && character === '.') {
      this.#number += '.';
      this.#point = true;
      read = true;
    }
    if (this.#sign !== ' ' || this.#pre + this.#post === 0) return;
    const following = input[this.#at + 1];
    if (sign && read && following !== undefined && !/[0-9]/.test(following)) {
      if (following === '-' || following === '+') {
        this.#sign = following;
        this.#at++;
      }
    } else if (!read && !sign && (plus || minus) && (character === '-' || character === '+')) this.#sign = character;
  }

  #readRoman(): void {
    while (this.#input[this.#at] === ' ') this.#at++;
    let letters = '';
    while (letters.length < ROMAN_LENGTH && LETTERS[(this.#input[this.#at] ?? '').toUpperCase()] !== undefined) {
      letters += (this.#input[this.#at] as string).toUpperCase();
      this.#at++;
    }
    let value = 0;
    for (let i = 0; i < letters.length; i++) {
      const amount = LETTERS[letters[i] as string] as number;
      value += amount < (LETTERS[letters[i + 1] ?? ''] ?? 0) ? -amount : amount;
    }
    if (letters === '' || toRoman(value) !== letters) throw new SvcError('22P02', 'invalid Roman numeral');
    this.#roman = value;
  }
}

function toNumber(input: string, format: string): NumericValue | null {
  if (format === '') return null;
  const template = numberTemplate(format);
  if (template.scientific) throw new SvcError('0A000', '"EEEE" not supported for input');
  return new Reader(template, input).read();
}

export const numberFromText: FunctionModule = {
  functions: [
    {
      kind: 'scalar',
      name: 'to_number',
      args: ['text', 'text'],
      returns: 'numeric',
      volatility: 'stable',
      doc: 'The number that a text is by a template.',
      impl: toNumber,
    },
  ],
};
