/**
 * Values of cells in memory, and the physical kinds of a leaf's columns.
 *
 * `null` is SQL's null; `undefined` is *absent*: a document field that was never set. Text, JSON text and bytes (one
 * character per byte) are strings; the kind distinguishes them. Integers are JS numbers within ±2^53 and bigints beyond (kind
 * I64).
 */
import type { Node } from './node.ts';

export type Datum = undefined | null | boolean | number | bigint | string;

/** A row key: a safe integer, or a memcomparable byte string with one character (0–255) per byte. `<` orders both. */
export type Key = number | string;

export const KIND = { BOOL: 1, I32: 2, F64: 3, I64: 4, TEXT: 5, JSON: 6, BIN: 7, REF: 8 } as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

export const TAG = { VALUE: 0, NULL: 1, ABSENT: 2 } as const;

/** A reference to the root of another tree, held in a cell of kind REF. */
export interface Ref {
  node: Node | null;
  id: number;
}

/** The columns of a change, shared by all changes with the same columns. `ids[i]` is stored as `kinds[i]`. */
export interface Shape {
  readonly ids: readonly number[];
  readonly kinds: readonly Kind[];
}

/**
 * One changed row. Insert: `before` null, `after` the whole row. Delete: `after` null, `before` the whole
 * row. Update: both, for the changed columns only. Values align with `shape.ids`.
 */
export interface RowChange {
  key: Key;
  shape: Shape;
  before: Datum[] | null;
  after: Datum[] | null;
}
