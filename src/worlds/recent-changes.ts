/**
 * Rows changed by commits that are not durable yet. A reader waits until the rows that it read are durable; with many clients
 * some commit is always in progress, and a point lookup should not wait for the changes of others.
 */
import type { Sequence } from '../base/brands.ts';
import { CATALOG_TREE, isBeside } from '../events/changes.ts';
import type { Event } from '../events/event.ts';
import { changedRows } from '../events/changed-rows.ts';
import type { Key } from '../tree/datum.ts';

/** A commit of more rows counts as a change of everything. */
const ROWS_MAX = 64;
const KEPT_MAX = 1024;

export class RecentChanges {
  /** Sequence of the newest event that changed more than listed rows. */
  rest = 0 as Sequence;
  readonly #trees = new Array<number>(KEPT_MAX).fill(0);
  readonly #keys = new Array<Key>(KEPT_MAX).fill(0);
  readonly #sequences = new Array<Sequence>(KEPT_MAX).fill(0 as Sequence);
  /** Entries [from, to) are kept, by event. */
  #from = 0;
  #to = 0;

  add(event: Event, sequence: Sequence, durable: Sequence): void {
    this.#drop(durable);
    if (event.type !== 'committed') {
      this.rest = sequence;
      return;
    }
    const { changes } = event;
    let rows = 0;
    for (const each of changes) {
      if (each.tree === CATALOG_TREE) rows = Infinity;
      else if (!isBeside(each.tree)) rows += changedRows(each);
    }
    if (rows > ROWS_MAX || this.#to - this.#from + rows > KEPT_MAX) {
      this.rest = sequence;
      return;
    }
    if (this.#to + rows > KEPT_MAX) this.#moveDown();
    for (const { tree, rows: changed } of changes) {
      if (isBeside(tree)) continue;
      for (const { key } of changed) {
        this.#trees[this.#to] = tree;
        this.#keys[this.#to] = key;
        this.#sequences[this.#to++] = sequence;
      }
    }
  }

  /** The newest event that changed a row with lower ≤ key < upper (null: no bound) in a tree of this number, in any world; 0 if all are durable. */
  newest(tree: number, lower: Key | null, upper: Key | null, durable: Sequence): Sequence {
    for (let i = this.#to - 1; i >= this.#from; i--) {
      if (this.#sequences[i] <= durable) break;
      if (this.#trees[i] !== tree) continue;
      const key = this.#keys[i];
      if ((lower === null || key >= lower) && (upper === null || key < upper)) return this.#sequences[i];
    }
    return 0 as Sequence;
  }

  /** Events after `durable` were undone, and their sequences will be reused. */
  undo(durable: Sequence): void {
    this.#from = this.#to = 0;
    if (this.rest > durable) this.rest = durable;
  }

  #drop(durable: Sequence): void {
    while (this.#from < this.#to && this.#sequences[this.#from] <= durable) this.#from++;
    if (this.#from === this.#to) this.#from = this.#to = 0;
  }

  #moveDown(): void {
    const from = this.#from;
    this.#trees.copyWithin(0, from, this.#to);
    this.#keys.copyWithin(0, from, this.#to);
    this.#sequences.copyWithin(0, from, this.#to);
    this.#to -= from;
    this.#from = 0;
  }
}
