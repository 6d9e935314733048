/** Changes of simulated worlds until it is known which of them are kept: of all worlds, in memory and beyond a bound in a file; or of the best so far. */
import type { SpillFile } from '../sql/exec/context.ts';

const MEMORY_BYTES_MAX = 64 << 20;

export class KeptChanges {
  readonly #spill: () => SpillFile;
  readonly #places = new Map<number, { readonly from: number; readonly length: number } | Uint8Array>();
  #file: SpillFile | null = null;
  #fileBytes = 0;
  #bytes = 0;

  constructor(spill: () => SpillFile) {
    this.#spill = spill;
  }

  get count(): number {
    return this.#places.size;
  }

  add(index: number, bytes: Uint8Array): void {
    if (this.#bytes + bytes.length <= MEMORY_BYTES_MAX) {
      this.#bytes += bytes.length;
      // A slice of a message would retain the whole message.
      this.#places.set(index, bytes.slice());
      return;
    }
    this.#file ??= this.#spill();
    this.#file.write(bytes);
    this.#places.set(index, { from: this.#fileBytes, length: bytes.length });
    this.#fileBytes += bytes.length;
  }

  get(index: number): Uint8Array {
    const place = this.#places.get(index)!;
    return place instanceof Uint8Array ? place : this.#file!.read(place.from, place.length);
  }

  indexes(): number[] {
    return [...this.#places.keys()];
  }

  drop(index: number): void {
    const place = this.#places.get(index);
    if (place instanceof Uint8Array) this.#bytes -= place.length;
    this.#places.delete(index);
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
    this.#places.clear();
  }
}
