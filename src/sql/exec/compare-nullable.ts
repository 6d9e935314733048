/** The order of two nullable values for ORDER BY. */
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';

export function compareNullable(type: SqlType, a: Value, b: Value, descending: boolean, nullsFirst: boolean): number {
  if (a === b) return 0;
  if (a === null) return nullsFirst ? -1 : 1;
  if (b === null) return nullsFirst ? 1 : -1;
  const order = type.compare(a, b);
  return descending ? -order : order;
}
