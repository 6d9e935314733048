/** A relation whose rows are made when first asked for and then kept, with a hash on each column that clients look up by. */
import type { VirtualRelation } from '../plan/logical.ts';
import { hashedRows } from '../types/hashed-rows.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { RelationDefinition } from './relation-definitions.ts';

export type Row = readonly Value[];
type Key = string | number | bigint | boolean;
export type RelationColumns = readonly { readonly name: string; readonly type: SqlType }[];

const NONE: readonly Row[] = [];

/** Rows whose column has a value; `column` is the one it knows to look by. */
export interface OneMaker {
  readonly column: number;
  make(value: Value): readonly Row[];
}

export class MadeRelation implements VirtualRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: RelationColumns;
  readonly hashed: readonly number[];
  /** null once the rows are there: what they were made from may go. */
  #make: (() => readonly Row[]) | null;
  readonly live: boolean;
  own = false;
  counts?: readonly number[];
  store?: SqlTable;
  #rows: readonly Row[] | null = null;
  readonly #hashes = new Map<number, Map<Key, Row[]>>();
  readonly #ones = new Map<Key, readonly Row[]>();

  readonly #one: OneMaker | null;

  readonly #guess: () => number;

  /** `live`: rows are made anew for each scan. `one` makes those of a single key, so that a look needs no scan. `guess`: how many rows there are about. */
  constructor(definition: RelationDefinition, make: () => readonly Row[], live = false, one: OneMaker | null = null, guess: () => number = () => 100) {
    this.#guess = guess;
    this.oid = definition.oid;
    this.schema = definition.schema;
    this.name = definition.name;
    this.columns = definition.columns;
    this.hashed = definition.hashed;
    this.#make = make;
    this.live = live;
    this.#one = one;
  }

  rows(): readonly Row[] {
    if (this.live) return this.#make!();
    if (this.#rows === null) {
      this.#rows = this.#make!();
      this.#make = null;
    }
    return this.#rows;
  }

  find(column: number, value: Value): readonly Row[] {
    if (value === null) return NONE;
    const { type } = this.columns[column];
    const key = type.hashKey(value);
    if (this.live) return this.rows().filter((row) => row[column] !== null && type.hashKey(row[column]) === key);
    if (this.#one?.column === column && this.#rows === null) {
      let rows = this.#ones.get(key);
      if (rows === undefined) {
        rows = this.#one.make(value);
        // What is not there is not remembered: anybody may ask for anything.
        if (rows.length > 0) this.#ones.set(key, rows);
      }
      return rows;
    }
    const hash = this.#hash(column);
    return hash.get(key) ?? NONE;
  }

  #hash(column: number): Map<Key, Row[]> {
    let hash = this.#hashes.get(column);
    if (hash === undefined) this.#hashes.set(column, (hash = hashedRows(this.rows(), column, this.columns[column].type)));
    return hash;
  }

  estimate(): number {
    return this.#rows?.length ?? this.#guess();
  }

  distinct(column: number): number {
    if (this.#rows !== null && !this.live) return this.#hash(column).size;
    const rows = this.estimate();
    // Before rows are there: oids are all different, and what belongs to a relation comes some to each.
    return this.columns[column].name === 'oid' ? rows : rows / ROWS_EACH;
  }
}

/** Columns of a table, constraints and the like, about. */
const ROWS_EACH = 5;
