/** Changes of a tree as a batch whose rows are made one by one where they are needed; for whoever asks for all, there are `rows`. */
import type { Key, RowChange } from '../tree/datum.ts';
import type { LaterChanges } from '../tree/later-leaves.ts';
import type { Batch } from '../tree/write.ts';
import type { TreeChanges } from './changes.ts';

export class LaterRows implements TreeChanges {
  readonly tree: number;
  // Not to be copied with the object: who changes `rows` of a copy must not carry the batch along.
  readonly #batch: Batch & LaterChanges;
  #rows: RowChange[] | null = null;

  /** There is a row at least. */
  constructor(tree: number, batch: Batch & LaterChanges) {
    this.tree = tree;
    this.#batch = batch;
  }

  get numeric(): boolean {
    return this.#batch.numeric;
  }

  get batch(): Batch {
    return this.#batch;
  }

  get count(): number {
    return this.#batch.length;
  }

  get last(): Key {
    return this.#batch.key(this.count - 1);
  }

  /** Bytes that the i-th row writes, about. */
  bytesOf(i: number): number {
    return this.#batch.bytes(i);
  }

  get rows(): RowChange[] {
    return (this.#rows ??= Array.from({ length: this.count }, (_, i) => this.#batch.row(i)));
  }
}
