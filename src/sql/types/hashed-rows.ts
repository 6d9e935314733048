/** Rows by the value of a column, without those with a null in it. */
import type { SqlType } from './type.ts';
import type { Value } from './value.ts';

export function hashedRows<R extends readonly Value[]>(rows: Iterable<R>, column: number, type: SqlType): Map<string | number | bigint | boolean, R[]> {
  const out = new Map<string | number | bigint | boolean, R[]>();
  for (const row of rows) {
    const value = row[column];
    if (value === null) continue;
    const key = type.hashKey(value);
    const list = out.get(key);
    if (list === undefined) out.set(key, [row]);
    else list.push(row);
  }
  return out;
}
