/** Hash keys of composite values: arrays and records. */
import type { Value } from './value.ts';

/** A text that is equal for two lists exactly if their members' keys are equal, null with null. */
export function compositeKey(values: readonly Value[], keyOf: (index: number, value: Value) => string | number | bigint | boolean): string {
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) {
      text += 'n;';
      continue;
    }
    const key = keyOf(i, value);
    // The length prefix keeps ';' inside a string from being read as a delimiter.
    text += typeof key === 'string' ? `${key.length}:${key};` : `=${key};`;
  }
  return text;
}
