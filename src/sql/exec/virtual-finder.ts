/** The rows of a virtual relation in one run: rows that are computed per statement are computed once in it. */
import type { VirtualRelation } from '../plan/logical.ts';
import { ArrayValue } from '../types/array-value.ts';
import { hashedRows } from '../types/hashed-rows.ts';
import type { Value } from '../types/value.ts';

export type VirtualRow = readonly Value[];
type Rows = readonly VirtualRow[];
type Key = string | number | bigint | boolean;

const NONE: Rows = [];

/** After this many lookups in a computed relation, all of its rows are computed at once. */
const ALONE_MAX = 100;

export class VirtualFinder {
  readonly #relation: VirtualRelation;
  #rows: Rows | null = null;
  #alone = 0;
  readonly #hashes = new Map<number, Map<Key, VirtualRow[]>>();

  constructor(relation: VirtualRelation) {
    this.#relation = relation;
  }

  all(): Rows {
    if (this.#rows !== null) return this.#rows;
    const rows = this.#relation.rows();
    return (this.#rows = Array.isArray(rows) ? (rows as Rows) : [...rows]);
  }

  /** Rows whose column is the value. */
  one(column: number, value: Value): Rows {
    if (value === null) return NONE;
    if (this.#relation.live !== true || this.#isAlone(column)) return this.#relation.find(column, value) as Rows;
    return this.#hash(column).get(this.#relation.columns[column].type.hashKey(value)) ?? NONE;
  }

  /** Rows whose column is any of the values, or of the elements of array values; each once. */
  any(column: number, values: readonly Value[]): Rows {
    const { type } = this.#relation.columns[column];
    const seen = new Set<Key>();
    const out: VirtualRow[] = [];
    for (const each of values) {
      for (const value of each instanceof ArrayValue ? each.elements : [each]) {
        if (value === null) continue;
        const key = type.hashKey(value);
        if (seen.has(key)) continue;
        seen.add(key);
        for (const row of this.one(column, value)) out.push(row);
      }
    }
    return out;
  }

  /** Whether a lookup in a computed relation computes only its own rows. */
  #isAlone(column: number): boolean {
    return this.#rows === null && this.#relation.determines?.(column) === true && this.#alone++ < ALONE_MAX;
  }

  #hash(column: number): Map<Key, VirtualRow[]> {
    let hash = this.#hashes.get(column);
    if (hash === undefined) this.#hashes.set(column, (hash = hashedRows(this.all(), column, this.#relation.columns[column].type)));
    return hash;
  }
}
