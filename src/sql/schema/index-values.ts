/** The index data of a row: its columns, its entry's prefix, its hidden cells. */
import type { Datum } from '../../tree/datum.ts';
import type { IndexObject } from '../../worlds/definition.ts';
import type { Value } from '../types/value.ts';
import type { Compiler } from './compiler.ts';
import { encodeKeyList } from '../../worlds/key-list.ts';
import { encodePart, hiddenKey, type KeyPart } from './key-codec.ts';
import type { Schema } from './schema.ts';
import { listedKeys } from './search-keys.ts';
import type { Index, SqlTable } from './table.ts';

type OfRow = (row: readonly Value[]) => Value;

export class IndexValues {
  readonly index: Index;
  /** Hidden cells of a row for this index. */
  readonly cells: readonly number[];
  readonly #columns: readonly OfRow[];
  readonly #parts: readonly KeyPart[];
  readonly #where: ((row: readonly Value[]) => boolean | null) | null;
  /** Positions in the index of the columns in `cells`. */
  readonly #hidden: readonly number[];

  constructor(schema: Schema, table: SqlTable, index: Index, compiler: Compiler) {
    this.index = index;
    this.#parts = schema.indexParts(index);
    this.#columns = index.columns.map(({ column, expression, type }): OfRow => {
      if (expression !== null) return compiler.expression(table, expression, type, -1);
      return (row) => row[column!];
    });
    this.#where = index.where === null ? null : compiler.check(table, index.where);
    const object = schema.catalog.indexes.get(index.number)!;
    this.#hidden = index.entries === 'none' ? [] : hiddenPositions(object);
    this.cells = this.#hidden.map((at) => object.columns[at].cell);
    if (object.whereCell !== null) this.cells = [...this.cells, object.whereCell];
  }

  values(row: readonly Value[]): Value[] {
    return this.#columns.map((column) => column(row));
  }

  holds(row: readonly Value[]): boolean {
    return this.#where === null || this.#where(row) === true;
  }

  /** The entry's prefix if it must be unique; otherwise null. */
  claim(row: readonly Value[]): string | null {
    if (!this.index.unique || !this.holds(row)) return null;
    return this.prefix(row);
  }

  /** As `claim`, ignoring the index's condition; null if a null makes it distinct from all others. */
  prefix(row: readonly Value[]): string | null {
    const distinct = !this.index.nullsNotDistinct;
    let out = '';
    for (let i = 0; i < this.#columns.length; i++) {
      const value = this.#columns[i](row);
      if (value === null && distinct) return null;
      out += encodePart(this.#parts[i], value);
    }
    return out;
  }

  /** Appends the hidden cells of a row. */
  pushCells(row: readonly Value[], out: Datum[]): void {
    for (const at of this.#hidden) {
      const value = this.#columns[at](row);
      if (this.index.entries === 'lists') out.push(value === null ? null : encodeKeyList(listedKeys(this.index.columns[at].type, value)));
      else out.push(hiddenKey(this.#parts[at].codec, value));
    }
    if (this.#where !== null) out.push(this.#where(row) === true);
  }
}

function hiddenPositions({ columns }: IndexObject): number[] {
  return columns.flatMap(({ column, cell }, i) => (cell === column ? [] : [i]));
}
