/** Hash keys of values made of values: arrays and records. */
import type { Value } from './value.ts';

/** A text that two lists share exactly where their members' keys are equal, null with null. */
export function compositeKey(values: readonly Value[], keyOf: (index: number, value: Value) => string | number | bigint | boolean): string {
  let text = '';
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value === null) {
      text += 'n;';
      continue;
    }
    const key = keyOf(i, value);
    // The length in front keeps ';' inside a string from being read as a border.
    text += typeof key === 'string' ? `${key.length}:${key};` : `=${key};`;
  }
  return text;
}
