/** A row of a system relation one of whose cells is computed when it is first read. */
import type { Value } from '../types/value.ts';
import type { Row } from './made-relation.ts';

export function withLazyCell(row: Value[], at: number, make: () => Value): Row {
  Object.defineProperty(row, at, {
    configurable: true,
    enumerable: true,
    get: () => {
      const value = make();
      Object.defineProperty(row, at, { configurable: true, enumerable: true, writable: true, value });
      return value;
    },
  });
  return row;
}
