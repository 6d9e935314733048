/**
 * A map that can be forked at no cost: the fork shares what was there and keeps its own changes beside it. What
 * changed lies in a small map over the shared one, which is put together anew when it grows. Entries come in the order
 * in which their keys were first set.
 */
export class LayeredMap<K, V> implements ReadonlyMap<K, V> {
  #base: Map<K, V>;
  /** undefined: taken away. */
  #over = new Map<K, V | undefined>();
  /** The base is seen by this map alone. */
  #own: boolean;
  #size: number;

  constructor(base: Map<K, V> = new Map(), own = true) {
    this.#base = base;
    this.#own = own;
    this.#size = base.size;
  }

  get size(): number {
    return this.#size;
  }

  get(key: K): V | undefined {
    return this.#over.has(key) ? this.#over.get(key) : this.#base.get(key);
  }

  has(key: K): boolean {
    return this.#over.has(key) ? this.#over.get(key) !== undefined : this.#base.has(key);
  }

  set(key: K, value: V): this {
    if (!this.has(key)) this.#size++;
    if (this.#own) this.#base.set(key, value);
    else {
      this.#over.set(key, value);
      if (this.#over.size > OVER_MAX) this.#flatten();
    }
    return this;
  }

  delete(key: K): boolean {
    if (!this.has(key)) return false;
    this.#size--;
    if (this.#own) this.#base.delete(key);
    else {
      this.#over.set(key, undefined);
      if (this.#over.size > OVER_MAX) this.#flatten();
    }
    return true;
  }

  /** A map of its own with the same entries. */
  fork(): LayeredMap<K, V> {
    this.#own = false;
    const fork = new LayeredMap(this.#base, false);
    fork.#over = new Map(this.#over);
    fork.#size = this.#size;
    return fork;
  }

  #flatten(): void {
    this.#base = new Map(this.entries());
    this.#over = new Map();
    this.#own = true;
  }

  *entries(): MapIterator<[K, V]> {
    const over = this.#over;
    if (over.size === 0) {
      yield* this.#base.entries();
      return;
    }
    for (const entry of this.#base) {
      if (!over.has(entry[0])) yield entry;
      else {
        const value = over.get(entry[0]);
        if (value !== undefined) yield [entry[0], value];
      }
    }
    for (const [key, value] of over) if (value !== undefined && !this.#base.has(key)) yield [key, value];
  }

  *keys(): MapIterator<K> {
    if (this.#over.size === 0) yield* this.#base.keys();
    else for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    if (this.#over.size === 0) yield* this.#base.values();
    else for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(each: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) each(value, key, this);
  }
}

/** Forks copy the changes; past so many they make a base of their own. */
const OVER_MAX = 128;
