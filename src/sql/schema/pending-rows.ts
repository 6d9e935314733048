/**
 * The rows that one statement wrote to one table, by key: each with its values before the statement and its current ones. While they
 * come in key order, as usual, there is no hash table, only lists.
 */
import type { Key } from '../../tree/datum.ts';
import type { Value } from '../types/value.ts';

const NO_KEYS: Key[] = [];
const NO_ROWS: (readonly Value[] | null)[] = [];

export class PendingRows {
  keys: Key[] = NO_KEYS;
  /** Values before the statement; null if there was no row. */
  before: (readonly Value[] | null)[] = NO_ROWS;
  after: (readonly Value[] | null)[] = NO_ROWS;
  /** Positions by key, once one came out of order. */
  #places: Map<Key, number> | null = null;

  get count(): number {
    return this.keys.length;
  }

  get ascending(): boolean {
    return this.#places === null;
  }

  /** Position of the key, or -1. */
  find(key: Key): number {
    const { keys } = this;
    const end = keys.length;
    if (this.#places !== null) return this.#places.get(key) ?? -1;
    if (end === 0 || key > keys[end - 1]) return -1;
    let low = 0;
    let high = end - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return keys[low] === key ? low : -1;
  }

  has(key: Key): boolean {
    return this.find(key) >= 0;
  }

  /** The key is not there yet. */
  add(key: Key, before: readonly Value[] | null, after: readonly Value[] | null): void {
    const { keys } = this;
    const at = keys.length;
    if (at === 0) {
      // The only row of most statements: growing lists would allocate spare capacity.
      this.#places?.set(key, 0);
      this.keys = [key];
      this.before = [before];
      this.after = [after];
      return;
    }
    if (this.#places !== null) this.#places.set(key, at);
    else if (key < keys[at - 1]) {
      const places = new Map<Key, number>();
      for (let i = 0; i < at; i++) places.set(keys[i], i);
      this.#places = places.set(key, at);
    }
    keys.push(key);
    this.before.push(before);
    this.after.push(after);
  }

  /** Drops the rows that were added last, except the first `count`. */
  cutTo(count: number): void {
    const { keys } = this;
    if (keys.length === count) return;
    if (this.#places !== null) for (let i = count; i < keys.length; i++) this.#places.delete(keys[i]);
    keys.length = count;
    this.before.length = count;
    this.after.length = count;
  }

  /** Sets the row with the key; it may be new. */
  set(key: Key, before: readonly Value[] | null, after: readonly Value[] | null): void {
    const at = this.find(key);
    if (at < 0) this.add(key, before, after);
    else this.after[at] = after;
  }
}
