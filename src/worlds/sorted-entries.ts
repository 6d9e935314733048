/** Collects entries of an index in row order and returns them sorted. */
import { assert } from '../base/assert.ts';
import type { Datum, Key } from '../tree/datum.ts';
import { SortedKeys } from '../tree/sorted-keys.ts';
import type { IndexKeys } from './index-keys.ts';
import { KeysToSort, writeSafe } from './key-bytes.ts';

/** Keys are decoded to strings in chunks, as slices of one string. */
const CHUNK = 256;
/** Entries per step: some milliseconds. */
const STEP = 8192;

export class SortedEntries {
  readonly #prefixes = new KeysToSort();
  readonly #rows: Key[] = [];

  get count(): number {
    return this.#rows.length;
  }

  /** Adds the row's entries, from the index's cells; returns their number. Rows come in key order. */
  add(index: IndexKeys, cells: readonly Datum[], row: Key): number {
    const { keys } = this.#prefixes;
    if (!index.lists) {
      if (!index.writePrefix(cells, keys)) return 0;
      this.#end(row);
      return 1;
    }
    const prefixes = index.prefixes(cells);
    for (const prefix of prefixes) {
      keys.coded(prefix);
      this.#end(row);
    }
    return prefixes.length;
  }

  /** Whether the last two have the same prefix. */
  endsTwice(): boolean {
    return this.#prefixes.endsTwice();
  }

  /** Drops the entries after the first `count`. */
  cutTo(count: number): void {
    this.#prefixes.cutTo(count);
    this.#rows.length = count;
  }

  #end(row: Key): void {
    this.#prefixes.end();
    this.#rows.push(row);
  }

  /** Visits them in order: the entry's key, its row's key, and its insertion index. */
  *each(visit: (key: string, row: Key, came: number) => void): Generator<void> {
    const { keys, rows, came } = yield* this.sorted();
    const count = rows.length;
    for (let from = 0; from < count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK);
      const start = keys.start(from);
      const whole = keys.bytes.latin1Slice(start, keys.end(to - 1));
      for (let i = from; i < to; i++) visit(whole.slice(keys.start(i) - start, keys.end(i) - start), rows[i], came === null ? i : came[i]);
      if (to % STEP === 0) yield;
    }
  }

  /** Keys, row keys, and insertion indexes; null if they were added in order. */
  *sorted(): Generator<void, { keys: SortedKeys; rows: readonly Key[]; came: Uint32Array | null }> {
    const prefixes = this.#prefixes;
    const rows = this.#rows;
    const order = yield* prefixes.order();
    const count = rows.length;
    const inOrder = order === null ? rows : new Array<Key>(count);
    let size = prefixes.keys.length;
    for (let i = 0; i < count; i++) {
      const row = rows[i];
      size += typeof row === 'number' ? 8 : row.length;
    }
    const bytes = Buffer.allocUnsafeSlow(size);
    const ends = new Uint32Array(count);
    let end = 0;
    for (let i = 0; i < count; i++) {
      const at = order === null ? i : order[i];
      if (order !== null) inOrder[i] = rows[at];
      end = writeRowKey(rows[at], bytes, prefixes.copy(at, bytes, end));
      ends[i] = end;
      if (i % STEP === STEP - 1) yield;
    }
    assert(end < 2 ** 32, 'keys of less than 4 GiB');
    return { keys: new SortedKeys(bytes, ends), rows: inOrder, came: order };
  }
}

function writeRowKey(row: Key, into: Buffer, at: number): number {
  return typeof row === 'string' ? at + into.latin1Write(row, at) : writeSafe(into, at, row);
}
