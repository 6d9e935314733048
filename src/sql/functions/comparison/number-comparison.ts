/** Comparison of integers, floats, numeric, oid and the types of system columns. */
import { compare, type Numeric } from '../../types/numeric.ts';
import type { Whole } from '../../types/value.ts';
import { TID } from '../../types/identifiers.ts';
import type { FunctionModule, SqlOperator } from '../define.ts';
import { sixOperators, type Tests } from './six-operators.ts';

const SMALL: Tests = {
  eq: (a: number, b: number) => a === b,
  ne: (a: number, b: number) => a !== b,
  lt: (a: number, b: number) => a < b,
  le: (a: number, b: number) => a <= b,
  gt: (a: number, b: number) => a > b,
  ge: (a: number, b: number) => a >= b,
};

export const WHOLE: Tests = {
  eq: (a: Whole, b: Whole) => a === b,
  ne: (a: Whole, b: Whole) => a !== b,
  lt: (a: Whole, b: Whole) => a < b,
  le: (a: Whole, b: Whole) => a <= b,
  gt: (a: Whole, b: Whole) => a > b,
  ge: (a: Whole, b: Whole) => a >= b,
};

/** NaN equals itself and is greater than all others. The common case is decided by the first operand of each `||`. */
const FLOAT: Tests = {
  eq: (a: number, b: number) => a === b || (a !== a && b !== b),
  ne: (a: number, b: number) => a !== b && (a === a || b === b),
  lt: (a: number, b: number) => a < b || (b !== b && a === a),
  le: (a: number, b: number) => a <= b || b !== b,
  gt: (a: number, b: number) => a > b || (a !== a && b === b),
  ge: (a: number, b: number) => a >= b || a !== a,
};

const NUMERIC: Tests = {
  eq: (a: Numeric, b: Numeric) => compare(a, b) === 0,
  ne: (a: Numeric, b: Numeric) => compare(a, b) !== 0,
  lt: (a: Numeric, b: Numeric) => compare(a, b) < 0,
  le: (a: Numeric, b: Numeric) => compare(a, b) <= 0,
  gt: (a: Numeric, b: Numeric) => compare(a, b) > 0,
  ge: (a: Numeric, b: Numeric) => compare(a, b) >= 0,
};

const TUPLE_ID: Tests = {
  eq: (a: string, b: string) => a === b,
  ne: (a: string, b: string) => a !== b,
  lt: (a: string, b: string) => TID.compare(a, b) < 0,
  le: (a: string, b: string) => TID.compare(a, b) <= 0,
  gt: (a: string, b: string) => TID.compare(a, b) > 0,
  ge: (a: string, b: string) => TID.compare(a, b) >= 0,
};

function prefixed(left: string, right: string, prefix: string, tests: Tests): SqlOperator[] {
  return sixOperators(left, right, (test) => prefix + test, tests);
}

const same = (a: number, b: number): boolean => a === b;
const different = (a: number, b: number): boolean => a !== b;
const equality = (left: string, right: string, proc: string, commutes: boolean, negates: boolean): SqlOperator => ({
  name: '=',
  left,
  right,
  returns: 'bool',
  proc,
  commutator: commutes ? '=' : undefined,
  negator: negates ? '<>' : undefined,
  impl: same,
});
const inequality = (left: string, right: string, proc: string, commutes: boolean): SqlOperator => ({
  name: '<>',
  left,
  right,
  returns: 'bool',
  proc,
  commutator: commutes ? '<>' : undefined,
  negator: '=',
  impl: different,
});

export const numberComparison: FunctionModule = {
  operators: [
    ...prefixed('int2', 'int2', 'int2', SMALL),
    ...prefixed('int2', 'int4', 'int24', SMALL),
    ...prefixed('int4', 'int2', 'int42', SMALL),
    ...prefixed('int4', 'int4', 'int4', SMALL),
    ...prefixed('oid', 'oid', 'oid', SMALL),
    ...prefixed('int2', 'int8', 'int28', WHOLE),
    ...prefixed('int8', 'int2', 'int82', WHOLE),
    ...prefixed('int4', 'int8', 'int48', WHOLE),
    ...prefixed('int8', 'int4', 'int84', WHOLE),
    ...prefixed('int8', 'int8', 'int8', WHOLE),
    ...prefixed('xid8', 'xid8', 'xid8', WHOLE),
    ...prefixed('float4', 'float4', 'float4', FLOAT),
    ...prefixed('float4', 'float8', 'float48', FLOAT),
    ...prefixed('float8', 'float4', 'float84', FLOAT),
    ...prefixed('float8', 'float8', 'float8', FLOAT),
    ...prefixed('numeric', 'numeric', 'numeric_', NUMERIC),
    ...prefixed('tid', 'tid', 'tid', TUPLE_ID),
    equality('xid', 'xid', 'xideq', true, true),
    inequality('xid', 'xid', 'xidneq', true),
    // An int4 compared with an xid counts as unsigned.
    { ...equality('xid', 'int4', 'xideqint4', false, true), impl: (a: number, b: number) => a === b >>> 0 },
    { ...inequality('xid', 'int4', 'xidneqint4', false), impl: (a: number, b: number) => a !== b >>> 0 },
    equality('cid', 'cid', 'cideq', true, false),
  ],
};
