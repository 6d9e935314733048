/**
 * A map with free forks: a fork shares the entries and keeps its own changes. Changes are a small map over the shared one,
 * merged when it grows. Iteration is in the order in which keys were first set.
 */
export class LayeredMap<K, V> implements ReadonlyMap<K, V> {
  #base: Map<K, V>;
  /** undefined: deleted. */
  #over = new Map<K, V | undefined>();
  /** Whether the changes belong to this map alone. */
  #ownOver = true;
  /** Whether the base belongs to this map alone. */
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
    else this.#change(key, value);
    return this;
  }

  delete(key: K): boolean {
    if (!this.has(key)) return false;
    this.#size--;
    if (this.#own) this.#base.delete(key);
    else this.#change(key, undefined);
    return true;
  }

  #change(key: K, value: V | undefined): void {
    if (!this.#ownOver) this.#over = new Map(this.#over);
    this.#ownOver = true;
    this.#over.set(key, value);
    if (this.#over.size > OVER_MAX) this.#flatten();
  }

  /** A separate map with the same entries. */
  fork(): LayeredMap<K, V> {
    this.#own = false;
    const fork = new LayeredMap(this.#base, false);
    fork.#over = this.#over;
    fork.#ownOver = this.#ownOver = false;
    fork.#size = this.#size;
    return fork;
  }

  #flatten(): void {
    const base = new Map<K, V>();
    const over = this.#over;
    for (const [key, value] of this.#base) {
      if (!over.has(key)) base.set(key, value);
      else {
        const changed = over.get(key);
        if (changed !== undefined) base.set(key, changed);
      }
    }
    for (const [key, value] of over) if (value !== undefined) base.set(key, value);
    this.#base = base;
    this.#over = new Map();
    this.#own = true;
    this.#ownOver = true;
  }

  /** Merged first: a full iteration is mostly repeated. */
  #whole(): Map<K, V> {
    if (this.#over.size > 0) this.#flatten();
    return this.#base;
  }

  entries(): MapIterator<[K, V]> {
    return this.#whole().entries();
  }

  keys(): MapIterator<K> {
    return this.#whole().keys();
  }

  values(): MapIterator<V> {
    return this.#whole().values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(each: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.#whole()) each(value, key, this);
  }
}

/** The first write of a fork copies the changes; beyond this many it builds its own base. */
const OVER_MAX = 128;
