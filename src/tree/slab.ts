/**
 * Memory of one leaf, cut up: many small arrays with memory of their own would take longer to make than to fill. Leaves that are made one
 * after the other have theirs side by side in blocks, which are given back when all of them are gone.
 */
import { assert } from '../base/assert.ts';

/** Some leaves' worth: more would be kept where few leaves of many are. */
const BLOCK_BYTES = 32 * 1024;

class Blocks {
  readonly #make: (bytes: number) => ArrayBuffer;
  #block = new ArrayBuffer(0);
  #at = 0;

  constructor(make: (bytes: number) => ArrayBuffer) {
    this.#make = make;
  }

  /** Room for so many bytes. */
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
/** Written over as a whole: to have them all 0 first would take as long as that. */
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

  /** Apart from numbers: texts that strings have taken the place of go, and numbers stay. */
  static ofTexts(bytes: number): Slab {
    return new Slab(texts, Slab.size(bytes));
  }

  /** Memory of a page, to be written over as a whole. */
  static ofPage(bytes: number): Uint8Array {
    const { block, at } = pages.take(Slab.size(bytes));
    return new Uint8Array(block, at, bytes);
  }

  /** What an array of so many bytes takes: each begins at a multiple of eight. */
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
