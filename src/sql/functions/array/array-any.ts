/** `x op ANY (array)` and `x op ALL (array)`, three-valued. Manual, section 9.25. */
import type { ArrayValue } from '../../types/array-value.ts';
import type { SqlType } from '../../types/type.ts';
import type { Value } from '../../types/value.ts';

/** The operator on x and one element, including nulls; may give null. */
export type Test = (item: Value) => boolean | null;

/** True if one element passes, null if none does but one is unknown, false otherwise. A null array is unknown. */
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

/** False if one element fails, null if none does but one is unknown, true otherwise. A null array is unknown. */
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
