/** Entries of an index, gathered in the order of their rows and given in their own. */
import type { Datum, Key } from '../tree/datum.ts';
import type { IndexKeys } from './index-keys.ts';
import { KeysToSort, writeSafe } from './key-bytes.ts';

/** So many keys are made strings at once: parts of one string, as in a page that was read. */
const CHUNK = 256;
/** Entries between two steps: some milliseconds. */
const STEP = 8192;

export class SortedEntries {
  readonly #prefixes = new KeysToSort();
  readonly #rows: Key[] = [];

  get count(): number {
    return this.#rows.length;
  }

  /** The row's entries, from the cells that the index looks at; how many. Rows come in the order of their keys. */
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

  /** An entry whose beginning is there already. */
  addPrefix(prefix: string, row: Key): void {
    this.#prefixes.keys.coded(prefix);
    this.#end(row);
  }

  #end(row: Key): void {
    this.#prefixes.end();
    this.#rows.push(row);
  }

  /** Visits them: the entry's key, that of its row, and the how manieth it came. */
  *each(visit: (key: string, row: Key, came: number) => void): Generator<void> {
    const prefixes = this.#prefixes;
    const rows = this.#rows;
    const order = yield* prefixes.order();
    const count = rows.length;
    let chunk = Buffer.allocUnsafeSlow(CHUNK * 64);
    const ends = new Uint32Array(CHUNK);
    for (let from = 0; from < count; from += CHUNK) {
      const to = Math.min(count, from + CHUNK);
      let size = 0;
      for (let i = from; i < to; i++) {
        const at = order === null ? i : order[i];
        const row = rows[at];
        size += prefixes.size(at) + (typeof row === 'number' ? 8 : row.length);
      }
      if (size > chunk.length) chunk = Buffer.allocUnsafeSlow(size * 2);
      let end = 0;
      for (let i = from; i < to; i++) {
        const at = order === null ? i : order[i];
        end = writeRowKey(rows[at], chunk, prefixes.copy(at, chunk, end));
        ends[i - from] = end;
      }
      const whole = chunk.latin1Slice(0, end);
      for (let i = from; i < to; i++) {
        const at = order === null ? i : order[i];
        visit(whole.slice(i === from ? 0 : ends[i - from - 1], ends[i - from]), rows[at], at);
      }
      if (to % STEP === 0) yield;
    }
  }
}

function writeRowKey(row: Key, into: Buffer, at: number): number {
  return typeof row === 'string' ? at + into.latin1Write(row, at) : writeSafe(into, at, row);
}
