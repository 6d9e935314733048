/**
 * Functions over arguments of any types: concat, concat_ws, format, num_nulls and num_nonnulls. Their arguments arrive as one
 * ArrayValue; `call.argTypes` has the type of each. With the keyword VARIADIC there is one type, an array's, and the elements are
 * that array's: distinguished from a single array argument by not being arrays.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { ArrayValue } from '../../types/array-value.ts';
import { characterCount } from '../../types/characters.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';
import type { Call, FunctionModule } from '../define.ts';
import { quotedName, quoteLiteral } from './quoting.ts';

/** The type of the element at an index, after `fixed` arguments. */
function typeAt(call: Call, fixed: number, values: ArrayValue, index: number): SqlType {
  const first = call.argTypes[fixed] as SqlType;
  const spread = call.argTypes.length === fixed + 1 && first.element !== null && !(values.elements.length === 1 && values.elements[0] instanceof ArrayValue);
  return spread ? (first.element as SqlType) : (call.argTypes[fixed + index] as SqlType);
}

function output(call: Call, fixed: number, values: ArrayValue, index: number): string {
  return typeAt(call, fixed, values, index).format(values.elements[index] as Value, call.env);
}

function concat(call: Call, values: ArrayValue | null): string | null {
  if (values === null) return null;
  let result = '';
  for (let i = 0; i < values.elements.length; i++) if (values.elements[i] !== null) result += output(call, 0, values, i);
  return result;
}

function concatWs(call: Call, separator: string | null, values: ArrayValue | null): string | null {
  if (separator === null || values === null) return null;
  let result = '';
  let first = true;
  for (let i = 0; i < values.elements.length; i++) {
    if (values.elements[i] === null) continue;
    result += first ? output(call, 1, values, i) : separator + output(call, 1, values, i);
    first = false;
  }
  return result;
}

const ONE_PERCENT = { hint: 'For a single "%" use "%%".' };

function unterminated(): never {
  throw new SvcError('22023', 'unterminated format() type specifier', ONE_PERCENT);
}

function pad(text: string, width: number, left: boolean): string {
  const missing = Math.abs(width) - characterCount(text);
  if (missing <= 0) return text;
  return left || width < 0 ? text + ' '.repeat(missing) : ' '.repeat(missing) + text;
}

/** Formats the parts of a format string: `%[position][flags][width]type`. */
class Formatter {
  readonly #call: Call;
  readonly #format: string;
  readonly #values: ArrayValue;
  #at = 0;
  #next = 0;

  constructor(call: Call, format: string, values: ArrayValue) {
    this.#call = call;
    this.#format = format;
    this.#values = values;
  }

  run(): string {
    const format = this.#format;
    let result = '';
    for (;;) {
      const percent = format.indexOf('%', this.#at);
      if (percent < 0) return result + format.slice(this.#at);
      result += format.slice(this.#at, percent);
      this.#at = percent + 1;
      if (this.#at >= format.length) unterminated();
      if (format[this.#at] === '%') {
        this.#at++;
        result += '%';
      } else result += this.#specifier();
    }
  }

  #digits(): number | undefined {
    const match = /^[0-9]+/.exec(this.#format.slice(this.#at));
    if (match === null) return undefined;
    this.#at += match[0].length;
    if (Number(match[0]) > 2147483647) throw new SvcError('22003', 'number is out of range');
    if (this.#at >= this.#format.length) unterminated();
    return Number(match[0]);
  }

  #position(number: number): number {
    if (number === 0) throw new SvcError('22023', 'format specifies argument 0, but arguments are numbered from 1');
    return number - 1;
  }

  #argument(index: number): Value {
    if (index >= this.#values.elements.length) throw new SvcError('22023', 'too few arguments for format()');
    return this.#values.elements[index] as Value;
  }

  #specifier(): string {
    const format = this.#format;
    let position: number | undefined;
    let width = 0;
    let left = false;
    const number = this.#digits();
    if (number !== undefined && format[this.#at] !== '$') width = number;
    else {
      if (number !== undefined) {
        position = this.#position(number);
        this.#at++;
        if (this.#at >= format.length) unterminated();
      }
      while (format[this.#at] === '-') {
        left = true;
        this.#at++;
        if (this.#at >= format.length) unterminated();
      }
      if (format[this.#at] === '*') width = this.#indirectWidth();
      else width = this.#digits() ?? 0;
    }
    const point = format.codePointAt(this.#at) as number;
    const type = String.fromCodePoint(point);
    this.#at += type.length;
    if (type !== 's' && type !== 'I' && type !== 'L') throw new SvcError('22023', `unrecognized format() type specifier "${type}"`, ONE_PERCENT);
    const index = position ?? this.#next;
    this.#next = index + 1;
    const value = this.#argument(index);
    return pad(this.#convert(type, value, index), width, left);
  }

  #indirectWidth(): number {
    this.#at++;
    if (this.#at >= this.#format.length) unterminated();
    const number = this.#digits();
    let index = this.#next;
    if (number !== undefined) {
      if (this.#format[this.#at] !== '$') throw new SvcError('22023', 'width argument position must be ended by "$"');
      index = this.#position(number);
      this.#at++;
      if (this.#at >= this.#format.length) unterminated();
    }
    this.#next = index + 1;
    const value = this.#argument(index);
    if (value === null) return 0;
    const text = output(this.#call, 1, this.#values, index);
    const width = Number(text);
    if (!/^-?[0-9]+$/.test(text)) throw new SvcError('22P02', `invalid input syntax for type integer: "${text}"`);
    if (width > 2147483647 || width <= -2147483648) throw new SvcError('22003', 'number is out of range');
    return width;
  }

  #convert(type: string, value: Value, index: number): string {
    if (value === null) {
      if (type === 'I') throw new SvcError('22004', 'null values cannot be formatted as an SQL identifier');
      return type === 'L' ? 'NULL' : '';
    }
    const text = output(this.#call, 1, this.#values, index);
    return type === 's' ? text : type === 'I' ? quotedName(this.#call, text) : quoteLiteral(text);
  }
}

const NOTHING = new ArrayValue([]);

function format(call: Call, text: string | null, values?: ArrayValue | null): string | null {
  return text === null ? null : new Formatter(call, text, values ?? NOTHING).run();
}

function countNulls(values: ArrayValue): number {
  let count = 0;
  for (const value of values.elements) if (value === null) count++;
  return count;
}

const common = { kind: 'scalar', strict: false, needsCall: true } as const;

export const variadicAny: FunctionModule = {
  functions: [
    {
      ...common,
      name: 'concat',
      args: [],
      variadic: 'any',
      returns: 'text',
      volatility: 'stable',
      doc: 'The texts of the arguments but for nulls, joined.',
      impl: concat,
    },
    {
      ...common,
      name: 'concat_ws',
      args: ['text'],
      variadic: 'any',
      returns: 'text',
      volatility: 'stable',
      doc: 'The texts of the arguments but for nulls, joined by a separator.',
      impl: concatWs,
    },
    { ...common, name: 'format', args: ['text'], returns: 'text', volatility: 'stable', doc: 'The text with its % specifiers replaced.', impl: format },
    {
      ...common,
      name: 'format',
      args: ['text'],
      variadic: 'any',
      returns: 'text',
      volatility: 'stable',
      doc: 'The text with its % specifiers replaced by arguments.',
      impl: format,
    },
    {
      kind: 'scalar',
      strict: false,
      name: 'num_nulls',
      args: [],
      variadic: 'any',
      returns: 'int4',
      doc: 'How many arguments are null.',
      impl: (values: ArrayValue | null) => (values === null ? null : countNulls(values)),
    },
    {
      kind: 'scalar',
      strict: false,
      name: 'num_nonnulls',
      args: [],
      variadic: 'any',
      returns: 'int4',
      doc: 'How many arguments are not null.',
      impl: (values: ArrayValue | null) => (values === null ? null : values.elements.length - countNulls(values)),
    },
  ],
};
