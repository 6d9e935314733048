/**
 * A relation whose rows are computed on first use and then cached, with a hash on each column that clients look up by. Rows of
 * built-in objects follow those of a world's, and have hashes of their own, which outlive the world's definitions.
 */
import type { VirtualRelation } from '../plan/logical.ts';
import { hashedRows } from '../types/hashed-rows.ts';
import type { SqlTable } from '../schema/table.ts';
import type { SqlType } from '../types/type.ts';
import type { Value } from '../types/value.ts';
import type { RelationDefinition } from './relation-definitions.ts';
import type { Determines } from './relations-seen.ts';

export type Row = readonly Value[];
type Key = string | number | bigint | boolean;
type Hash = Map<Key, Row[]>;
export type RelationColumns = readonly { readonly name: string; readonly type: SqlType }[];

const NONE: readonly Row[] = [];

/** Lookups that compute only the rows of the relations in question; after more, all rows are computed. */
const LOOKUPS_MAX = 200;

export interface RowMaker {
  own(): readonly Row[];
  /** Rows of built-in objects: the same list as long as they are the same. */
  readonly system: (() => readonly Row[]) | null;
  /** For each column, how its values determine the relations whose rows match. */
  readonly determines: readonly (Determines | null)[];
  /** The rows of those relations, of which some may have another value in the column. */
  some(how: Determines, value: Value): readonly Row[];
  /** Estimated number of rows. */
  guess(): number;
}

export class MadeRelation implements VirtualRelation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: RelationColumns;
  readonly hashed: readonly number[];
  readonly live: boolean;
  readonly view: boolean;
  own = false;
  counts?: readonly number[];
  store?: SqlTable;
  /** null once all rows are computed: its inputs can be released. */
  #maker: RowMaker | null;
  readonly #determines: readonly (Determines | null)[];
  #own: readonly Row[] | null = null;
  #rows: readonly Row[] | null = null;
  #system: readonly Row[] | null = null;
  readonly #hashes = new Map<number, Hash>();
  readonly #found = new Map<number, Map<Key, readonly Row[]>>();
  #lookups = 0;

  /** `live`: rows are computed for each scan. */
  constructor({ oid, schema, name, kind, columns, hashed }: Omit<RelationDefinition, 'schema'> & { readonly schema: string }, maker: RowMaker, live = false) {
    this.oid = oid;
    this.schema = schema;
    this.name = name;
    this.columns = columns;
    this.hashed = hashed;
    this.live = live;
    this.view = kind === 'v';
    this.#maker = maker;
    this.#determines = maker.determines;
  }

  rows(): readonly Row[] {
    if (this.live) return this.#maker!.own();
    if (this.#rows === null) {
      const own = this.#ownRows();
      const system = this.#systemRows();
      this.#rows = together(own, system);
    }
    return this.#rows;
  }

  #ownRows(): readonly Row[] {
    if (this.#own === null) {
      this.#own = this.#maker!.own();
      this.#letGo();
    }
    return this.#own;
  }

  #systemRows(): readonly Row[] {
    if (this.#system === null) {
      this.#system = this.#maker!.system?.() ?? NONE;
      this.#letGo();
    }
    return this.#system;
  }

  #letGo(): void {
    if (this.#own !== null && this.#system !== null) this.#maker = null;
  }

  determines(column: number): boolean {
    return this.#determines[column] !== null;
  }

  find(column: number, value: Value): readonly Row[] {
    if (value === null) return NONE;
    const { type } = this.columns[column];
    const key = type.hashKey(value);
    if (this.live) return this.#some(column, value, key) ?? withKey(this.rows(), column, type, key);
    const own = (this.#own === null ? this.#foundBefore(column, value, key) : null) ?? this.#hash(column).get(key) ?? NONE;
    const system = this.#systemHash(column).get(key) ?? NONE;
    return together(own, system);
  }

  /** null if the column does not determine relations. */
  #some(column: number, value: Value, key: Key): readonly Row[] | null {
    const how = this.#determines[column];
    return how === null ? null : withKey(this.#maker!.some(how, value), column, this.columns[column].type, key);
  }

  #foundBefore(column: number, value: Value, key: Key): readonly Row[] | null {
    let found = this.#found.get(column);
    const before = found?.get(key);
    if (before !== undefined) return before;
    if (++this.#lookups > LOOKUPS_MAX) return null;
    const rows = this.#some(column, value, key);
    if (rows === null) return null;
    if (found === undefined) this.#found.set(column, (found = new Map()));
    found.set(key, rows);
    return rows;
  }

  #hash(column: number): Hash {
    let hash = this.#hashes.get(column);
    if (hash === undefined) this.#hashes.set(column, (hash = hashedRows(this.#ownRows(), column, this.columns[column].type)));
    return hash;
  }

  #systemHash(column: number): Hash {
    const rows = this.#systemRows();
    let hashes = systemHashes.get(rows);
    if (hashes === undefined) systemHashes.set(rows, (hashes = new Map()));
    let hash = hashes.get(column);
    if (hash === undefined) hashes.set(column, (hash = hashedRows(rows, column, this.columns[column].type)));
    return hash;
  }

  estimate(): number {
    if (this.#maker !== null) return this.#maker.guess();
    return this.#ownRows().length + this.#systemRows().length;
  }

  distinct(column: number): number {
    if (this.#maker === null) return this.#hash(column).size + this.#systemHash(column).size;
    const rows = this.estimate();
    // Before rows are computed: oids are unique, and each relation has some rows of its parts.
    return this.columns[column].name === 'oid' ? rows : rows / ROWS_EACH;
  }
}

function together(own: readonly Row[], system: readonly Row[]): readonly Row[] {
  return system.length === 0 ? own : own.length === 0 ? system : [...own, ...system];
}

/** By the list of rows, and by column. */
const systemHashes = new WeakMap<readonly Row[], Map<number, Hash>>();

function withKey(rows: readonly Row[], column: number, type: SqlType, key: Key): readonly Row[] {
  return rows.filter((row) => row[column] !== null && type.hashKey(row[column]) === key);
}

/** Approximate rows per relation: columns of a table, constraints and similar. */
const ROWS_EACH = 5;
