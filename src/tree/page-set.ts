/** A set of page ids as bits, in chunks, because ids are dense but start anywhere. */
const CHUNK = 32768;
const CHUNK_BYTES = 8 + (CHUNK >> 3);

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

  /** `limit` (f64 LE), then for each chunk its number (f64 LE) and its bits, lowest id in the lowest bit. */
  encode(limit: number): Buffer {
    const out = Buffer.alloc(8 + this.#chunks.size * CHUNK_BYTES);
    let at = out.writeDoubleLE(limit, 0);
    for (const [chunk, bits] of this.#chunks) {
      at = out.writeDoubleLE(chunk, at);
      out.set(bits, at);
      at += bits.length;
    }
    return out;
  }

  /** Null if the bytes are not a valid encoding. */
  static decode(bytes: Buffer): { limit: number; pages: PageSet } | null {
    if (bytes.length < 8 || (bytes.length - 8) % CHUNK_BYTES !== 0) return null;
    const pages = new PageSet();
    for (let at = 8; at < bytes.length; at += CHUNK_BYTES) pages.#chunks.set(bytes.readDoubleLE(at), new Uint8Array(bytes.subarray(at + 8, at + CHUNK_BYTES)));
    return { limit: bytes.readDoubleLE(0), pages };
  }

  /** Ids of this set that are not in `other`. */
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
