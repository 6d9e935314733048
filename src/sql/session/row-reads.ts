/** Rows that a statement looks up by key, reported as key ranges for conflict checks. */
import type { Reads } from '../exec/context.ts';
import type { Key } from '../../tree/datum.ts';

export class RowReads implements Reads {
  readonly #saw: (tree: number, lower: Key | null, upper: Key | null) => void;

  /** `saw`: of the rows with lower ≤ key < upper (null: no bound). */
  constructor(saw: (tree: number, lower: Key | null, upper: Key | null) => void) {
    this.#saw = saw;
  }

  ranges(tree: number, ranges: readonly { readonly lower: Key | null; readonly upper: Key | null }[]): void {
    for (let i = 0; i < ranges.length; i++) this.#saw(tree, ranges[i].lower, ranges[i].upper);
  }

  row(tree: number, key: Key): void {
    this.#saw(tree, key, typeof key === 'number' ? key + 1 : `${key}\0`);
  }
}
