/** The vectors of one column: pgvector's type, arrays of numbers, and fields of documents that hold an array of numbers. */
import { SvcError } from '../base/errors/svc-error.ts';
import { KIND } from '../tree/datum.ts';
import type { Leaf } from '../tree/node.ts';
import { unknownField } from '../worlds/unknown-field.ts';
import { passingCell } from '../sql/schema/row-reader.ts';
import { OID } from '../sql/schema/oids.ts';
import type { SqlColumn, SqlTable } from '../sql/schema/table.ts';
import { ArrayValue } from '../sql/types/array-value.ts';
import { checkedDimensions, VECTOR_DIMENSIONS_MAX } from '../sql/types/vector.ts';
import type { RowSource } from './row-source.ts';

/** Null for a row without a vector of as many dimensions. */
export type RowVector = Float64Array | null;

/** Of a double as JSON, with its comma. */
const NUMBER_LENGTH_MAX = 26;
const NUMBERS: ReadonlySet<number> = new Set([OID.int2, OID.int4, OID.int8, OID.float4, OID.float8]);

export class VectorSource implements RowSource<RowVector> {
  readonly nothing = null;
  readonly column: SqlColumn;
  readonly dimensions: number;
  readonly #document: boolean;

  /** 42703 for an unknown column, 42804 for one that holds no vectors. */
  constructor(table: SqlTable, name: string, dimensions: number) {
    const column = table.columns.find((each) => each.name === name);
    if (column === undefined) throw unknownField(table.name, name, table.columns);
    const { oid, element, title } = column.type;
    const isVector = oid === OID.vector || oid === OID.halfvec || (element !== null && NUMBERS.has(element.oid)) || table.document;
    if (!isVector)
      throw new SvcError('42804', `column "${name}" is of type ${title}, which holds no vectors`, { hint: 'Use vector, halfvec, or an array of numbers.' });
    checkedDimensions(dimensions);
    this.column = column;
    this.dimensions = dimensions;
    this.#document = table.document;
  }

  /** That the column's type has; 0 if it has none. */
  get columnDimensions(): number {
    const { type, typmod } = this.column;
    return (type.oid === OID.vector || type.oid === OID.halfvec) && typmod > 0 ? typmod : 0;
  }

  continues(earlier: RowSource<RowVector>): boolean {
    return (
      earlier instanceof VectorSource &&
      earlier.column.number === this.column.number &&
      earlier.dimensions === this.dimensions &&
      earlier.column.type.oid === this.column.type.oid &&
      // Forks may give two columns the same number.
      this.#missing === earlier.#missing
    );
  }

  equals(other: RowSource<RowVector>): boolean {
    return this.continues(other);
  }

  /** What rows have that are older than the column. */
  get #missing(): string | number | bigint | boolean | null {
    const { type, missing } = this.column;
    return missing === null ? null : type.hashKey(missing);
  }

  // oxlint-disable-next-line require-yield -- a vector is short
  *read(leaf: Leaf, at: number): Generator<void, RowVector> {
    return this.vector(leaf, at);
  }

  vector(leaf: Leaf, at: number): RowVector {
    const vector = this.#anyVector(leaf, at);
    return vector !== null && vector.length === this.dimensions && vector.every(Number.isFinite) ? Float64Array.from(vector) : null;
  }

  /** The vector of any number of dimensions. */
  #anyVector(leaf: Leaf, at: number): (ArrayLike<number> & { every(test: (value: number) => boolean): boolean }) | null {
    if (this.#document) {
      const cells = leaf.col(this.column.number);
      const text = cells === null || cells.kind !== KIND.JSON ? null : cells.passing(at);
      if (typeof text !== 'string' || !text.startsWith('[') || text.length > VECTOR_DIMENSIONS_MAX * NUMBER_LENGTH_MAX) return null;
      const items = JSON.parse(text) as unknown[];
      return items.every((item) => typeof item === 'number') ? items : null;
    }
    const value = passingCell(this.column, leaf, at);
    if (value instanceof Float32Array) return value;
    if (!(value instanceof ArrayValue) || value.lengths.length !== 1) return null;
    const numbers = value.elements.map((each) => (typeof each === 'bigint' ? Number(each) : each));
    return numbers.every((each) => typeof each === 'number') ? numbers : null;
  }

  /** Dimensions of the row's vector; 0 if it has none. */
  dimensionsIn(leaf: Leaf, at: number): number {
    return this.#anyVector(leaf, at)?.length ?? 0;
  }

  isSame(a: Leaf, ai: number, b: Leaf, bi: number): boolean {
    const [x, y] = [this.vector(a, ai), this.vector(b, bi)];
    return x === y || (x !== null && y !== null && x.every((value, i) => value === y[i]));
  }
}
