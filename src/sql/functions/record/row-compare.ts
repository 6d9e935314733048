/**
 * Comparison of row constructors, `(a, b) < (c, d)`, and tests of rows. Unlike records as values these are
 * three-valued: a null makes the answer unknown where it matters. Manual, section 9.25.5 and 9.25.6.
 */
import type { Value } from '../../types/value.ts';

/** Order of two fields, neither null. */
export type FieldOrder = (a: Value, b: Value) => number;

/** `=`: false where a pair differs, null where none does but one is unknown. */
export function rowEqual(left: readonly Value[], right: readonly Value[], orders: readonly FieldOrder[]): boolean | null {
  let result: boolean | null = true;
  for (let i = 0; i < left.length; i++) {
    const a = left[i];
    const b = right[i];
    if (a === null || b === null) result = null;
    else if (orders[i](a, b) !== 0) return false;
  }
  return result;
}

/** Order by the first pair that differs; null where a pair before it is unknown. What `<`, `<=`, `>` and `>=` ask. */
export function rowOrder(left: readonly Value[], right: readonly Value[], orders: readonly FieldOrder[]): number | null {
  for (let i = 0; i < left.length; i++) {
    const a = left[i];
    const b = right[i];
    if (a === null || b === null) return null;
    const order = orders[i](a, b);
    if (order !== 0) return order;
  }
  return 0;
}

/** IS DISTINCT FROM, which always knows. */
export function rowDistinct(left: readonly Value[], right: readonly Value[], orders: readonly FieldOrder[]): boolean {
  for (let i = 0; i < left.length; i++) {
    const a = left[i];
    const b = right[i];
    if (a === null || b === null) {
      if (a !== b) return true;
    } else if (orders[i](a, b) !== 0) return true;
  }
  return false;
}

/** `row IS NULL`: all fields are. */
export function rowIsNull(fields: readonly Value[]): boolean {
  return fields.every((field) => field === null);
}

/** `row IS NOT NULL`: no field is, which is not the opposite. */
export function rowIsNotNull(fields: readonly Value[]): boolean {
  return !fields.includes(null);
}
