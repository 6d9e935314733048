/** `x op ANY (array)` and `x op ALL (array)`, three-valued. Manual, section 9.25. */
import type { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';

/** What the operator says of x and one element; it is asked about nulls too and may answer null. */
export type Test = (item: Value) => boolean | null;

/** True where one element passes, null where none does but one is unknown, false otherwise. A null array is unknown. */
export function anyOf(array: ArrayValue | null, test: Test): boolean | null {
  if (array === null) return null;
  let result: boolean | null = false;
  for (const item of array.elements) {
    const passed = test(item);
    if (passed === true) return true;
    if (passed === null) result = null;
  }
  return result;
}

/** False where one element fails, null where none does but one is unknown, true otherwise. A null array is unknown. */
export function allOf(array: ArrayValue | null, test: Test): boolean | null {
  if (array === null) return null;
  let result: boolean | null = true;
  for (const item of array.elements) {
    const passed = test(item);
    if (passed === false) return false;
    if (passed === null) result = null;
  }
  return result;
}

/** `x = ANY (array)` for an array that is the same for many x: looks up hash keys instead of comparing. */
export function membership(array: ArrayValue | null, type: SqlType): (value: Value) => boolean | null {
  if (array === null) return () => null;
  const { elements } = array;
  if (elements.length === 0) return () => false;
  const missing = elements.includes(null) ? null : false;
  const keys = new Set<unknown>();
  for (const item of elements) if (item !== null) keys.add(type.hashKey(item));
  return (value) => (value === null ? null : keys.has(type.hashKey(value)) ? true : missing);
}
