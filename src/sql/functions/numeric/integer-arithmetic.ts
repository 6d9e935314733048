/**
 * Operators of int2, int4 and int8. Sums and products of two small integers are exact enough as doubles: a result in range is exact,
 * one out of range fails the check.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { whole, type Whole } from '../../types/value.ts';
import { absInt8, addInt8, divInt8, divisionByZero, modInt8, mulInt8, negInt8, subInt8 } from '../../types/whole.ts';
import type { FunctionModule, SqlOperator } from '../define.ts';

export function int2OutOfRange(): never {
  throw new SvcError('22003', 'smallint out of range');
}

export function int4OutOfRange(): never {
  throw new SvcError('22003', 'integer out of range');
}

export function toSmall(value: number): number {
  const small = (value << 16) >> 16;
  if (small !== value) int2OutOfRange();
  return small;
}

export const int2pl = (a: number, b: number): number => toSmall(a + b);
export const int2mi = (a: number, b: number): number => toSmall(a - b);
export const int2mul = (a: number, b: number): number => toSmall(a * b);
export const int2um = (a: number): number => toSmall(0 - a);
export const int2abs = (a: number): number => toSmall(a < 0 ? -a : a);

export function int2div(a: number, b: number): number {
  if (b === 0) divisionByZero();
  return toSmall((a / b) | 0);
}

export function int4pl(a: number, b: number): number {
  const sum = a + b;
  if ((sum | 0) !== sum) int4OutOfRange();
  return sum;
}

export function int4mi(a: number, b: number): number {
  const difference = a - b;
  if ((difference | 0) !== difference) int4OutOfRange();
  return difference;
}

export function int4mul(a: number, b: number): number {
  const product = a * b;
  // The truncated value is the result: it has no -0.
  const cut = product | 0;
  if (cut !== product) int4OutOfRange();
  return cut;
}

export function int4div(a: number, b: number): number {
  if (b === 0) divisionByZero();
  if (b === -1) return int4um(a);
  return (a / b) | 0;
}

export function int4mod(a: number, b: number): number {
  if (b === 0) divisionByZero();
  return (a % b) | 0;
}

export function int4um(a: number): number {
  if (a === -2147483648) int4OutOfRange();
  return 0 - a;
}

export function int4abs(a: number): number {
  return a < 0 ? int4um(a) : a;
}

export function int8and(a: Whole, b: Whole): Whole {
  return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a & b : whole(BigInt(a) & BigInt(b));
}

export function int8or(a: Whole, b: Whole): Whole {
  return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a | b : whole(BigInt(a) | BigInt(b));
}

export function int8xor(a: Whole, b: Whole): Whole {
  return typeof a === 'number' && typeof b === 'number' && (a | 0) === a && (b | 0) === b ? a ^ b : whole(BigInt(a) ^ BigInt(b));
}

const int8not = (a: Whole): Whole => (typeof a === 'number' && a > -9007199254740991 ? -1 - a : whole(~BigInt(a)));
// The shift count is taken modulo the width.
const int8shl = (a: Whole, b: number): Whole => whole(BigInt.asIntN(64, BigInt(a) << BigInt(b & 63)));
const int8shr = (a: Whole, b: number): Whole => whole(BigInt(a) >> BigInt(b & 63));

// oxlint-disable-next-line no-explicit-any
type Impl = (...args: any[]) => number | bigint;

function binary(name: string, left: string, right: string, returns: string, proc: string, impl: Impl, commutes = false): SqlOperator {
  return { name, left, right, returns, proc, commutator: commutes ? name : undefined, impl };
}

function unary(name: string, type: string, proc: string, impl: Impl): SqlOperator {
  return { name, left: null, right: type, returns: type, proc, impl };
}

function four(left: string, right: string, returns: string, prefix: string, pl: Impl, mi: Impl, mul: Impl, div: Impl): SqlOperator[] {
  return [
    binary('+', left, right, returns, `${prefix}pl`, pl, true),
    binary('-', left, right, returns, `${prefix}mi`, mi),
    binary('*', left, right, returns, `${prefix}mul`, mul, true),
    binary('/', left, right, returns, `${prefix}div`, div),
  ];
}

export const integerArithmetic: FunctionModule = {
  operators: [
    ...four('int2', 'int2', 'int2', 'int2', int2pl, int2mi, int2mul, int2div),
    ...four('int2', 'int4', 'int4', 'int24', int4pl, int4mi, int4mul, int4div),
    ...four('int4', 'int2', 'int4', 'int42', int4pl, int4mi, int4mul, int4div),
    ...four('int4', 'int4', 'int4', 'int4', int4pl, int4mi, int4mul, int4div),
    ...four('int2', 'int8', 'int8', 'int28', addInt8, subInt8, mulInt8, divInt8),
    ...four('int8', 'int2', 'int8', 'int82', addInt8, subInt8, mulInt8, divInt8),
    ...four('int4', 'int8', 'int8', 'int48', addInt8, subInt8, mulInt8, divInt8),
    ...four('int8', 'int4', 'int8', 'int84', addInt8, subInt8, mulInt8, divInt8),
    ...four('int8', 'int8', 'int8', 'int8', addInt8, subInt8, mulInt8, divInt8),
    binary('%', 'int2', 'int2', 'int2', 'int2mod', int4mod),
    binary('%', 'int4', 'int4', 'int4', 'int4mod', int4mod),
    binary('%', 'int8', 'int8', 'int8', 'int8mod', modInt8),
    unary('+', 'int2', 'int2up', (a: number) => a),
    unary('+', 'int4', 'int4up', (a: number) => a),
    unary('+', 'int8', 'int8up', (a: Whole) => a),
    unary('-', 'int2', 'int2um', int2um),
    unary('-', 'int4', 'int4um', int4um),
    unary('-', 'int8', 'int8um', negInt8),
    unary('@', 'int2', 'int2abs', int2abs),
    unary('@', 'int4', 'int4abs', int4abs),
    unary('@', 'int8', 'int8abs', absInt8),
    unary('~', 'int2', 'int2not', (a: number) => ~a),
    unary('~', 'int4', 'int4not', (a: number) => ~a),
    unary('~', 'int8', 'int8not', int8not),
    binary('&', 'int2', 'int2', 'int2', 'int2and', (a: number, b: number) => a & b, true),
    binary('&', 'int4', 'int4', 'int4', 'int4and', (a: number, b: number) => a & b, true),
    binary('&', 'int8', 'int8', 'int8', 'int8and', int8and, true),
    binary('|', 'int2', 'int2', 'int2', 'int2or', (a: number, b: number) => a | b, true),
    binary('|', 'int4', 'int4', 'int4', 'int4or', (a: number, b: number) => a | b, true),
    binary('|', 'int8', 'int8', 'int8', 'int8or', int8or, true),
    binary('#', 'int2', 'int2', 'int2', 'int2xor', (a: number, b: number) => a ^ b, true),
    binary('#', 'int4', 'int4', 'int4', 'int4xor', (a: number, b: number) => a ^ b, true),
    binary('#', 'int8', 'int8', 'int8', 'int8xor', int8xor, true),
    binary('<<', 'int2', 'int4', 'int2', 'int2shl', (a: number, b: number) => ((a << b) << 16) >> 16),
    binary('<<', 'int4', 'int4', 'int4', 'int4shl', (a: number, b: number) => a << b),
    binary('<<', 'int8', 'int4', 'int8', 'int8shl', int8shl),
    binary('>>', 'int2', 'int4', 'int2', 'int2shr', (a: number, b: number) => a >> b),
    binary('>>', 'int4', 'int4', 'int4', 'int4shr', (a: number, b: number) => a >> b),
    binary('>>', 'int8', 'int4', 'int8', 'int8shr', int8shr),
  ],
};
