/**
 * A slab allocator for a leaf's arrays: many small arrays with their own memory would take longer to allocate than to fill.
 * Consecutive leaves share blocks, which are freed when all of their leaves are gone.
 */
import { assert } from '../base/assert.ts';

/** Some leaves' worth: larger blocks would be retained by few of many leaves. */
const BLOCK_BYTES = 32 * 1024;

class Blocks {
  readonly #make: (bytes: number) => ArrayBuffer;
  #block = new ArrayBuffer(0);
  #at = 0;

  constructor(make: (bytes: number) => ArrayBuffer) {
    this.#make = make;
  }

  /** Allocates `bytes`. */
  take(bytes: number): { readonly block: ArrayBuffer; readonly at: number } {
    if (bytes > BLOCK_BYTES / 2) return { block: this.#make(bytes), at: 0 };
    if (this.#at + bytes > this.#block.byteLength) {
      this.#block = this.#make(BLOCK_BYTES);
      this.#at = 0;
    }
    const at = this.#at;
    this.#at += bytes;
    return { block: this.#block, at };
  }
}

const zeros = (bytes: number): ArrayBuffer => new ArrayBuffer(bytes);
const numbers = new Blocks(zeros);
const texts = new Blocks(zeros);
/** Fully overwritten, so not zeroed. */
const pages = new Blocks((bytes) => Buffer.allocUnsafeSlow(bytes).buffer);

export class Slab {
  readonly #block: ArrayBuffer;
  #at: number;
  readonly #end: number;

  private constructor(blocks: Blocks, bytes: number) {
    const { block, at } = blocks.take(bytes);
    this.#block = block;
    this.#at = at;
    this.#end = at + bytes;
  }

  static ofNumbers(bytes: number): Slab {
    return new Slab(numbers, Slab.size(bytes));
  }

  /** Separate from numbers: texts are freed when strings replace them, numbers stay. */
  static ofTexts(bytes: number): Slab {
    return new Slab(texts, Slab.size(bytes));
  }

  /** Memory for a page, to be fully overwritten. */
  static ofPage(bytes: number): Uint8Array {
    const { block, at } = pages.take(Slab.size(bytes));
    return new Uint8Array(block, at, bytes);
  }

  /** Allocated size of an array: rounded up to a multiple of eight. */
  static size(bytes: number): number {
    return (bytes + 7) & ~7;
  }

  #take(bytes: number): number {
    const at = this.#at;
    this.#at += Slab.size(bytes);
    assert(this.#at <= this.#end, 'a slab holds what it was made for');
    return at;
  }

  f64(count: number): Float64Array {
    return new Float64Array(this.#block, this.#take(8 * count), count);
  }

  i32(count: number): Int32Array {
    return new Int32Array(this.#block, this.#take(4 * count), count);
  }

  u32(count: number): Uint32Array {
    return new Uint32Array(this.#block, this.#take(4 * count), count);
  }

  big(count: number): BigInt64Array {
    return new BigInt64Array(this.#block, this.#take(8 * count), count);
  }

  bytes(count: number): Uint8Array {
    return new Uint8Array(this.#block, this.#take(count), count);
  }
}
