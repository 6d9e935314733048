/** Page ids as bits, in chunks, because ids are dense but start anywhere. */
const CHUNK = 32768;

export class PageSet {
  readonly #chunks = new Map<number, Uint8Array>();

  /** Whether the id was new. */
  add(id: number): boolean {
    const chunk = Math.floor(id / CHUNK);
    let bits = this.#chunks.get(chunk);
    if (bits === undefined) {
      bits = new Uint8Array(CHUNK >> 3);
      this.#chunks.set(chunk, bits);
    }
    const at = id % CHUNK;
    const mask = 1 << (at & 7);
    if ((bits[at >> 3] & mask) !== 0) return false;
    bits[at >> 3] |= mask;
    return true;
  }

  has(id: number): boolean {
    const bits = this.#chunks.get(Math.floor(id / CHUNK));
    const at = id % CHUNK;
    return bits !== undefined && (bits[at >> 3] & (1 << (at & 7))) !== 0;
  }

  /** Ids of this set that `other` does not have. */
  *without(other: PageSet): Iterable<number> {
    for (const [chunk, bits] of this.#chunks) {
      const others = other.#chunks.get(chunk);
      for (let byte = 0; byte < bits.length; byte++) {
        const left = others === undefined ? bits[byte] : bits[byte] & ~others[byte];
        if (left === 0) continue;
        for (let bit = 0; bit < 8; bit++) if ((left & (1 << bit)) !== 0) yield chunk * CHUNK + byte * 8 + bit;
      }
    }
  }
}
