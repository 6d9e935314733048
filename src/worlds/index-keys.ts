/**
 * Entries of an index, computed from cells alone: the fold maintains indexes without SQL. What is not a plain column (an
 * expression, a type whose order needs the type, a partial index's condition) is a hidden cell of the row
 * that writers store with the columns.
 *
 *   entry = for each column: marker 00 null first | 01 value | 02 null last, code;  then the row's key
 *   an index of lists: marker 03, the column's place, one key of its list; an entry for each key of each column
 *   a numeric row key as 8 bytes, a byte string unchanged; column 1 of the entry holds the row key too
 */
import type { Datum, Key, RowChange, Shape } from '../tree/datum.ts';
import { KIND } from '../tree/datum.ts';
import type { Leaf } from '../tree/node.ts';
import type { AttributeObject, IndexObject, KeyCode } from './definition.ts';
import type { KeyBytes } from './key-bytes.ts';
import { decodeKeyList } from './key-list.ts';
import { encodeKeyPart, encodeSafe } from './memcomparable.ts';

/** Column of an entry that holds the row's key. */
export const ROW_KEY = 1;
export const NUMERIC_ENTRY: Shape = { ids: [ROW_KEY], kinds: [KIND.F64] };
export const BYTES_ENTRY: Shape = { ids: [ROW_KEY], kinds: [KIND.BIN] };

export class IndexKeys {
  readonly number: number;
  readonly unique: boolean;
  readonly nullsNotDistinct: boolean;
  readonly name: string;
  /** Cells of a row that determine its entry. */
  readonly cells: readonly number[];
  /** Everything the entries depend on: an index whose form changes is rebuilt. */
  readonly form: string;
  /** Whether a row may have several entries. */
  readonly lists: boolean;
  readonly #codes: readonly KeyCode[];
  readonly #descending: readonly boolean[];
  readonly #nullsFirst: readonly boolean[];
  readonly #missing: readonly Datum[];
  /** Whether the last of `cells` is a partial index's condition. */
  readonly #partial: boolean;
  #shape: Shape | null = null;
  #positions: number[] = [];
  readonly #row: Datum[] = [];

  constructor(index: IndexObject, attributes: readonly AttributeObject[]) {
    this.number = index.number;
    this.name = index.name;
    this.unique = index.unique;
    this.nullsNotDistinct = index.nullsNotDistinct;
    const { columns, whereCell } = index;
    this.cells = whereCell === null ? columns.map(({ cell }) => cell) : [...columns.map(({ cell }) => cell), whereCell];
    this.#partial = whereCell !== null;
    this.#codes = columns.map(({ code }) => code);
    this.lists = this.#codes.includes('list');
    this.#descending = columns.map(({ descending }) => descending);
    this.#nullsFirst = columns.map(({ nullsFirst }) => nullsFirst);
    this.#missing = this.cells.map((cell) => missingCell(attributes.find(({ number }) => number === cell)));
    this.form = JSON.stringify([this.cells, this.#codes, this.#descending, this.#nullsFirst, this.#missing.map(String), this.#partial]);
  }

  /** Prefix of the entry before the row's key; null if the row is not in the index. `values` align with `cells`. */
  prefix(values: readonly Datum[]): string | null {
    const codes = this.#codes;
    const count = codes.length;
    if (this.#partial && values[count] !== true) return null;
    let out = encodeKeyPart(values[0], codes[0], this.#descending[0], this.#nullsFirst[0]);
    for (let i = 1; i < count; i++) out += encodeKeyPart(values[i], codes[i], this.#descending[i], this.#nullsFirst[i]);
    return out;
  }

  /** Writes the prefix; false, with nothing written, if the row is not in the index. */
  writePrefix(values: readonly Datum[], into: KeyBytes): boolean {
    const codes = this.#codes;
    const count = codes.length;
    if (this.#partial && values[count] !== true) return false;
    for (let i = 0; i < count; i++) into.part(values[i], codes[i], this.#descending[i], this.#nullsFirst[i]);
    return true;
  }

  /** For an index of lists. */
  prefixes(values: readonly Datum[]): string[] {
    const out: string[] = [];
    const count = this.#codes.length;
    if (this.#partial && values[count] !== true) return out;
    for (let i = 0; i < count; i++) {
      const cell = values[i];
      if (typeof cell === 'string') for (const key of decodeKeyList(cell)) out.push(listedKey(i, key));
    }
    return out;
  }

  /** Whether a row with these cells is subject to uniqueness: nulls are distinct by default. */
  claims(values: readonly Datum[]): boolean {
    if (!this.unique) return false;
    if (this.nullsNotDistinct) return true;
    for (let i = 0; i < this.#codes.length; i++) if (values[i] === null || values[i] === undefined) return false;
    return true;
  }

  /** Cells of a row in a leaf; returns the same array each time. */
  ofLeaf(leaf: Leaf, at: number): Datum[] {
    const row = this.#row;
    for (let i = 0; i < this.cells.length; i++) {
      const value = leaf.cell(at, this.cells[i]);
      row[i] = value === undefined ? this.#missing[i] : value;
    }
    return row;
  }

  /** Cells of a whole row of an event (an insert's after, a delete's before); returns the same array each time. */
  ofRow(shape: Shape, values: readonly Datum[]): Datum[] {
    const positions = this.#positionsIn(shape);
    const row = this.#row;
    for (let i = 0; i < positions.length; i++) {
      const value = positions[i] < 0 ? undefined : values[positions[i]];
      row[i] = value === undefined ? this.#missing[i] : value;
    }
    return row;
  }

  /** Overlays an update's values on the cells of `ofLeaf`. */
  over(row: Datum[], shape: Shape, values: readonly Datum[]): Datum[] {
    const positions = this.#positionsIn(shape);
    for (let i = 0; i < positions.length; i++) {
      if (positions[i] < 0) continue;
      const value = values[positions[i]];
      row[i] = value === undefined ? this.#missing[i] : value;
    }
    return row;
  }

  /** Whether an update of these columns can change the entry. */
  touchedBy(shape: Shape): boolean {
    return this.#positionsIn(shape).some((at) => at >= 0);
  }

  #positionsIn(shape: Shape): number[] {
    if (this.#shape !== shape) {
      this.#positions = this.cells.map((cell) => shape.ids.indexOf(cell));
      this.#shape = shape;
    }
    return this.#positions;
  }
}

/** Prefix of the entries for one key of the list in a column, counted from 0. */
export function listedKey(column: number, key: string): string {
  return `\x03${String.fromCharCode(column)}${key}`;
}

/** A row's value in a column added after the row was stored. JSON has no 64-bit integers: they are text after a zero. */
export function missingCell(attribute: AttributeObject | undefined): Datum {
  const cell = attribute?.missingCell ?? null;
  return typeof cell === 'string' && cell.startsWith('\0') ? BigInt(cell.slice(1)) : cell;
}

export function missingCellText(cell: Datum): AttributeObject['missingCell'] {
  return typeof cell === 'bigint' ? `\0${cell}` : (cell ?? null);
}

export function entryKey(prefix: string, row: Key): string {
  return prefix + (typeof row === 'number' ? encodeSafe(row) : row);
}

export function entryAdded(key: string, row: Key): RowChange {
  return { key, shape: typeof row === 'number' ? NUMERIC_ENTRY : BYTES_ENTRY, before: null, after: [row] };
}

export function entryRemoved(key: string, row: Key): RowChange {
  return { key, shape: typeof row === 'number' ? NUMERIC_ENTRY : BYTES_ENTRY, before: [row], after: null };
}
