/**
 * Numbers keys 0, 1, 2 … in the order in which they are first seen. The hash tables of grouping, joins and DISTINCT. Keys are those
 * of `hashKeySource`: numbers use open addressing, strings a small direct-mapped cache in front of a Map; several columns are
 * combined pair by pair from their numbers.
 */

export interface KeyTable<K = unknown> {
  /** Number of keys; an id equal to the count before the call is new. */
  count: number;
  id(key: K): number;
  /** -1 if the key is missing. */
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

/** Whole keys below this may be stored in an array that is indexed by them. */
const DENSE_MAX = 1 << 22;
/** Maximum array slots per key. */
const DENSE_PER_KEY = 8;
const DENSE_MIN = 1024;
const NO_DENSE = new Int32Array(0);
/** Tables of few small keys hash none; their own typed arrays would cost more than the rest of them. */
const HASHED_MIN = 64;
const NO_KEYS = new Float64Array(1);
const NO_IDS = new Int32Array(1);

export class NumberTable implements KeyTable<number | bigint> {
  count = 0;
  /** Id + 1 by key, 0 for none, of whole keys less than its length; other keys are hashed. Generated code looks here first. */
  dense = NO_DENSE;
  /** 0: nothing is hashed yet, and the arrays are the shared empty ones. */
  #mask = 0;
  #keys = NO_KEYS;
  /** Id + 1; 0 for an empty slot. */
  #ids = NO_IDS;
  #used = 0;
  #nan = -1;
  #null = -1;
  #big: Map<bigint, number> | null = null;

  id(key: number | bigint): number {
    if (typeof key !== 'number' || key !== key) return this.#odd(key, true);
    const { dense } = this;
    const whole = key >= 0 && key < DENSE_MAX && (key | 0) === key;
    if (whole && key < dense.length) {
      const known = dense[key];
      if (known !== 0) return known - 1;
      dense[key] = ++this.count;
      return this.count - 1;
    }
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
    if (whole && (key < DENSE_MIN || key < this.count * DENSE_PER_KEY)) {
      this.#widen(key);
      this.dense[key] = id + 1;
      return id;
    }
    if (mask === 0) {
      this.#mask = HASHED_MIN - 1;
      this.#keys = new Float64Array(HASHED_MIN);
      this.#ids = new Int32Array(HASHED_MIN);
      at = hashOf(key) & this.#mask;
    }
    this.#keys[at] = key;
    this.#ids[at] = id + 1;
    if (++this.#used * 2 > this.#mask) this.#grow();
    return id;
  }

  find(key: number | bigint): number {
    if (typeof key !== 'number' || key !== key) return this.#odd(key, false);
    if (key >= 0 && key < this.dense.length && (key | 0) === key) return this.dense[key] - 1;
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

  /** Extends the array to include the key; hashed keys that belong there are copied. */
  #widen(key: number): void {
    let size = Math.max(DENSE_MIN, this.dense.length * 2);
    while (size <= key) size *= 2;
    const wide = new Int32Array(size);
    wide.set(this.dense);
    if (this.#used > 0) {
      for (let i = 0; i < this.#ids.length; i++) {
        const known = this.#keys[i];
        if (this.#ids[i] !== 0 && known >= 0 && known < size && (known | 0) === known) wide[known] = this.#ids[i];
      }
    }
    this.dense = wide;
  }

  /** All its keys in order, if they are at most this many; otherwise the least and the greatest. Null if one is not an ordinary number. */
  keys(most: number): { readonly list: Float64Array; readonly all: boolean } | null {
    if (this.#nan >= 0 || this.#null >= 0 || this.#big !== null) return null;
    const all = this.count <= most;
    const list: number[] = [];
    let min = Infinity;
    let max = -Infinity;
    const take = (key: number): void => {
      if (all) list.push(key);
      else {
        if (key < min) min = key;
        if (key > max) max = key;
      }
    };
    const { dense } = this;
    for (let key = 0; key < dense.length; key++) if (dense[key] !== 0) take(key);
    for (let i = 0; i < this.#ids.length && this.#used > 0; i++) {
      const key = this.#keys[i];
      // Keys in the dense array were copied.
      if (this.#ids[i] !== 0 && !(key >= 0 && key < dense.length && (key | 0) === key)) take(key);
    }
    return { list: all ? Float64Array.from(list).sort() : Float64Array.of(min, max), all };
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
/** Longer texts use a Map, since the runtime caches their hashes. */
const HASHED_LENGTH_MAX = 64;
const TEXTS_FIRST = 64;
/** For a table without texts. */
const NO_TEXTS = new Int32Array(0);
const NO_BUCKETS = new Int32Array(1);

function hashOfText(key: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) h = Math.imul(h ^ key.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  return h ^ (h >>> 13);
}

/** Hashes short texts here: a Map asks the runtime for the hash of each new string, which takes longer than the lookup. */
export class StringTable implements KeyTable<string> {
  count = 0;
  readonly #long = new Map<string, number>();
  /** Short texts, their hashes and their ids, in insertion order. */
  readonly #keys: string[] = [];
  #hashes = NO_TEXTS;
  #idOf = NO_TEXTS;
  /** Position of a text + 1; 0 for none. */
  #buckets = NO_BUCKETS;
  readonly #cached: string[] = new Array<string>(CACHE).fill('');
  readonly #ids = new Int32Array(CACHE).fill(-1);
  #null = -1;

  id(key: string): number {
    const length = key.length;
    const at = length === 0 ? 0 : (length * 31 + key.charCodeAt(0) * 7 + key.charCodeAt(length - 1) * 13 + key.charCodeAt(length >> 1)) & (CACHE - 1);
    if (this.#cached[at] === key && this.#ids[at] >= 0) return this.#ids[at];
    const id = length > HASHED_LENGTH_MAX ? this.#idOfLong(key) : this.#idOfShort(key);
    this.#cached[at] = key;
    this.#ids[at] = id;
    return id;
  }

  #idOfLong(key: string): number {
    let id = this.#long.get(key);
    if (id === undefined) {
      id = this.count++;
      this.#long.set(key, id);
    }
    return id;
  }

  #idOfShort(key: string): number {
    const hash = hashOfText(key);
    let at = this.#bucket(key, hash);
    const known = this.#buckets[at];
    if (known !== 0) return this.#idOf[known - 1];
    const place = this.#keys.length;
    if (place === this.#hashes.length) {
      this.#grow();
      at = this.#bucket(key, hash);
    }
    const id = this.count++;
    this.#keys.push(key);
    this.#hashes[place] = hash;
    this.#idOf[place] = id;
    this.#buckets[at] = place + 1;
    return id;
  }

  /** The slot of the text, or the one that it would have. */
  #bucket(key: string, hash: number): number {
    const buckets = this.#buckets;
    const mask = buckets.length - 1;
    let at = hash & mask;
    for (;;) {
      const place = buckets[at];
      if (place === 0 || (this.#hashes[place - 1] === hash && this.#keys[place - 1] === key)) return at;
      at = (at + 1) & mask;
    }
  }

  #grow(): void {
    const size = Math.max(TEXTS_FIRST, this.#hashes.length * 4);
    const hashes = new Int32Array(size);
    hashes.set(this.#hashes);
    const idOf = new Int32Array(size);
    idOf.set(this.#idOf);
    const buckets = new Int32Array(size * 2);
    const mask = buckets.length - 1;
    for (let place = 0; place < this.#keys.length; place++) {
      let at = hashes[place] & mask;
      while (buckets[at] !== 0) at = (at + 1) & mask;
      buckets[at] = place + 1;
    }
    this.#hashes = hashes;
    this.#idOf = idOf;
    this.#buckets = buckets;
  }

  find(key: string): number {
    if (key.length > HASHED_LENGTH_MAX) return this.#long.get(key) ?? -1;
    const known = this.#buckets[this.#bucket(key, hashOfText(key))];
    return known === 0 ? -1 : this.#idOf[known - 1];
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

/** Two ids as one number; tables stay below 2^26 keys, since memory ends before. */
export const PAIR = 67108864;
