/** Casts between array types, element by element. */
import { mapArray } from '../../types/array-type.ts';
import type { ArrayValue } from '../../types/array-value.ts';
import type { Value } from '../../types/value.ts';

/** The array with each element cast; nulls, shape and lower bounds are kept. */
export function castArray(value: ArrayValue, castElement: (item: Exclude<Value, null>) => Value): ArrayValue {
  return mapArray(value, (item) => (item === null ? null : castElement(item)));
}
