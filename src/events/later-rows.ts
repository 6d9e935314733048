/** Changes of a tree as a batch whose rows are built one at a time where needed; `rows` builds all of them. */
import type { Key, RowChange } from '../tree/datum.ts';
import type { LaterChanges } from '../tree/later-leaves.ts';
import type { Batch } from '../tree/write.ts';
import type { TreeChanges } from './changes.ts';

export class LaterRows implements TreeChanges {
  readonly tree: number;
  // Private, so that it is not copied with the object: a copy with other `rows` must not keep the batch.
  readonly #batch: Batch & LaterChanges;
  #rows: RowChange[] | null = null;

  /** At least one row. */
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

  /** Approximate bytes of the i-th row. */
  bytesOf(i: number): number {
    return this.#batch.bytes(i);
  }

  get rows(): RowChange[] {
    return (this.#rows ??= Array.from({ length: this.count }, (_, i) => this.#batch.row(i)));
  }
}
