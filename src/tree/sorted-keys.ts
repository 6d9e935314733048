/** Sorted text keys as bytes side by side: one string per key would have to be created, compared and collected. */
export class SortedKeys {
  readonly bytes: Buffer;
  readonly #ends: Uint32Array;
  /** Offset of the first key. */
  readonly #start: number;

  /** `ends[i]`: end of key `i` and start of the next. Key characters are bytes. */
  constructor(bytes: Buffer, ends: Uint32Array, start = 0) {
    this.bytes = bytes;
    this.#ends = ends;
    this.#start = start;
  }

  get count(): number {
    return this.#ends.length;
  }

  start(i: number): number {
    return i === 0 ? this.#start : this.#ends[i - 1];
  }

  end(i: number): number {
    return this.#ends[i];
  }

  key(i: number): string {
    return this.bytes.latin1Slice(this.start(i), this.end(i));
  }

  /** Keys [from, to). */
  part(from: number, to: number): SortedKeys {
    return new SortedKeys(this.bytes, this.#ends.subarray(from, to), this.start(from));
  }

  /** First of keys [from, to) that is not below `key`, by exponential search. */
  firstAtLeast(from: number, to: number, key: string): number {
    let low = from;
    let step = 1;
    while (low + step <= to && this.#isBelow(low + step - 1, key)) {
      low += step;
      step *= 2;
    }
    let high = Math.min(to, low + step - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBelow(middle, key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBelow(i: number, key: string): boolean {
    const { bytes } = this;
    const start = this.start(i);
    const length = this.end(i) - start;
    const shared = Math.min(length, key.length);
    for (let c = 0; c < shared; c++) {
      const difference = bytes[start + c] - key.charCodeAt(c);
      if (difference !== 0) return difference < 0;
    }
    return length < key.length;
  }
}
