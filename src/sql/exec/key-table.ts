/**
 * Numbers for keys: 0, 1, 2 … in the order in which keys are first seen. The hash tables of grouping, joins and
 * DISTINCT. Keys are what `hashKeySource` makes: numbers go through open addressing, strings through a small
 * direct-mapped cache in front of a Map; several columns are combined pair by pair from their numbers.
 */

export interface KeyTable<K = unknown> {
  /** How many keys there are; an id equal to the count before the call is new. */
  count: number;
  id(key: K): number;
  /** -1 where the key is not there. */
  find(key: K): number;
  idOfNull(): number;
  findNull(): number;
}

const bits = new Float64Array(1);
const halves = new Int32Array(bits.buffer);

function hashOf(key: number): number {
  const small = key | 0;
  let h: number;
  if (small === key) h = Math.imul(small, 0x9e3779b1);
  else {
    bits[0] = key;
    h = Math.imul(halves[0] ^ Math.imul(halves[1], 0x85ebca6b), 0x9e3779b1);
  }
  return h ^ (h >>> 15);
}

/** Small whole keys find their number in an array without hashing; so many at most. */
const DENSE_MAX = 1 << 18;
/** The array may have so many places for each key. */
const DENSE_PER_KEY = 64;
const NO_DENSE = new Int32Array(0);

export class NumberTable implements KeyTable<number | bigint> {
  count = 0;
  /** Id + 1 by key, for keys that were asked for before; 0: ask. */
  dense = NO_DENSE;
  #mask = 63;
  #keys = new Float64Array(64);
  /** Id + 1; 0 for an empty place. */
  #ids = new Int32Array(64);
  #used = 0;
  #nan = -1;
  #null = -1;
  #big: Map<bigint, number> | null = null;

  id(key: number | bigint): number {
    if (typeof key !== 'number' || key !== key) return this.#odd(key, true);
    const keys = this.#keys;
    const ids = this.#ids;
    const mask = this.#mask;
    let at = hashOf(key) & mask;
    for (;;) {
      const found = ids[at];
      if (found === 0) break;
      if (keys[at] === key) return found - 1;
      at = (at + 1) & mask;
    }
    const id = this.count++;
    keys[at] = key;
    ids[at] = id + 1;
    if (++this.#used * 2 > mask) this.#grow();
    if (key >= 0 && key < DENSE_MAX && (key | 0) === key) this.#note(key, id);
    return id;
  }

  #note(key: number, id: number): void {
    if (key >= this.dense.length) {
      if (key >= (this.count + 16) * DENSE_PER_KEY) return;
      let size = Math.max(64, this.dense.length);
      while (size <= key) size *= 4;
      const grown = new Int32Array(size);
      for (let i = 0; i < this.#ids.length; i++) {
        const known = this.#keys[i];
        if (this.#ids[i] !== 0 && known >= 0 && known < size && (known | 0) === known) grown[known] = this.#ids[i];
      }
      this.dense = grown;
    }
    this.dense[key] = id + 1;
  }

  find(key: number | bigint): number {
    if (typeof key !== 'number' || key !== key) return this.#odd(key, false);
    const keys = this.#keys;
    const ids = this.#ids;
    const mask = this.#mask;
    let at = hashOf(key) & mask;
    for (;;) {
      const found = ids[at];
      if (found === 0) return -1;
      if (keys[at] === key) return found - 1;
      at = (at + 1) & mask;
    }
  }

  idOfNull(): number {
    if (this.#null < 0) this.#null = this.count++;
    return this.#null;
  }

  findNull(): number {
    return this.#null;
  }

  #odd(key: number | bigint, add: boolean): number {
    if (typeof key === 'number') {
      if (this.#nan < 0 && add) this.#nan = this.count++;
      return this.#nan;
    }
    const known = this.#big?.get(key);
    if (known !== undefined || !add) return known ?? -1;
    this.#big ??= new Map();
    this.#big.set(key, this.count);
    return this.count++;
  }

  #grow(): void {
    const size = (this.#mask + 1) * 4;
    const mask = size - 1;
    const keys = new Float64Array(size);
    const ids = new Int32Array(size);
    for (let i = 0; i < this.#ids.length; i++) {
      if (this.#ids[i] === 0) continue;
      let at = hashOf(this.#keys[i]) & mask;
      while (ids[at] !== 0) at = (at + 1) & mask;
      keys[at] = this.#keys[i];
      ids[at] = this.#ids[i];
    }
    this.#mask = mask;
    this.#keys = keys;
    this.#ids = ids;
  }
}

const CACHE = 256;

export class StringTable implements KeyTable<string> {
  count = 0;
  readonly #map = new Map<string, number>();
  readonly #cached: string[] = new Array<string>(CACHE).fill('');
  readonly #ids = new Int32Array(CACHE).fill(-1);
  #null = -1;

  id(key: string): number {
    const length = key.length;
    const at = length === 0 ? 0 : (length * 31 + key.charCodeAt(0) * 7 + key.charCodeAt(length - 1) * 13 + key.charCodeAt(length >> 1)) & (CACHE - 1);
    if (this.#cached[at] === key && this.#ids[at] >= 0) return this.#ids[at];
    let id = this.#map.get(key);
    if (id === undefined) {
      id = this.count++;
      this.#map.set(key, id);
    }
    this.#cached[at] = key;
    this.#ids[at] = id;
    return id;
  }

  find(key: string): number {
    return this.#map.get(key) ?? -1;
  }

  idOfNull(): number {
    if (this.#null < 0) this.#null = this.count++;
    return this.#null;
  }

  findNull(): number {
    return this.#null;
  }
}

/** Keys of mixed primitives. */
export class MixedTable implements KeyTable<unknown> {
  count = 0;
  readonly #map = new Map<unknown, number>();
  #null = -1;

  id(key: unknown): number {
    let id = this.#map.get(key);
    if (id === undefined) {
      id = this.count++;
      this.#map.set(key, id);
    }
    return id;
  }

  find(key: unknown): number {
    return this.#map.get(key) ?? -1;
  }

  idOfNull(): number {
    if (this.#null < 0) this.#null = this.count++;
    return this.#null;
  }

  findNull(): number {
    return this.#null;
  }
}

/** Two ids as one number; tables stay below 2^26 keys, memory ends before. */
export const PAIR = 67108864;
