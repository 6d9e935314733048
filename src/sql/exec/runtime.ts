/** The functions that generated code may call, by name. */
import { SvcError } from '../../base/errors/svc-error.ts';
import type { SqlOperator } from '../functions/define.ts';
import { ArrayValue } from '../types/array-value.ts';
import { RecordValue } from '../types/record-value.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import { arrayCast, buildArray, subscriptArray } from '../types/array-operations.ts';
import { oddProduct, oddQuotient, oddSum, toFloat4, compareFloats } from './float-arithmetic.ts';
import { computeLong, isSlowMatch, listLong, throwLong } from './long-call.ts';
import { formatLong, hasManyParts } from './long-text.ts';
import { partOf } from './passes.ts';
import { addToDecimalSum } from './decimal-sums.ts';
import { toFloat8 } from '../types/numeric-text.ts';
import { compareText } from '../types/text-order.ts';
import { equalBlankPadded } from '../types/text-order.ts';
import {
  POWERS_10,
  addDecimals,
  addInt8,
  addScaled,
  compareDecimals,
  compareNumeric,
  compareScaled,
  decimalKey,
  decimalText,
  divInt8,
  divisionByZero,
  floatToInt2,
  floatToInt4,
  floatToInt8,
  int2Overflow,
  int4Overflow,
  int8Overflow,
  modInt8,
  mulDecimals,
  mulInt8,
  mulScaled,
  negInt8,
  numericOf,
  scaleUp,
  shownNumeric,
  subDecimals,
  subInt8,
  subScaled,
  sumRest,
} from './whole-arithmetic.ts';

function makeRecord(fields: Value[], types: readonly SqlType[]): Value {
  return new RecordValue(fields, types);
}

/** IS NULL of a record tests its fields. */
function recordIsNull(value: Value, negated: boolean): boolean {
  if (value === null) return !negated;
  if (!(value instanceof RecordValue)) return negated;
  return value.fields.every((field) => (negated ? field !== null : field === null));
}

/** `left op ANY/ALL (array)`, three-valued; null for unknown. */
function quantified(left: Value, array: ArrayValue, any: boolean, operator: SqlOperator, call: unknown): boolean | null {
  let unknown = false;
  const strict = operator.strict !== false;
  for (const element of array.elements) {
    if (strict && (left === null || element === null)) {
      unknown = true;
      continue;
    }
    const result = operator.needsCall === true ? operator.impl(call, left, element) : operator.impl(left, element);
    if (result === null) unknown = true;
    else if (result === any) return any;
  }
  return unknown ? null : !any;
}

function moreThanOneRow(): never {
  throw new SvcError('21000', 'more than one row returned by a subquery used as an expression');
}

export const RUNTIME = {
  computeLong,
  formatLong,
  hasManyParts,
  isSlowMatch,
  throwLong,
  listLong,
  POWERS_10,
  addDecimals,
  addInt8,
  addScaled,
  addToDecimalSum,
  arrayCast,
  buildArray,
  compareDecimals,
  compareFloats,
  compareNumeric,
  compareScaled,
  compareText,
  decimalKey,
  decimalText,
  divInt8,
  divisionByZero,
  equalBlankPadded,
  floatToInt2,
  floatToInt4,
  floatToInt8,
  int2Overflow,
  int4Overflow,
  int8Overflow,
  makeRecord,
  modInt8,
  moreThanOneRow,
  mulDecimals,
  mulInt8,
  mulScaled,
  negInt8,
  numericOf,
  oddProduct,
  oddQuotient,
  oddSum,
  partOf,
  quantified,
  recordIsNull,
  scaleUp,
  shownNumeric,
  subDecimals,
  subInt8,
  subScaled,
  subscriptArray,
  sumRest,
  toFloat4,
  toFloat8,
};
export type RuntimeName = keyof typeof RUNTIME;
