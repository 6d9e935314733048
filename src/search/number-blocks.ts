/**
 * Vectors side by side in large blocks outside the JavaScript heap, each filled up with zeros to the same width, and their dot products with
 * one vector. A block has the kernels over its memory (dot-kernels.ts), or plain memory where there are none.
 */
import { type Kernels, kernelsOver } from './dot-kernels.ts';

/** A memory of WebAssembly takes addresses for 4 GiB and more, of which a process has few: blocks are large, and small ones do without. */
const BLOCK_BYTES = 256 << 20;
const KERNELS_FROM_BYTES = { floats: 1 << 20, bytes: 1 << 16 };
/** Vectors in one call. */
export const VECTORS_A_CALL = 1024;
const OUT_BYTES = 4 * VECTORS_A_CALL;

export type Numbers = Float32Array | Int8Array;

/** For tests: plain memory only. */
export const KERNELS = { off: false };

interface Block<N extends Numbers> {
  readonly numbers: N;
  readonly kernels: Kernels | null;
}

/** Floats, with floats as the query; or bytes, with 16-bit numbers as the query, whose sums are to stay below 2³¹. */
export class NumberBlocks<N extends Numbers> {
  readonly width: number;
  /** Vectors that it has room for. */
  readonly capacity: number;
  /** Made as they are needed. */
  readonly #blocks: (Block<N> | undefined)[] = [];
  readonly #perBlock: number;
  readonly #isFloats: boolean;
  readonly #headBytes: number;

  static floats(capacity: number, dimensions: number): NumberBlocks<Float32Array> {
    return new NumberBlocks<Float32Array>(capacity, dimensions, true);
  }

  static bytes(capacity: number, dimensions: number): NumberBlocks<Int8Array> {
    return new NumberBlocks<Int8Array>(capacity, dimensions, false);
  }

  private constructor(capacity: number, dimensions: number, isFloats: boolean) {
    this.capacity = capacity;
    this.#isFloats = isFloats;
    const step = isFloats ? 8 : 16;
    this.width = Math.ceil(dimensions / step) * step;
    const vectorBytes = this.width * (isFloats ? 4 : 1);
    const queryBytes = this.width * (isFloats ? 4 : 2);
    this.#headBytes = queryBytes + OUT_BYTES;
    this.#perBlock = Math.max(VECTORS_A_CALL, Math.floor(BLOCK_BYTES / vectorBytes / VECTORS_A_CALL) * VECTORS_A_CALL);
  }

  #block(i: number): Block<N> {
    const at = Math.floor(i / this.#perBlock);
    return this.#blocks[at] ?? (this.#blocks[at] = this.#made(Math.min(this.#perBlock, this.capacity - at * this.#perBlock)));
  }

  #made(vectors: number): Block<N> {
    const sizeBytes = this.sizeBytes(vectors);
    const kernels = sizeBytes < KERNELS_FROM_BYTES[this.#isFloats ? 'floats' : 'bytes'] || KERNELS.off ? null : kernelsOver(this.#headBytes + sizeBytes);
    const buffer = kernels === null ? new ArrayBuffer(sizeBytes) : kernels.memory.buffer;
    const from = kernels === null ? 0 : this.#headBytes;
    const numbers = this.#isFloats ? new Float32Array(buffer, from, sizeBytes / 4) : new Int8Array(buffer, from, sizeBytes);
    return { numbers: numbers as N, kernels };
  }

  /** Whether vector instructions are used. */
  get kernelled(): boolean {
    return this.capacity > 0 && this.#block(0).kernels !== null;
  }

  /** Of `count` vectors. */
  sizeBytes(count: number): number {
    return count * this.width * (this.#isFloats ? 4 : 1);
  }

  /** The numbers among which a vector is, from `offset(i)` on. */
  numbers(i: number): N {
    return this.#block(i).numbers;
  }

  offset(i: number): number {
    return (i % this.#perBlock) * this.width;
  }

  /** Writes the dot products of the vectors `from` … `to - 1` with the query, which is as wide as they are, to `out`. */
  dots(query: Float32Array | Int16Array, from: number, to: number, out: Float32Array | Int32Array): void {
    for (let at = from; at < to;) {
      const block = this.#block(at);
      const start = at % this.#perBlock;
      const count = Math.min(to - at, VECTORS_A_CALL, this.#perBlock - start);
      if (block.kernels === null) plainDots(query, block.numbers, start * this.width, this.width, out, at - from, count);
      else this.#kernelDots(block.kernels, query, start, count, out, at - from);
      at += count;
    }
  }

  #kernelDots(kernels: Kernels, query: Float32Array | Int16Array, start: number, count: number, out: Float32Array | Int32Array, at: number): void {
    const { buffer } = kernels.memory;
    const outAt = this.#headBytes - OUT_BYTES;
    if (this.#isFloats) {
      new Float32Array(buffer, 0, this.width).set(query);
      kernels.floats(0, this.#headBytes + start * this.width * 4, count, this.width, outAt);
      out.set(new Float32Array(buffer, outAt, count), at);
    } else {
      new Int16Array(buffer, 0, this.width).set(query);
      kernels.bytes(0, this.#headBytes + start * this.width, count, this.width, outAt);
      out.set(new Int32Array(buffer, outAt, count), at);
    }
  }
}

/** Four sums, so that one does not wait for the other. */
function plainDots(query: ArrayLike<number>, numbers: Numbers, start: number, width: number, out: Float32Array | Int32Array, at: number, count: number): void {
  for (let n = 0, from = start; n < count; n++, from += width) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let i = 0; i < width; i += 4) {
      a += query[i] * numbers[from + i];
      b += query[i + 1] * numbers[from + i + 1];
      c += query[i + 2] * numbers[from + i + 2];
      d += query[i + 3] * numbers[from + i + 3];
    }
    out[at + n] = a + b + (c + d);
  }
}
