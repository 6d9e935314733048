/** Operators, functions, casts and aggregates of bit strings. Manual, sections 9.6 and 9.21. */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { type Whole, whole } from '../../types/value.ts';
import { sixOperators, type Tests } from '../comparison/six-operators.ts';
import { type AggregateFunction, defineAggregate, type FunctionModule, type SqlCast, type SqlOperator } from '../define.ts';
import { scalar } from '../text/declare.ts';

const COMPARE: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => a < b,
  le: (a: string, b: string) => a <= b,
  gt: (a: string, b: string) => a > b,
  ge: (a: string, b: string) => a >= b,
};

function zip(word: string, a: string, b: string, one: (x: boolean, y: boolean) => boolean): string {
  if (a.length !== b.length) throw new SvcError('22026', `cannot ${word} bit strings of different sizes`);
  let out = '';
  for (let i = 0; i < a.length; i++) out += one(a[i] === '1', b[i] === '1') ? '1' : '0';
  return out;
}

const and = (a: string, b: string): string => zip('AND', a, b, (x, y) => x && y);
const or = (a: string, b: string): string => zip('OR', a, b, (x, y) => x || y);
const xor = (a: string, b: string): string => zip('XOR', a, b, (x, y) => x !== y);

function not(bits: string): string {
  let out = '';
  for (const bit of bits) out += bit === '1' ? '0' : '1';
  return out;
}

/** Shifted-out bits are lost; zeros come in. */
function left(bits: string, by: number): string {
  if (by < 0) return right(bits, -by);
  return by >= bits.length ? '0'.repeat(bits.length) : bits.slice(by).padEnd(bits.length, '0');
}

function right(bits: string, by: number): string {
  if (by < 0) return left(bits, -by);
  return by >= bits.length ? '0'.repeat(bits.length) : bits.slice(0, bits.length - by).padStart(bits.length, '0');
}

function substring(bits: string, from: number, length?: number): string {
  if (length === undefined) return bits.slice(Math.max(0, from - 1));
  if (length < 0) throw new SvcError('22011', 'negative substring length not allowed');
  return bits.slice(Math.max(0, from - 1), Math.max(0, from - 1 + length));
}

function overlay(bits: string, part: string, from: number, length: number = part.length): string {
  if (from <= 0) throw new SvcError('22011', 'negative substring length not allowed');
  if (from + length > 2147483647) throw new SvcError('22003', 'integer out of range');
  return bits.slice(0, from - 1) + part + bits.slice(Math.max(0, from - 1 + length));
}

function position(bits: string, part: string): number {
  return bits.length === 0 && part.length === 0 ? 1 : bits.indexOf(part) + 1;
}

function checked(bits: string, at: number): void {
  if (at < 0 || at >= bits.length) throw new SvcError('2202E', `bit index ${at} out of valid range (0..${bits.length - 1})`);
}

function setBit(bits: string, at: number, bit: number): string {
  checked(bits, at);
  if (bit !== 0 && bit !== 1) throw new SvcError('22023', 'new bit must be 0 or 1');
  return bits.slice(0, at) + bit + bits.slice(at + 1);
}

function toWhole(bits: string, size: number, title: string): Whole {
  if (bits.length > size) throw new SvcError('22003', `${title} out of range`);
  return bits === '' ? 0 : whole(BigInt.asIntN(size, BigInt(`0b${bits}`)));
}

/** The low bits of a number, with sign extension. */
export function bitsOfWhole(value: Whole, typmod: number): string {
  const length = typmod <= 0 ? 1 : typmod;
  return BigInt.asUintN(length, BigInt(value)).toString(2).padStart(length, '0');
}

function binary(name: string, proc: string, impl: (a: string, b: string) => string): SqlOperator {
  return { name, left: 'bit', right: 'bit', returns: 'bit', proc, commutator: name, impl };
}

function aggregate(name: string, doc: string, one: (a: string, b: string) => string): AggregateFunction<{ bits: string | null }> {
  return defineAggregate<{ bits: string | null }>({
    name,
    args: ['bit'],
    returns: 'bit',
    strict: true,
    doc,
    init: () => ({ bits: null }),
    step: (state, bits: string) => {
      state.bits = state.bits === null ? bits : one(state.bits, bits);
      return state;
    },
    finish: ({ bits }) => bits,
  });
}

const PART = 'The part from a position on, of a length where one is given.';
const OVER = 'The bits with a part of them replaced.';

const CASTS: SqlCast[] = [
  { from: 'bit', to: 'varbit', context: 'implicit', method: 'binary' },
  { from: 'varbit', to: 'bit', context: 'implicit', method: 'binary' },
  { from: 'bit', to: 'int4', context: 'explicit', method: 'function', impl: (bits: string) => toWhole(bits, 32, 'integer') },
  { from: 'bit', to: 'int8', context: 'explicit', method: 'function', impl: (bits: string) => toWhole(bits, 64, 'bigint') },
  { from: 'int4', to: 'bit', context: 'explicit', method: 'function', impl: (value: number) => bitsOfWhole(value, 32) },
  { from: 'int8', to: 'bit', context: 'explicit', method: 'function', impl: (value: Whole) => bitsOfWhole(value, 64) },
];

export const BIT_FUNCTIONS: FunctionModule = {
  behind: ['int4', 'int8'].map((type) => scalar('bit', [type, 'int4'], 'bit', 'The n low bits of a number.', bitsOfWhole)),
  functions: [
    scalar('length', ['bit'], 'int4', 'How many bits there are.', (bits: string) => bits.length),
    scalar('bit_length', ['bit'], 'int4', 'How many bits there are.', (bits: string) => bits.length),
    scalar('octet_length', ['bit'], 'int4', 'How many bytes the bits take.', (bits: string) => Math.ceil(bits.length / 8)),
    scalar('bit_count', ['bit'], 'int8', 'How many bits are set.', (bits: string) => bits.replaceAll('0', '').length),
    scalar('get_bit', ['bit', 'int4'], 'int4', 'The n-th bit, counted from 0.', (bits: string, at: number) => {
      checked(bits, at);
      return Number(bits[at]);
    }),
    scalar('set_bit', ['bit', 'int4', 'int4'], 'bit', 'The bits with the n-th one changed.', setBit),
    scalar('substring', ['bit', 'int4'], 'bit', PART, substring),
    scalar('substring', ['bit', 'int4', 'int4'], 'bit', PART, substring),
    scalar('overlay', ['bit', 'bit', 'int4'], 'bit', OVER, overlay),
    scalar('overlay', ['bit', 'bit', 'int4', 'int4'], 'bit', OVER, overlay),
    scalar('position', ['bit', 'bit'], 'int4', 'Position of a part, 0 for none.', position),
    aggregate('bit_and', 'The values joined by bitwise and.', and),
    aggregate('bit_or', 'The values joined by bitwise or.', or),
    aggregate('bit_xor', 'The values joined by bitwise exclusive or.', xor),
  ],
  operators: [
    ...sixOperators('bit', 'bit', (test) => `bit${test}`, COMPARE),
    ...sixOperators('varbit', 'varbit', (test) => `varbit${test}`, COMPARE),
    binary('&', 'bitand', and),
    binary('|', 'bitor', or),
    binary('#', 'bitxor', xor),
    { name: '~', left: null, right: 'bit', returns: 'bit', proc: 'bitnot', impl: not },
    { name: '<<', left: 'bit', right: 'int4', returns: 'bit', proc: 'bitshiftleft', impl: left },
    { name: '>>', left: 'bit', right: 'int4', returns: 'bit', proc: 'bitshiftright', impl: right },
    { name: '||', left: 'varbit', right: 'varbit', returns: 'varbit', proc: 'bitcat', impl: (a: string, b: string) => a + b },
  ],
  casts: CASTS,
};
