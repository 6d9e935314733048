/** Results of a run: scores, errors, and changes of worlds that may be kept. Compact: a run may have a million worlds. */
import type { SpillFile } from '../sql/exec/context.ts';
import { KeptChanges } from './kept-changes.ts';
import type { Ran } from './thread-messages.ts';

/** The best so far are selected again after this many more. */
const PRUNED_AT_LEAST = 1000;

export class Results {
  readonly scores: Float64Array;
  readonly errors = new Map<number, string>();
  readonly changes: KeptChanges;
  done = 0;
  readonly #first: number;
  readonly #keep: number;
  readonly #ascending: boolean;
  /** Most errors of a run are equal. */
  readonly #texts = new Map<string, string>();

  constructor(first: number, count: number, keep: number, ascending: boolean, spill: () => SpillFile) {
    this.#first = first;
    this.scores = new Float64Array(count).fill(NaN);
    this.#keep = keep;
    this.#ascending = ascending;
    this.changes = new KeptChanges(spill);
  }

  add({ indexes, scores, errors, ends, bytes }: Ran): void {
    for (let i = 0; i < indexes.length; i++) {
      const index = indexes[i];
      this.done++;
      const error = errors[i];
      if (error !== null) {
        if (this.#texts.size < 1000 && !this.#texts.has(error)) this.#texts.set(error, error);
        this.errors.set(index, this.#texts.get(error) ?? error);
        continue;
      }
      this.scores[index - this.#first] = scores[i];
      if (this.#keep > 0) this.changes.add(index, bytes.subarray(i === 0 ? 0 : ends[i - 1], ends[i]));
    }
    if (this.changes.count > this.#keep * 2 + PRUNED_AT_LEAST) this.#prune();
  }

  #prune(): void {
    const held = this.changes.indexes().sort((a, b) => this.#compare(a, b));
    for (const index of held.slice(this.#keep)) this.changes.drop(index);
  }

  #compare(a: number, b: number): number {
    const left = this.scores[a - this.#first];
    const right = this.scores[b - this.#first];
    return left === right ? a - b : left < right === this.#ascending ? -1 : 1;
  }

  /** Indexes of all worlds, best first, ties by index; failed ones last. */
  ranked(): number[] {
    const good: number[] = [];
    const failed: number[] = [];
    for (let i = 0; i < this.scores.length; i++) (this.errors.has(this.#first + i) ? failed : good).push(this.#first + i);
    return [...good.sort((a, b) => this.#compare(a, b)), ...failed];
  }
}
