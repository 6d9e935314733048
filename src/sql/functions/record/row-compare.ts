/**
 * Comparison of row constructors, `(a, b) < (c, d)`, and tests of rows. Unlike records as values these are three-valued: a relevant
 * null makes the result unknown. Manual, section 9.25.5 and 9.25.6.
 */
import type { Value } from '../../types/value.ts';

/** Order of two fields, neither null. */
export type FieldOrder = (a: Value, b: Value) => number;

/** `=`: false if a pair differs, null if none does but one is unknown. */
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

/** Compares by the first pair that differs; null if a pair before it is unknown. For `<`, `<=`, `>` and `>=`. */
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

/** IS DISTINCT FROM, which is never unknown. */
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

/** `row IS NULL`: all fields are null. */
export function rowIsNull(fields: readonly Value[]): boolean {
  return fields.every((field) => field === null);
}

/** `row IS NOT NULL`: no field is null, which is not the negation. */
export function rowIsNotNull(fields: readonly Value[]): boolean {
  return !fields.includes(null);
}
