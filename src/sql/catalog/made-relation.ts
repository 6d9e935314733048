/** A relation whose rows are made when first asked for and then kept, with a hash on each column that clients look up by. */
import type { VirtualRelation } from '../plan/logical.ts';
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
  readonly #live: boolean;
  #rows: readonly Row[] | null = null;
  readonly #hashes = new Map<number, Map<Key, Row[]>>();
  readonly #ones = new Map<Key, readonly Row[]>();

  readonly #one: OneMaker | null;

  /** `live`: rows are made anew for each scan. `one` makes those of a single key, so that a look needs no scan. */
  constructor(definition: RelationDefinition, make: () => readonly Row[], live = false, one: OneMaker | null = null) {
    this.oid = definition.oid;
    this.schema = definition.schema;
    this.name = definition.name;
    this.columns = definition.columns;
    this.hashed = definition.hashed;
    this.#make = make;
    this.#live = live;
    this.#one = one;
  }

  rows(): readonly Row[] {
    if (this.#live) return this.#make!();
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
    if (this.#live) return this.rows().filter((row) => row[column] !== null && type.hashKey(row[column]) === key);
    if (this.#one?.column === column && this.#rows === null) {
      let rows = this.#ones.get(key);
      if (rows === undefined) {
        rows = this.#one.make(value);
        // What is not there is not remembered: anybody may ask for anything.
        if (rows.length > 0) this.#ones.set(key, rows);
      }
      return rows;
    }
    let hash = this.#hashes.get(column);
    if (hash === undefined) {
      hash = new Map();
      for (const row of this.rows()) {
        const cell = row[column];
        if (cell === null) continue;
        const own = type.hashKey(cell);
        const list = hash.get(own);
        if (list === undefined) hash.set(own, [row]);
        else list.push(row);
      }
      this.#hashes.set(column, hash);
    }
    return hash.get(key) ?? NONE;
  }
}
