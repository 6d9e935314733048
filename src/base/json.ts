/** Values of JSON, and a row as a JSON object. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Row = { [column: string]: Json };

/** A field of a row; names such as `constructor` and `toString` are fields only where the row has them. */
export function fieldOf<Value>(row: Readonly<Record<string, Value>> | null | undefined, column: string): Value | undefined {
  return row !== null && row !== undefined && Object.hasOwn(row, column) ? row[column] : undefined;
}

/** Sets a field of its own, also one named `__proto__`, where plain assignment would set the prototype. */
export function setField<Value>(row: { [column: string]: Value }, column: string, value: Value): void {
  if (column === '__proto__') Object.defineProperty(row, column, { value, enumerable: true, configurable: true, writable: true });
  else row[column] = value;
}
