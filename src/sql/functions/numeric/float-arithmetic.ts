/**
 * Operators of float4 and float8. 22003 for a result that is infinite though no operand is, or zero though none is. Each function
 * returns at once if its result is an ordinary number.
 */
import { SvcError } from '../../../base/errors/svc-error.ts';
import { divisionByZero } from '../../types/whole.ts';
import type { FunctionModule, SqlOperator } from '../define.ts';

export function floatOverflow(): never {
  throw new SvcError('22003', 'value out of range: overflow');
}

export function floatUnderflow(): never {
  throw new SvcError('22003', 'value out of range: underflow');
}

export function isInfinite(value: number): boolean {
  return value === Infinity || value === -Infinity;
}

/** A sum or difference that is not finite. */
function oddSum(result: number, a: number, b: number): number {
  if (isInfinite(result) && !isInfinite(a) && !isInfinite(b)) floatOverflow();
  return result;
}

function oddProduct(result: number, a: number, b: number): number {
  if (isInfinite(result)) {
    if (!isInfinite(a) && !isInfinite(b)) floatOverflow();
  } else if (result === 0 && a !== 0 && b !== 0) floatUnderflow();
  return result;
}

function oddQuotient(result: number, a: number, b: number): number {
  if (b === 0 && a === a) divisionByZero();
  if (isInfinite(result)) {
    if (!isInfinite(a)) floatOverflow();
  } else if (result === 0 && a !== 0 && !isInfinite(b)) floatUnderflow();
  return result;
}

export function float8pl(a: number, b: number): number {
  const result = a + b;
  return result - result === 0 ? result : oddSum(result, a, b);
}

export function float8mi(a: number, b: number): number {
  const result = a - b;
  return result - result === 0 ? result : oddSum(result, a, b);
}

export function float8mul(a: number, b: number): number {
  const result = a * b;
  return result - result === 0 && result !== 0 ? result : oddProduct(result, a, b);
}

export function float8div(a: number, b: number): number {
  const result = a / b;
  return result - result === 0 && result !== 0 ? result : oddQuotient(result, a, b);
}

export function float4pl(a: number, b: number): number {
  const result = Math.fround(a + b);
  return result - result === 0 ? result : oddSum(result, a, b);
}

function float4mi(a: number, b: number): number {
  const result = Math.fround(a - b);
  return result - result === 0 ? result : oddSum(result, a, b);
}

function float4mul(a: number, b: number): number {
  const result = Math.fround(a * b);
  return result - result === 0 && result !== 0 ? result : oddProduct(result, a, b);
}

function float4div(a: number, b: number): number {
  const result = Math.fround(a / b);
  return result - result === 0 && result !== 0 ? result : oddQuotient(result, a, b);
}

/** POSIX rules, which JS's `**` does not follow for 1 and -1, and Postgres's errors. */
export function dpow(a: number, b: number): number {
  if (a !== a) return b === 0 ? 1 : a;
  if (b !== b) return a === 1 ? 1 : b;
  if (a === 0 && b < 0) throw new SvcError('2201F', 'zero raised to a negative power is undefined');
  if (a < 0 && Math.floor(b) !== b) throw new SvcError('2201F', 'a negative number raised to a non-integer power yields a complex result');
  if ((a === 1 || a === -1) && isInfinite(b)) return 1;
  const result = a ** b;
  if (result - result === 0 && result !== 0) return result;
  if (isInfinite(a) || isInfinite(b)) return result;
  if (isInfinite(result)) floatOverflow();
  if (result === 0 && a !== 0) floatUnderflow();
  return result;
}

export function dsqrt(a: number): number {
  if (a < 0) throw new SvcError('2201F', 'cannot take square root of a negative number');
  return Math.sqrt(a);
}

export const dcbrt = (a: number): number => Math.cbrt(a);

type Binary = (a: number, b: number) => number;

function four(left: string, right: string, returns: string, prefix: string, pl: Binary, mi: Binary, mul: Binary, div: Binary): SqlOperator[] {
  return [
    { name: '+', left, right, returns, proc: `${prefix}pl`, commutator: '+', impl: pl },
    { name: '-', left, right, returns, proc: `${prefix}mi`, impl: mi },
    { name: '*', left, right, returns, proc: `${prefix}mul`, commutator: '*', impl: mul },
    { name: '/', left, right, returns, proc: `${prefix}div`, impl: div },
  ];
}

function unary(name: string, type: string, proc: string, impl: (a: number) => number): SqlOperator {
  return { name, left: null, right: type, returns: type, proc, impl };
}

export const floatArithmetic: FunctionModule = {
  operators: [
    ...four('float4', 'float4', 'float4', 'float4', float4pl, float4mi, float4mul, float4div),
    ...four('float4', 'float8', 'float8', 'float48', float8pl, float8mi, float8mul, float8div),
    ...four('float8', 'float4', 'float8', 'float84', float8pl, float8mi, float8mul, float8div),
    ...four('float8', 'float8', 'float8', 'float8', float8pl, float8mi, float8mul, float8div),
    unary('+', 'float4', 'float4up', (a) => a),
    unary('+', 'float8', 'float8up', (a) => a),
    unary('-', 'float4', 'float4um', (a) => -a),
    unary('-', 'float8', 'float8um', (a) => -a),
    unary('@', 'float4', 'float4abs', Math.abs),
    unary('@', 'float8', 'float8abs', Math.abs),
    unary('|/', 'float8', 'dsqrt', dsqrt),
    unary('||/', 'float8', 'dcbrt', dcbrt),
    { name: '^', left: 'float8', right: 'float8', returns: 'float8', proc: 'dpow', impl: dpow },
  ],
};
