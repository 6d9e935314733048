/**
 * Many inserted and deleted entries of an index: keys are bytes, and a leaf that only loses entries is cut as bytes. Row
 * objects are only built for leaves with inserts.
 */
import type { Key, RowChange } from '../tree/datum.ts';
import type { Inner, Leaf, Node } from '../tree/node.ts';
import { leafWithoutKeys } from '../tree/page-cut.ts';
import type { Pager } from '../tree/pager.ts';
import type { SortedKeys } from '../tree/sorted-keys.ts';
import { type Batch, replacedBy, RowBatch } from '../tree/write.ts';
import { entryAdded, entryRemoved } from './index-keys.ts';

export class EntryChanges implements Batch {
  readonly numeric = false;
  readonly #keys: SortedKeys;
  /** Keys of their rows. */
  readonly #rows: readonly Key[];
  /** 1 for each inserted entry; null if all are deletes. */
  readonly #comes: Uint8Array | null;

  constructor(keys: SortedKeys, rows: readonly Key[], comes: Uint8Array | null) {
    this.#keys = keys;
    this.#rows = rows;
    this.#comes = comes;
  }

  get length(): number {
    return this.#rows.length;
  }

  /** A deleted entry need not exist. */
  readonly goes = false;

  key(i: number): Key {
    return this.#keys.key(i);
  }

  firstAtLeast(from: number, to: number, key: Key): number {
    return this.#keys.firstAtLeast(from, to, key as string);
  }

  toLeaf(pager: Pager, leaf: Leaf, from: number, to: number, edit: number): Node[] {
    const comes = this.#comes;
    if (comes !== null && comes.subarray(from, to).includes(1)) {
      const changes = this.changes(from, to);
      return new RowBatch(changes).toLeaf(pager, leaf, 0, changes.length, edit);
    }
    return replacedBy(pager, leaf, leafWithoutKeys(leaf, this.#keys, from, to, edit), edit);
  }

  putOff(_pager: Pager, _parent: Inner, _child: number, _from: number, _to: number, _edit: number): null {
    return null;
  }

  /** Entries [from, to). */
  slice(from: number, to: number): EntryChanges {
    return new EntryChanges(this.#keys.part(from, to), this.#rows.slice(from, to), this.#comes === null ? null : this.#comes.subarray(from, to));
  }

  /** Entries [from, to) as row changes. */
  changes(from = 0, to = this.length): RowChange[] {
    const out: RowChange[] = [];
    for (let i = from; i < to; i++) {
      const key = this.#keys.key(i);
      out.push(this.#comes === null || this.#comes[i] === 0 ? entryRemoved(key, this.#rows[i]) : entryAdded(key, this.#rows[i]));
    }
    return out;
  }
}

/** Splits changes of an index into parts of `size`. */
export function* entryPieces(entries: EntryChanges | RowChange[], size: number): Generator<EntryChanges | RowChange[]> {
  for (let from = 0; from < entries.length; from += size) yield entries.slice(from, Math.min(entries.length, from + size));
}
