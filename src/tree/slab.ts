/** Memory of one leaf, cut up: many small arrays with memory of their own would take longer to make than to fill. */
export class Slab {
  readonly #buffer: ArrayBuffer;
  #at = 0;

  constructor(bytes: number) {
    this.#buffer = new ArrayBuffer(bytes);
  }

  /** What an array of so many bytes takes: each begins at a multiple of eight. */
  static size(bytes: number): number {
    return (bytes + 7) & ~7;
  }

  #take(bytes: number): number {
    const at = this.#at;
    this.#at += Slab.size(bytes);
    return at;
  }

  f64(count: number): Float64Array {
    return new Float64Array(this.#buffer, this.#take(8 * count), count);
  }

  i32(count: number): Int32Array {
    return new Int32Array(this.#buffer, this.#take(4 * count), count);
  }

  u32(count: number): Uint32Array {
    return new Uint32Array(this.#buffer, this.#take(4 * count), count);
  }

  big(count: number): BigInt64Array {
    return new BigInt64Array(this.#buffer, this.#take(8 * count), count);
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#buffer, this.#take(count), count);
  }
}
